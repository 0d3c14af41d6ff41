#include "tests/oracle/generator.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace stator::oracle {

namespace {

constexpr std::uint64_t kLargeEvery = 2500;
constexpr std::uint64_t kLargeFor = 150;

}  // namespace

bool Generator::WritesLarge() {
  return generated_ % kLargeEvery >= kLargeEvery - kLargeFor && random().Chance(70);
}

RandomOperation Generator::Next() {
  ++generated_;
  const std::size_t dice = random().Below(1000);
  if (dice < 5) return IndexChange{};
  if (dice < 270) return AnyPut();
  if (dice < 550) return AnyUpdate();
  if (dice < 640) return AnyDelete();
  if (dice < 670) return AnyBatchWrite();
  if (dice < 770) return AnyGet();
  if (dice < 930) return AnyQuery();
  return AnyScan();
}

ReturnConsumedCapacity Generator::AnyCapacity() {
  if (random().Chance(70)) return ReturnConsumedCapacity::kIndexes;
  return random().Chance(50) ? ReturnConsumedCapacity::kTotal : ReturnConsumedCapacity::kNone;
}

std::vector<Key> Generator::DistinctKeys(std::size_t count_max) {
  std::vector<Key> keys;
  for (std::size_t i = 1 + random().Below(count_max); i > 0; --i) {
    const Key key = values_.AnyKey();
    if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
  }
  return keys;
}

void Generator::AddConditionAndAnswer(WriteOperation& write) {
  static const std::vector<ReturnValues> updates = {
      ReturnValues::kNone, ReturnValues::kAllOld, ReturnValues::kUpdatedOld, ReturnValues::kAllNew,
      ReturnValues::kUpdatedNew};
  if (write.form == WriteOperation::Form::kUpdate) {
    write.returned = random().Pick(updates);
  } else if (random().Chance(60)) {
    write.returned = ReturnValues::kAllOld;
  }
  if (random().Chance(30)) {
    std::vector<std::string> attributes = RandomValues::AllAttributes();
    attributes.insert(attributes.end(), {"pk", "sk"});
    write.condition = values_.AnyCondition(attributes, 2);
    write.item_on_failure = random().Chance(50);
  }
  write.metrics = random().Chance(20);
  write.capacity = AnyCapacity();
}

WriteOperation Generator::AnyPut() {
  WriteOperation write{.form = WriteOperation::Form::kPut, .key = values_.AnyKey()};
  const Attributes* stored = reference_.Find(write.key);
  if (stored && random().Chance(10)) {
    // The same again, or nearly: indexes whose entry stays must not be charged.
    write.item = *stored;
    const std::string changed = random().Chance(50) ? "note" : "big";
    if (random().Chance(60)) write.item[changed] = values_.AnyValueFor(changed);
  } else {
    write.item = values_.AnyItem(write.key, WritesLarge());
  }
  AddConditionAndAnswer(write);
  return write;
}

WriteOperation Generator::AnyDelete() {
  WriteOperation write{.form = WriteOperation::Form::kDelete, .key = values_.AnyKey()};
  AddConditionAndAnswer(write);
  return write;
}

WriteOperation Generator::AnyUpdate() {
  WriteOperation write{.form = WriteOperation::Form::kUpdate, .key = values_.AnyKey()};
  if (random().Chance(15)) {
    write.update = AnySiblingActions();
  } else {
    std::vector<std::string> attributes;
    for (std::size_t i = random().Below(4); i > 0; --i) {
      const std::string& attribute = random().Pick(RandomValues::AllAttributes());
      if (std::ranges::find(attributes, attribute) != attributes.end()) continue;
      attributes.push_back(attribute);
      write.update.push_back(AnyAction(attribute));
    }
  }
  AddConditionAndAnswer(write);
  return write;
}

// Several actions on neighbours: elements of one list, or entries of one map.
Update Generator::AnySiblingActions() {
  static const std::vector<std::string> names = {"a", "b", "c", "list"};
  const std::size_t place = random().Below(3);
  Update update;
  for (std::size_t i = 0; i < 4; ++i) {
    if (!random().Chance(60)) continue;
    Path target{place == 0 ? "list" : "doc", {}};
    if (place == 1) target.below.emplace_back(std::string("list"));
    if (place == 2) {
      target.below.emplace_back(names[i]);
    } else {
      target.below.emplace_back(i * (random().Chance(20) ? 3 : 1));
    }
    const bool taken = std::ranges::any_of(
        update, [&](const UpdateAction& action) { return action.target == target; });
    if (taken) continue;
    if (random().Chance(40)) {
      update.push_back({.form = UpdateAction::Form::kRemove, .target = target});
    } else {
      update.push_back(AnySetAction(target));
    }
  }
  return update;
}

