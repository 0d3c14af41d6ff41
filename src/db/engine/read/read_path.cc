#include "engine/read/read_path.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/try.h"
#include "base/work.h"
#include "capacity/units.h"
#include "engine/catalog/row_key.h"
#include "engine/engine.h"
#include "engine/store_access.h"
#include "value/item_codec.h"
#include "value/size.h"

namespace stator {
namespace {

// `prefix` followed by one part.
std::string WithPart(const std::string& prefix, ValueView part) {
  std::string key;
  key.reserve(prefix.size() + part.encoded().size() + 8);
  key.append(prefix);
  AppendKeyPart(key, part);
  return key;
}

// The rows whose next part satisfies the clause.
KeyRange NarrowedRows(std::string prefix, const KeyClause& clause) {
  const ValueView value = clause.value.view();
  switch (clause.op) {
    case KeyOperator::kLt:
      return {prefix, WithPart(prefix, value)};
    case KeyOperator::kLe:
      return {prefix, PrefixEnd(WithPart(prefix, value))};
    case KeyOperator::kGt:
      return {PrefixEnd(WithPart(prefix, value)), PrefixEnd(prefix)};
    case KeyOperator::kGe:
      return {WithPart(prefix, value), PrefixEnd(prefix)};
    case KeyOperator::kBetween:
      return {WithPart(prefix, value), PrefixEnd(WithPart(prefix, clause.upper.view()))};
    case KeyOperator::kBeginsWith:
      AppendKeyPrefix(prefix, value.type() == Type::kS ? value.S() : value.B());
      break;
    case KeyOperator::kEq:
    case KeyOperator::kNotIndexable:
      AppendKeyPart(prefix, value);
      break;
  }
  return RowsWithPrefix(std::move(prefix));
}

// Sorted names of the attributes that make up a LastEvaluatedKey: the table's keys and the index's.
std::vector<std::string> PositionAttributes(const Table& table, const Index* index) {
  std::vector<std::string> names;
  for (const KeySchema* keys : {&table.keys, &table.KeysOf(index)}) {
    for (const KeyAttribute& attribute : keys->hash) names.push_back(attribute.name);
    for (const KeyAttribute& attribute : keys->range) names.push_back(attribute.name);
  }
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  return names;
}

// A page starts with room for this many rows, and grows.
constexpr std::int64_t kFirstRows = 32;
constexpr std::size_t kMaxFirstBytes = std::size_t{8} << 10;

// What an entry costs beside its bytes, as bytes of work.
constexpr std::size_t kEntryWorkBytes = 64;

// Takes the entries of a page one by one.
class PageReader {
 public:
  PageReader(const Store& store, const KeyHasher& hasher, const PagePlan& plan)
      : store_(store), hasher_(hasher), plan_(plan) {}

  // False when the page is full.
  bool Take(std::string_view value) {
    const ItemView entry(value);
    ++page_.scanned_count;
    if (!counts_later_) page_.evaluated_bytes += ItemSizeBytes(entry);
    Return(entry, plan_.fetch_from_table ? Complete(entry) : entry);
    // DynamoDB's own way out of a page that takes too long: it ends early.
    const bool full = ReachedPageBytes() || (plan_.limit && page_.scanned_count >= *plan_.limit) ||
                      !Work::Charge(kEntryWorkBytes + value.size());
    if (full) {
      page_.last_evaluated_key =
          Item::FromEncoded(ProjectTopLevel(entry, PositionAttributes(*plan_.table, plan_.index)));
    }
    return !full && !failure_;
  }

  Result<ItemPage> Finish() && {
    if (failure_) return std::unexpected(FromStorage(*failure_));
    if (plan_.count_bytes) CountBytes();
    return std::move(page_);
  }

 private:
  // Limit counts items read, before the filter, as DynamoDB does.
  void Return(ItemView entry, ItemView item) {
    if (plan_.filter && !Passes(entry)) return;
    ++page_.count;
    if (plan_.count_only) return;
    if (plan_.projection) {
      Append(plan_.projection->Apply(item).view());
    } else {
      Append(item);
    }
  }

  bool Passes(ItemView item) const {
    const bool passes = plan_.filter->Evaluate(item);
    if (!Work::MustEnd() || Work::CurrentEnd() == Work::End::kElsewhere) return passes;
    // The page ends with this entry, which needs a true answer.
    const Work::Pause pause;
    return plan_.filter->Evaluate(item);
  }

  // More rows like the first one are to be expected.
  void Append(ItemView item) {
    if (page_.items.empty()) {
      const auto rows =
          static_cast<std::size_t>(std::min(plan_.limit.value_or(kFirstRows), kFirstRows));
      page_.items.Reserve(rows, std::min(rows * item.encoded().size(), kMaxFirstBytes));
    }
    page_.items.Append(item);
  }

