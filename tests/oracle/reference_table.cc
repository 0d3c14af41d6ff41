#include "tests/oracle/reference_table.h"

#include <algorithm>
#include <utility>

namespace stator::oracle {
namespace {

constexpr std::size_t kItemBytesMax = 409'600;

std::optional<Attributes> NonEmpty(Attributes attributes) {
  if (attributes.empty()) return std::nullopt;
  return attributes;
}

std::optional<Attributes> Returned(const WriteOperation& write, const Attributes* before,
                                   const Attributes* after) {
  const auto copy = [](const Attributes* item) {
    return item ? std::optional<Attributes>(*item) : std::nullopt;
  };
  const auto targets = [&](const Attributes* item) {
    return item ? NonEmpty(Project(*item, Targets(write.update))) : std::nullopt;
  };
  switch (write.returned) {
    case ReturnValues::kNone:
      return std::nullopt;
    case ReturnValues::kAllOld:
      return copy(before);
    case ReturnValues::kAllNew:
      return copy(after);
    case ReturnValues::kUpdatedOld:
      return targets(before);
    case ReturnValues::kUpdatedNew:
      return targets(after);
  }
  return std::nullopt;
}

// What only takes away makes no item; an empty update makes one.
bool OnlyRemoves(const Update& update) {
  return !update.empty() && std::ranges::all_of(update, [](const UpdateAction& action) {
    return action.form == UpdateAction::Form::kRemove || action.form == UpdateAction::Form::kDelete;
  });
}

bool SatisfiesTerm(const Value& value, const SortTerm& term) {
  if (term.comparator == "BETWEEN") return BetweenHolds(value, term.values[0], term.values[1]);
  if (term.comparator == "begins_with") return BeginsWithHolds(value, term.values[0]);
  return CompareHolds(&value, term.comparator, &term.values[0]);
}

}  // namespace

bool SatisfiesSort(const IndexSchema* index, const std::vector<SortTerm>& sort,
                   const Attributes& entry) {
  for (std::size_t i = 0; i < sort.size(); ++i) {
    if (!SatisfiesTerm(*Find(entry, Schema::RangeParts(index)[i].name), sort[i])) return false;
  }
  return true;
}

const Attributes* ReferenceTable::Find(const Key& key) const {
  const auto found = items_.find(key);
  return found == items_.end() ? nullptr : &found->second;
}

void ReferenceTable::Adopt(Attributes item) {
  Key key = KeyOf(item);
  items_[std::move(key)] = std::move(item);
}

void ReferenceTable::Store(const Key& key, std::optional<Attributes> item) {
  items_.erase(key);
  if (item) items_[key] = *std::move(item);
}

WriteAnswer ReferenceTable::Write(const WriteOperation& write) {
  using Form = WriteOperation::Form;
  const std::optional<Attributes> before =
      Find(write.key) ? std::optional<Attributes>(*Find(write.key)) : std::nullopt;
  const bool holds = !write.condition || Holds(*write.condition, before.value_or(Attributes{}));

  std::optional<Attributes> after;
  bool valid = true;
  if (write.form == Form::kPut) after = write.item;
  if (write.form == Form::kUpdate) {
    const bool makes_none = !before && OnlyRemoves(write.update);
    if (!makes_none) after = Apply(write.update, before.value_or(AsAttributes(write.key)));
    valid = makes_none || after.has_value();
  }
  valid =
      valid && (!after || (schema_.FitsIndexKeys(*after) && SizeBytes(*after) <= kItemBytesMax));

  WriteAnswer answer;
  if (!valid) {
    answer.error = ErrorCode::kValidation;
    // Whether an update is refused before its condition depends on what is known without the item.
    if (!holds && write.form == Form::kUpdate)
      answer.other_error = ErrorCode::kConditionalCheckFailed;
    return answer;
  }
  if (!holds) {
    answer.error = ErrorCode::kConditionalCheckFailed;
    if (write.item_on_failure) answer.error_item = before;
    return answer;
  }
  const Attributes* old_item = before ? &*before : nullptr;
  const Attributes* new_item = after ? &*after : nullptr;
  answer.units = WriteUnits(schema_, old_item, new_item);
  answer.attributes = Returned(write, old_item, new_item);
  Store(write.key, std::move(after));
  return answer;
}

std::optional<ErrorCode> ReferenceTable::BatchError(const BatchWriteOperation& batch) const {
  for (const auto& [key, item] : batch.writes) {
    if (item && !schema_.FitsIndexKeys(*item)) return ErrorCode::kValidation;
  }
  return std::nullopt;
}

Units ReferenceTable::BatchWrite(const BatchWriteOperation& batch) {
  Units units;
  for (const auto& [key, item] : batch.writes) {
    units += WriteUnits(schema_, Find(key), item ? &*item : nullptr);
    Store(key, item);
  }
  return units;
}

std::map<Key, Attributes> ReferenceTable::Entries(const IndexSchema* index) const {
  std::map<Key, Attributes> entries;
  for (const auto& [key, item] : items_) {
    if (std::optional<Attributes> entry = Schema::EntryOf(index, item)) {
      entries[key] = *std::move(entry);
    }
  }
  return entries;
}

std::map<Key, Attributes> ReferenceTable::Selected(const PageOperation& page) const {
  const IndexSchema* index = page.index ? schema_.FindIndex(*page.index) : nullptr;
  std::map<Key, Attributes> entries = Entries(index);
  if (!page.query) return entries;
  std::erase_if(entries, [&](const auto& row) {
    const std::vector<KeyPart>& hash = Schema::HashParts(index);
    for (std::size_t i = 0; i < hash.size(); ++i) {
      if (!(*oracle::Find(row.second, hash[i].name) == page.partition[i])) return true;
    }
    return !SatisfiesSort(index, page.sort, row.second);
  });
  return entries;
}

}  // namespace stator::oracle
