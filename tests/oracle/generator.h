// Chooses the next operation: mostly of a kind that meets items, keys and index entries that are
// there.
#ifndef STATOR_TESTS_ORACLE_GENERATOR_H_
#define STATOR_TESTS_ORACLE_GENERATOR_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/oracle/operation.h"
#include "tests/oracle/random_values.h"
#include "tests/oracle/reference_table.h"

namespace stator::oracle {

class Generator {
 public:
  // The same seed and the same answers give the same operations.
  Generator(std::uint64_t seed, const ReferenceTable& reference)
      : values_(seed), reference_(reference) {}

  RandomOperation Next();

 private:
  Random& random() { return values_.random(); }
  // Whether this stretch of the run writes items of hundreds of kilobytes.
  bool WritesLarge();

  WriteOperation AnyPut();
  WriteOperation AnyUpdate();
  WriteOperation AnyDelete();
  void AddConditionAndAnswer(WriteOperation& write);
  BatchWriteOperation AnyBatchWrite();
  UpdateAction AnyAction(const std::string& attribute);
  UpdateAction AnySetAction(const Path& target);
  Update AnySiblingActions();

  GetOperation AnyGet();
  PageOperation AnyQuery();
  PageOperation AnyScan();
  const IndexSchema* AnyIndex();
  void AddPartition(PageOperation& page, const IndexSchema* index);
  void AddSort(PageOperation& page, const IndexSchema* index);
  SortTerm AnySortTerm(const KeyPart& part, bool last);
  Value AnySortValue(const KeyPart& part);
  void AddShape(PageOperation& page, const IndexSchema* index);
  std::vector<std::string> FilterAttributes(const IndexSchema* index) const;
  std::vector<Key> DistinctKeys(std::size_t count_max);
  ReturnConsumedCapacity AnyCapacity();

  RandomValues values_;
  const ReferenceTable& reference_;
  std::uint64_t generated_ = 0;
};

}  // namespace stator::oracle

#endif  // STATOR_TESTS_ORACLE_GENERATOR_H_
