#include "engine/key_rows.h"

#include <string>
#include <utility>

#include "engine/row_key.h"
#include "value/item_codec.h"

namespace stator {
namespace {

void Narrow(KeyRange& rows, const std::string& prefix, const KeyClause& clause) {
  std::string at = prefix;
  if (clause.op == KeyOperator::kBeginsWith) {
    const ValueView value = clause.value.view();
    AppendKeyPrefix(at, value.type() == Type::kS ? value.S() : value.B());
  } else {
    AppendKeyPart(at, clause.value.view());
  }
  switch (clause.op) {
    case KeyOperator::kLt:
      rows.end = std::move(at);
      break;
    case KeyOperator::kLe:
      rows.end = PrefixEnd(at);
      break;
    case KeyOperator::kGt:
      rows.begin = PrefixEnd(at);
      break;
    case KeyOperator::kGe:
      rows.begin = std::move(at);
      break;
    case KeyOperator::kBetween: {
      std::string upper = prefix;
      AppendKeyPart(upper, clause.upper.view());
      rows.begin = std::move(at);
      rows.end = PrefixEnd(upper);
      break;
    }
    case KeyOperator::kEq:
    case KeyOperator::kBeginsWith:
    case KeyOperator::kNotIndexable:
      rows.end = PrefixEnd(at);
      rows.begin = std::move(at);
      break;
  }
}

}  // namespace

KeyRange RowsOf(const KeyHasher& hasher, const Table& table, const Index* index,
                const BoundKey& key) {
  std::vector<ValueView> hash_parts;
  for (const KeyClause& clause : key.hash) hash_parts.push_back(clause.value.view());
  std::string prefix =
      PartitionPrefix(hasher, table.number, index ? index->number : IndexNumber{0}, hash_parts);
  for (const KeyClause& clause : key.range) {
    if (clause.op != KeyOperator::kEq) break;
    AppendKeyPart(prefix, clause.value.view());
  }
  KeyRange rows{prefix, PrefixEnd(prefix)};
  if (!key.range.empty() && key.range.back().op != KeyOperator::kEq) {
    Narrow(rows, prefix, key.range.back());
  }
  return rows;
}

bool Satisfies(const KeyClause& clause, ItemView item) {
  const std::optional<ValueView> value = item.Find(clause.attribute);
  if (!value || value->type() != clause.value.type()) return false;
  const int order = CompareScalars(*value, clause.value.view());
  switch (clause.op) {
    case KeyOperator::kEq:
      return order == 0;
    case KeyOperator::kLt:
      return order < 0;
    case KeyOperator::kLe:
      return order <= 0;
    case KeyOperator::kGt:
      return order > 0;
    case KeyOperator::kGe:
      return order >= 0;
    case KeyOperator::kBetween:
      return order >= 0 && CompareScalars(*value, clause.upper.view()) <= 0;
    case KeyOperator::kBeginsWith:
      return value->type() == Type::kS ? value->S().starts_with(clause.value.view().S())
                                       : value->B().starts_with(clause.value.view().B());
    case KeyOperator::kNotIndexable:
      return false;
  }
  return false;
}

}  // namespace stator