UpdateAction Generator::AnySetAction(const Path& target) {
  const std::vector<std::string>& all = RandomValues::AllAttributes();
  UpdateAction action{.form = UpdateAction::Form::kSet, .target = target};
  const std::size_t dice = random().Below(100);
  if (dice < 55) {
    action.first.value = values_.AnyValueFor(target.below.empty() ? target.attribute : "note");
  } else if (dice < 65) {
    action.first.path = values_.AnyPath(all);
  } else if (dice < 75) {
    action.first.path = random().Chance(50) ? target : values_.AnyPath(all);
    action.first.value = values_.AnyValueFor(target.attribute);
  } else if (dice < 90) {
    action.form = random().Chance(50) ? UpdateAction::Form::kSetSum : UpdateAction::Form::kSetLess;
    action.first.path = random().Chance(60) ? target : Path{"count", {}};
    if (random().Chance(60)) action.first.value = values_.AnyNumber();
    action.second.value = values_.AnyNumber();
  } else {
    action.form = UpdateAction::Form::kSetAppend;
    action.first.path = random().Chance(60) ? target : Path{"list", {}};
    if (random().Chance(60)) action.first.value = Value::List({});
    action.second.value = Value::List({values_.AnyValue(1)});
    if (random().Chance(30)) std::swap(action.first, action.second);
  }
  return action;
}

UpdateAction Generator::AnyAction(const std::string& attribute) {
  static const std::vector<Kind> sets = {Kind::kSS, Kind::kNS, Kind::kBS};
  const Path target = values_.AnyPath({attribute});
  const bool in_list = !target.below.empty() && target.below.back().index() == 1;
  const std::size_t dice = random().Below(100);
  if (dice < 25) return {.form = UpdateAction::Form::kRemove, .target = target};
  if (dice < 55 && !in_list) {
    const bool number = attribute == "count" || attribute == "score" || random().Chance(20);
    const Kind set = attribute == "tags"   ? Kind::kSS
                     : attribute == "nums" ? Kind::kNS
                     : attribute == "bins" ? Kind::kBS
                                           : random().Pick(sets);
    if (number) {
      return {.form = UpdateAction::Form::kAdd,
              .target = target,
              .first = {.value = values_.AnyNumber()}};
    }
    return {.form = random().Chance(50) ? UpdateAction::Form::kAdd : UpdateAction::Form::kDelete,
            .target = target,
            .first = {.value = values_.AnySet(set)}};
  }
  return AnySetAction(target);
}

BatchWriteOperation Generator::AnyBatchWrite() {
  BatchWriteOperation batch{.capacity = AnyCapacity()};
  for (const Key& key : DistinctKeys(25)) {
    std::optional<Attributes> item;
    if (random().Chance(70)) item = values_.AnyItem(key, WritesLarge());
    // Of many items one would nearly always be refused, and with it the batch.
    if (item && !reference_.schema().FitsIndexKeys(*item) && random().Chance(90)) item.reset();
    batch.writes.emplace_back(key, std::move(item));
  }
  return batch;
}

GetOperation Generator::AnyGet() {
  GetOperation get{.batch = random().Chance(40), .consistent = random().Chance(50)};
  get.keys = get.batch ? DistinctKeys(30) : std::vector<Key>{values_.AnyKey()};
  if (random().Chance(40)) get.projection = values_.AnyProjection(RandomValues::AllAttributes());
  get.capacity = AnyCapacity();
  return get;
}

// Null stands for the table.
const IndexSchema* Generator::AnyIndex() {
  const std::vector<IndexSchema>& indexes = reference_.schema().indexes();
  const std::size_t choice = random().Below(9);
  if (choice < 6) return &indexes[choice];
  return choice < 7 ? &Schema::LateIndex() : nullptr;
}

void Generator::AddPartition(PageOperation& page, const IndexSchema* index) {
  const std::map<Key, Attributes> entries = reference_.Entries(index);
  const bool known = !entries.empty() && random().Chance(85);
  const Attributes* entry =
      known ? &std::next(entries.begin(), static_cast<long>(random().Below(entries.size())))->second
            : nullptr;
  for (const KeyPart& part : Schema::HashParts(index)) {
    Value value = entry               ? *Find(*entry, part.name)
                  : part.name == "pk" ? Value::S(values_.AnyKey().pk)
                                      : values_.AnyKeyValue(part);
    page.partition.push_back(part.kind == Kind::kN ? values_.Respelled(value) : std::move(value));
  }
}