  // Counting takes time, so rows that enter the page as they are stored are counted only once they
  // could fill it.
  bool ReachedPageBytes() {
    if (counts_later_) {
      const std::size_t uncounted = page_.items.bytes() - counted_bytes_;
      if (page_.evaluated_bytes + kMaxSizePerEncodedByte * uncounted < plan_.max_bytes) {
        return false;
      }
      CountBytes();
    }
    return page_.evaluated_bytes >= plan_.max_bytes;
  }

  void CountBytes() {
    if (!counts_later_) return;
    for (; counted_rows_ < page_.items.size(); ++counted_rows_) {
      page_.evaluated_bytes += ItemSizeBytes(page_.items[counted_rows_]);
    }
    counted_bytes_ = page_.items.bytes();
  }

  // The whole item of a local index entry. If it has just been deleted, the entry itself.
  ItemView Complete(ItemView entry) {
    const std::string row_key = ItemRowKey(hasher_, *plan_.table, entry);
    StorageResult<bool> found = store_.Get(row_key, fetched_);
    if (!found) {
      failure_ = std::move(found).error();
      return entry;
    }
    if (!*found) return entry;
    const ItemView item(fetched_);
    page_.fetched_blocks += ReadBlocks(ItemSizeBytes(item));
    return item;
  }

  const Store& store_;
  const KeyHasher& hasher_;
  const PagePlan& plan_;
  const bool counts_later_ =
      !plan_.filter && !plan_.projection && !plan_.count_only && !plan_.fetch_from_table;
  ItemPage page_;
  std::size_t counted_rows_ = 0;
  std::size_t counted_bytes_ = 0;
  std::string fetched_;
  std::optional<StorageError> failure_;
};

}  // namespace

KeyRange RowsOf(const KeyHasher& hasher, const Table& table, const Index* index,
                const BoundKey& key) {
  InlineVector<ValueView, 4> hash_parts;
  for (const KeyClause* clause : key.hash) hash_parts.push_back(clause->value.view());
  std::string prefix =
      PartitionPrefix(hasher, table.number, index ? index->number : IndexNumber{0}, hash_parts);
  for (const KeyClause* clause : key.range) {
    if (clause->op != KeyOperator::kEq) return NarrowedRows(std::move(prefix), *clause);
    AppendKeyPart(prefix, clause->value.view());
  }
  return RowsWithPrefix(std::move(prefix));
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

Result<std::optional<Item>> Engine::ReadItem(const Table& table, ItemView key) const {
  std::string value;
  StorageResult<bool> found = store_->Get(ItemRowKey(hasher_, table, key), value);
  if (!found) return std::unexpected(FromStorage(found.error()));
  if (!*found) return std::nullopt;
  if (!Work::Charge(value.size())) return std::unexpected(TookTooLong());
  return Item::FromEncoded(std::move(value));
}

Result<std::vector<std::optional<Item>>> Engine::ReadItems(
    const std::vector<ItemAddress>& addresses) const {
  std::vector<std::string> row_keys;
  row_keys.reserve(addresses.size());
  for (const ItemAddress& address : addresses) {
    row_keys.push_back(ItemRowKey(hasher_, *address.table, address.key));
  }
  // Where there is no time for large items, the first one tells what the others are like.
  if (row_keys.size() > 1 && !Work::MayWait()) {
    std::string first;
    const StorageResult<bool> found = store_->Get(row_keys[0], first);
    if (found && !Work::Charge(first.size() * row_keys.size()))
      return std::unexpected(TookTooLong());
  }
  StorageResult<std::vector<std::optional<std::string>>> values = store_->MultiGet(row_keys);
  if (!values) return std::unexpected(FromStorage(values.error()));
  std::vector<std::optional<Item>> items(values->size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!(*values)[i]) continue;
    if (!Work::Charge(kEntryWorkBytes + (*values)[i]->size()))
      return std::unexpected(TookTooLong());
    items[i] = Item::FromEncoded(*std::move((*values)[i]));
  }
  return items;
}

Result<ItemPage> Engine::ReadPage(const PagePlan& plan) const {
  PageReader reader(*store_, hasher_, plan);
  StorageResult<void> scanned = store_->Scan(
      plan.rows, plan.direction,
      [&](std::string_view, std::string_view value) { return reader.Take(value); },
      /*view=*/nullptr, plan.limit.value_or(0));
  if (!scanned) return std::unexpected(FromStorage(scanned.error()));
  return std::move(reader).Finish();
}

}  // namespace stator
