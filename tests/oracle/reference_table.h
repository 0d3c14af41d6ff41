// The reference table: a map from key to item, and what DynamoDB answers for it.
#ifndef STATOR_TESTS_ORACLE_REFERENCE_TABLE_H_
#define STATOR_TESTS_ORACLE_REFERENCE_TABLE_H_

#include <map>
#include <optional>
#include <vector>

#include "stator/error.h"
#include "tests/oracle/operation.h"
#include "tests/oracle/schema.h"
#include "tests/oracle/units.h"

namespace stator::oracle {

struct WriteAnswer {
  std::optional<ErrorCode> error;
  // Also right: DynamoDB does not say which of two problems it reports.
  std::optional<ErrorCode> other_error;
  std::optional<Attributes> error_item;
  std::optional<Attributes> attributes;
  Units units;
};

class ReferenceTable {
 public:
  const Schema& schema() const { return schema_; }
  Schema& schema() { return schema_; }
  const std::map<Key, Attributes>& items() const { return items_; }
  const Attributes* Find(const Key& key) const;

  // Carries the write out and tells its answer.
  WriteAnswer Write(const WriteOperation& write);
  // One of the items does not fit the schema: nothing is written.
  std::optional<ErrorCode> BatchError(const BatchWriteOperation& batch) const;
  Units BatchWrite(const BatchWriteOperation& batch);

  // Puts an item as it is.
  void Adopt(Attributes item);

  // What the index holds (the table's items when it is null), by key of the table.
  std::map<Key, Attributes> Entries(const IndexSchema* index) const;
  // Those that the key condition of a Query selects, or all for a Scan.
  std::map<Key, Attributes> Selected(const PageOperation& page) const;

 private:
  void Store(const Key& key, std::optional<Attributes> item);

  Schema schema_;
  std::map<Key, Attributes> items_;
};

bool SatisfiesSort(const IndexSchema* index, const std::vector<SortTerm>& sort,
                   const Attributes& entry);

}  // namespace stator::oracle

#endif  // STATOR_TESTS_ORACLE_REFERENCE_TABLE_H_