Value Generator::AnySortValue(const KeyPart& part) {
  return part.name == "sk" ? values_.AnyKey().sk : values_.AnyKeyValue(part);
}

SortTerm Generator::AnySortTerm(const KeyPart& part, bool last) {
  static const std::vector<std::string> all = {"=", "<", "<=", ">", ">=", "BETWEEN", "begins_with"};
  SortTerm term{.comparator = last ? random().Pick(all) : "=", .values = {AnySortValue(part)}};
  if (term.comparator == "begins_with" && part.kind == Kind::kN) term.comparator = ">=";
  if (term.comparator == "BETWEEN") {
    term.values.push_back(AnySortValue(part));
    if (CompareScalars(term.values[0], term.values[1]) > 0) {
      std::swap(term.values[0], term.values[1]);
    }
  }
  return term;
}

void Generator::AddSort(PageOperation& page, const IndexSchema* index) {
  const std::vector<KeyPart>& range = Schema::RangeParts(index);
  if (range.empty() || random().Chance(35)) return;
  const std::size_t used = 1 + random().Below(range.size());
  for (std::size_t i = 0; i < used; ++i) {
    page.sort.push_back(AnySortTerm(range[i], i + 1 == used));
  }
}

std::vector<std::string> Generator::FilterAttributes(const IndexSchema* index) const {
  std::vector<std::string> attributes;
  for (const std::string& name : RandomValues::PlainAttributes()) {
    if (Schema::Projects(index, name)) attributes.push_back(name);
  }
  return attributes;
}

// Filter, Select, projection, limit, where to start.
void Generator::AddShape(PageOperation& page, const IndexSchema* index) {
  page.capacity = AnyCapacity();
  page.consistent = (!index || !index->global) && random().Chance(40);
  if (random().Chance(60)) page.limit = 1 + random().Below(random().Chance(70) ? 6 : 40);
  if (random().Chance(25)) page.start_fraction = random().Fraction();

  const bool sees_all = !index || !index->global || index->projection == ProjectionType::kAll;
  const std::vector<std::string> filterable = FilterAttributes(index);
  switch (random().Below(8)) {
    case 0:
      page.select = Select::kCount;
      break;
    case 1:
      if (index) page.select = Select::kAllProjectedAttributes;
      break;
    case 2:
      if (sees_all) page.select = Select::kAllAttributes;
      break;
    case 3:
    case 4: {
      std::vector<std::string> visible = sees_all ? RandomValues::PlainAttributes() : filterable;
      visible.insert(visible.end(), {"pk", "sk"});
      page.projection = values_.AnyProjection(visible);
      if (random().Chance(30)) page.select = Select::kSpecificAttributes;
      break;
    }
    default:
      break;
  }
  // A Scan may filter on its keys and on what the index does not hold, a Query on neither.
  std::vector<std::string> filtered = page.query ? filterable : RandomValues::PlainAttributes();
  if (!page.query) filtered.insert(filtered.end(), {"pk", "sk"});
  if (!filtered.empty() && random().Chance(35)) page.filter = values_.AnyCondition(filtered, 1);
}

PageOperation Generator::AnyQuery() {
  const IndexSchema* index = AnyIndex();
  PageOperation page{.query = true, .forward = random().Chance(55)};
  if (index) page.index = index->name;
  AddPartition(page, index);
  AddSort(page, index);
  AddShape(page, index);
  if (!index && random().Chance(25)) {
    page.start_fraction.reset();
    page.start_key = Key{page.partition[0].text, values_.AnyKey().sk};
  }
  return page;
}

PageOperation Generator::AnyScan() {
  const IndexSchema* index = AnyIndex();
  PageOperation page;
  if (index) page.index = index->name;
  AddShape(page, index);
  if (random().Chance(50)) {
    static const std::vector<std::int64_t> counts = {1, 2, 3, 4, 7, 50};
    page.total_segments = random().Pick(counts);
    page.segment =
        static_cast<std::int64_t>(random().Below(static_cast<std::size_t>(*page.total_segments)));
  }
  if (!index && !page.total_segments && random().Chance(25)) {
    page.start_fraction.reset();
    page.start_key = values_.AnyKey();
  }
  return page;
}

}  // namespace stator::oracle
