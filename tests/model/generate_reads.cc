#include <algorithm>
#include <iterator>
#include <utility>

#include "tests/model/generator.h"

namespace stator::model_test {

GetOperation Generator::AnyGet() {
  GetOperation get{.batch = random().Chance(40), .consistent = random().Chance(50)};
  get.keys = get.batch ? DistinctKeys(30) : std::vector<Key>{values_.AnyKey()};
  if (random().Chance(40)) get.projection = values_.AnyProjection(RandomValues::AllAttributes());
  get.capacity = AnyCapacity();
  return get;
}

// Null stands for the table.
const IndexSchema* Generator::AnyIndex() {
  const std::vector<IndexSchema>& indexes = model_.schema().indexes();
  const std::size_t choice = random().Below(9);
  if (choice < 6) return &indexes[choice];
  return choice < 7 ? &Schema::LateIndex() : nullptr;
}

void Generator::AddPartition(PageOperation& page, const IndexSchema* index) {
  const std::map<Key, Attributes> entries = model_.Entries(index);
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
  const bool fetches = index && !index->global &&
                       (page.select == Select::kAllAttributes || !page.projection.empty());
  std::vector<std::string> filtered = filterable;
  if (!page.query) filtered.insert(filtered.end(), {"pk", "sk"});
  if (!filtered.empty() && !fetches && random().Chance(35)) {
    page.filter = values_.AnyCondition(filtered, 1);
  }
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

}  // namespace stator::model_test
