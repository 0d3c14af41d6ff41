// The table under test: its keys, its indexes, and what an index holds of an item.
#ifndef STATOR_TESTS_ORACLE_SCHEMA_H_
#define STATOR_TESTS_ORACLE_SCHEMA_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/table_operations.h"
#include "tests/oracle/value.h"

namespace stator::oracle {

inline constexpr const char* kTableName = "Model";
inline constexpr const char* kLateIndexName = "g_late";

// The primary key of an item: pk (S) and sk (N).
struct Key {
  std::string pk;
  Value sk;
  friend bool operator<(const Key& a, const Key& b);
  friend bool operator==(const Key& a, const Key& b) = default;
};
std::string Show(const Key& key);
Attributes AsAttributes(const Key& key);
// REQUIRES: the item has both key attributes.
Key KeyOf(const Attributes& item);

struct KeyPart {
  std::string name;
  Kind kind = Kind::kS;
};

struct IndexSchema {
  std::string name;
  bool global = true;
  std::vector<KeyPart> hash;
  std::vector<KeyPart> range;
  ProjectionType projection = ProjectionType::kAll;
  std::vector<std::string> included;
};

class Schema {
 public:
  // Two local and four global indexes: ALL, KEYS_ONLY, INCLUDE, sparse, and a key of 2 + 2
  // attributes.
  Schema();

  const std::vector<IndexSchema>& indexes() const { return indexes_; }
  const IndexSchema* FindIndex(std::string_view name) const;
  // The index that comes and goes while operations run.
  static const IndexSchema& LateIndex();
  void SetLateIndex(bool present);

  // Every attribute that is a key of some index, the late one included.
  static const std::vector<KeyPart>& IndexKeyParts();
  // The table's own keys stand for an absent index.
  static const std::vector<KeyPart>& HashParts(const IndexSchema* index);
  static const std::vector<KeyPart>& RangeParts(const IndexSchema* index);
  // Names of the attributes of a LastEvaluatedKey.
  static std::vector<std::string> PositionNames(const IndexSchema* index);
  static bool Projects(const IndexSchema* index, std::string_view attribute);

  // What the index holds of the item; nothing when the item lacks one of its keys.
  static std::optional<Attributes> EntryOf(const IndexSchema* index, const Attributes& item);
  // False when an index key attribute has another type, is empty, or a key is too long.
  bool FitsIndexKeys(const Attributes& item) const;
  // By the range attributes, in their order.
  static std::strong_ordering CompareEntries(const IndexSchema* index, const Attributes& a,
                                             const Attributes& b);
  static bool SamePartition(const IndexSchema* index, const Attributes& a, const Attributes& b);

  CreateTableRequest CreateRequest() const;
  static UpdateTableRequest AddLateIndexRequest();
  static UpdateTableRequest DropLateIndexRequest();

 private:
  std::vector<IndexSchema> indexes_;
};

}  // namespace stator::oracle

#endif  // STATOR_TESTS_ORACLE_SCHEMA_H_
