#include "tests/oracle/page_check.h"

#include <fmt/format.h>
#include <algorithm>
#include <utility>

#include "tests/oracle/translate.h"
#include "tests/oracle/units.h"

namespace stator::oracle {

namespace {

std::optional<Key> KeyIn(const Attributes& item) {
  if (!Find(item, "pk") || !Find(item, "sk")) return std::nullopt;
  return KeyOf(item);
}

Attributes Position(const IndexSchema* index, const Attributes& entry) {
  Attributes position;
  for (const std::string& name : Schema::PositionNames(index)) position[name] = *Find(entry, name);
  return position;
}

std::vector<Attributes> AllItems(const std::vector<PageResponse>& pages) {
  std::vector<Attributes> items;
  for (const PageResponse& page : pages) {
    for (std::size_t i = 0; page.items && i < page.items->size(); ++i) {
      items.push_back(FromLibrary((*page.items)[i]));
    }
  }
  return items;
}

}  // namespace

PageCheck::PageCheck(Database& database, const ReferenceTable& reference,
                     const PageOperation& operation, Reached& reached)
    : database_(database),
      reference_(reference),
      operation_(operation),
      index_(operation.index ? reference.schema().FindIndex(*operation.index) : nullptr),
      reached_(reached) {}

Result<PageResponse> PageCheck::Send(const PageOperation& way,
                                     const std::optional<Attributes>& start) {
  if (way.query) return database_.Query(QueryRequestFor(way, index_, start));
  return database_.Scan(ScanRequestFor(way, start));
}

Verdict PageCheck::Read(const PageOperation& way, const std::optional<Attributes>& start,
                        std::vector<PageResponse>& pages) {
  const std::size_t pages_max = reference_.items().size() + 2;
  std::optional<Attributes> behind = start;
  do {
    Result<PageResponse> page = Send(way, behind);
    if (!page) {
      return Mismatch{fmt::format("refused, {}: {}", page.error().name(), page.error().message()),
                      std::nullopt};
    }
    behind = FromLibrary(page->last_evaluated_key);
    pages.push_back(*std::move(page));
    if (pages.size() > pages_max) return Mismatch{"the pages do not end", std::nullopt};
  } while (behind);
  return std::nullopt;
}

PageOperation PageCheck::PlainWay() const {
  PageOperation plain;
  plain.query = operation_.query;
  plain.index = operation_.index;
  plain.partition = operation_.partition;
  plain.sort = operation_.sort;
  plain.capacity = ReturnConsumedCapacity::kIndexes;
  return plain;
}

// Every entry of the reference exactly once, and nothing else.
Verdict PageCheck::CompareWithModel(const std::vector<Attributes>& found) const {
  std::map<Key, Attributes> expected = reference_.Selected(operation_);
  for (const Attributes& entry : found) {
    const std::optional<Key> key = KeyIn(entry);
    if (!key) return Mismatch{"an entry without keys: " + Show(entry), std::nullopt};
    const auto match = expected.find(*key);
    if (match == expected.end()) return Mismatch{"an entry too many: " + Show(entry), key};
    if (match->second != entry) {
      return Mismatch{fmt::format("an entry differs\n    answered {}\n    expected {}", Show(entry),
                                  Show(match->second)),
                      key};
    }
    expected.erase(match);
  }
  if (expected.empty()) return std::nullopt;
  const auto& [key, entry] = *expected.begin();
  return Mismatch{"an entry is missing: " + Show(entry), key};
}

// Partitions in one piece, and in order inside.
Verdict PageCheck::CompareNeighbours(const std::vector<Attributes>& found) const {
  std::vector<const Attributes*> partitions;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const bool same = i > 0 && Schema::SamePartition(index_, found[i - 1], found[i]);
    if (same && Schema::CompareEntries(index_, found[i - 1], found[i]) > 0) {
      return Mismatch{fmt::format("out of order: {} before {}", Show(found[i - 1]), Show(found[i])),
                      KeyIn(found[i])};
    }
    if (same) continue;
    const bool again = std::ranges::any_of(partitions, [&](const Attributes* other) {
      return Schema::SamePartition(index_, *other, found[i]);
    });
    if (again) return Mismatch{"a partition in pieces: " + Show(found[i]), KeyIn(found[i])};
    partitions.push_back(&found[i]);
  }
  return std::nullopt;
}

Verdict PageCheck::LearnOrder() {
  const PageOperation plain = PlainWay();
  std::vector<PageResponse> pages;
  RETURN_IF_MISMATCH(Read(plain, std::nullopt, pages));
  order_ = AllItems(pages);
  RETURN_IF_MISMATCH(CompareWithModel(order_));
  RETURN_IF_MISMATCH(CompareNeighbours(order_));
  return ComparePages(plain, order_, pages);
}

// Together the segments hold every entry once, each in the order of the whole.
Verdict PageCheck::CheckSegments() {
  std::vector<bool> seen(order_.size(), false);
  std::vector<Attributes> chosen;
  for (std::int64_t segment = 0; segment < *operation_.total_segments; ++segment) {
    PageOperation way = PlainWay();
    way.total_segments = operation_.total_segments;
    way.segment = segment;
    std::vector<PageResponse> pages;
    RETURN_IF_MISMATCH(Read(way, std::nullopt, pages));
    const std::vector<Attributes> entries = AllItems(pages);
    auto position = order_.begin();
    for (const Attributes& entry : entries) {
      position = std::find(position, order_.end(), entry);
      if (position == order_.end()) {
        return Mismatch{
            fmt::format("segment {}: {} is not there or out of order", segment, Show(entry)),
            KeyIn(entry)};
      }
      if (seen[static_cast<std::size_t>(position - order_.begin())]) {
        return Mismatch{"in two segments: " + Show(entry), KeyIn(entry)};
      }
      seen[static_cast<std::size_t>(position - order_.begin())] = true;
    }
    RETURN_IF_MISMATCH(ComparePages(way, entries, pages));
    reached_.Count(Case::kSegmentRead);
    if (segment == operation_.segment) chosen = entries;
  }
  const auto missing = std::ranges::find(seen, false);
  if (missing != seen.end()) {
    const Attributes& entry = order_[static_cast<std::size_t>(missing - seen.begin())];
    return Mismatch{"in no segment: " + Show(entry), KeyIn(entry)};
  }
  order_ = std::move(chosen);
  return std::nullopt;
}

// A key of the table that need not exist: what lies behind it in its partition, and the partitions
// after.
std::optional<Attributes> PageCheck::BeginBehindKey() {
  const Attributes key = AsAttributes(*operation_.start_key);
  const auto in_partition = [&](const Attributes& entry) {
    return Schema::SamePartition(nullptr, entry, key);
  };
  const auto first = std::ranges::find_if(order_, in_partition);
  // Where an unknown partition would stand cannot be told from outside.
  if (first == order_.end() && !operation_.query) return std::nullopt;
  const auto behind = std::find_if(first, order_.end(), [&](const Attributes& entry) {
    if (!in_partition(entry)) return true;
    const std::strong_ordering order = Schema::CompareEntries(nullptr, entry, key);
    return operation_.forward ? order > 0 : order < 0;
  });
  order_.erase(order_.begin(), behind);
  return key;
}

std::optional<Attributes> PageCheck::Begin() {
  if (operation_.start_key) return BeginBehindKey();
  if (!operation_.start_fraction || order_.empty()) return std::nullopt;
  const auto at =
      static_cast<std::ptrdiff_t>(*operation_.start_fraction * static_cast<double>(order_.size()));
  const Attributes position = Position(index_, order_[static_cast<std::size_t>(at)]);
  order_.erase(order_.begin(), order_.begin() + at + 1);
  return position;
}

Verdict PageCheck::Run() {
  RETURN_IF_MISMATCH(LearnOrder());
  if (operation_.total_segments) RETURN_IF_MISMATCH(CheckSegments());
  if (!operation_.forward) std::ranges::reverse(order_);
  if (operation_.query && operation_.start_key &&
      !SatisfiesSort(nullptr, operation_.sort, AsAttributes(*operation_.start_key))) {
    reached_.Count(Case::kStartKeyRefused);
    const Result<PageResponse> answer = Send(operation_, AsAttributes(*operation_.start_key));
    if (!answer && answer.error().code() == ErrorCode::kValidation) return std::nullopt;
    return Mismatch{"accepted a starting key outside of the key condition", operation_.start_key};
  }
  const std::optional<Attributes> start = Begin();
  std::vector<PageResponse> pages;
  RETURN_IF_MISMATCH(Read(operation_, start, pages));
  return ComparePages(operation_, order_, pages);
}

// What each page of a reading must hold.

namespace {

constexpr std::size_t kPageBytesMax = 1'048'576;

// How many of the entries one page evaluates, and whether it stops there.
std::pair<std::size_t, bool> PageLength(std::span<const Attributes> entries,
                                        std::optional<std::int64_t> limit) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    bytes += SizeBytes(entries[i]);
    if (bytes >= kPageBytesMax || (limit && i + 1 == static_cast<std::size_t>(*limit))) {
      return {i + 1, true};
    }
  }
  return {entries.size(), false};
}

}  // namespace

// A local index completes its entries from the table when more is asked for than it projects.
bool PageCheck::Fetches(const PageOperation& way) const {
  if (!index_ || index_->global || index_->projection == ProjectionType::kAll) return false;
  if (way.select == Select::kAllAttributes) return true;
  return std::ranges::any_of(
      way.projection, [&](const Path& path) { return !Schema::Projects(index_, path.attribute); });
}

Attributes PageCheck::Visible(const PageOperation& way, const Attributes& entry) const {
  const Attributes& source = Fetches(way) ? *reference_.Find(KeyOf(entry)) : entry;
  return way.projection.empty() ? source : Project(source, way.projection);
}

Verdict PageCheck::ComparePages(const PageOperation& way, const std::vector<Attributes>& order,
                                const std::vector<PageResponse>& pages) const {
  std::span<const Attributes> rest = order;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const auto [length, stopped] = PageLength(rest, way.limit);
    Verdict verdict = ComparePage(way, rest.first(length), stopped, pages[i]);
    if (verdict) {
      verdict->what = fmt::format("page {}: {}", i + 1, verdict->what);
      return verdict;
    }
    rest = rest.subspan(length);
    if (length == 0) reached_.Count(Case::kPageEmpty);
    if (Fetches(way) && length > 0) reached_.Count(Case::kPageFetchedFromTable);
    if (stopped) {
      const bool by_limit = way.limit && length == static_cast<std::size_t>(*way.limit);
      reached_.Count(by_limit ? Case::kPageStoppedByLimit : Case::kPageStoppedBySize);
    }
  }
  return std::nullopt;
}

Verdict PageCheck::ComparePage(const PageOperation& way, std::span<const Attributes> entries,
                               bool stopped, const PageResponse& page) const {
  if (page.scanned_count != static_cast<std::int64_t>(entries.size())) {
    return Mismatch{fmt::format("ScannedCount {}, expected {}", page.scanned_count, entries.size()),
                    std::nullopt};
  }
  std::optional<Attributes> last;
  if (stopped) {
    last.emplace();
    for (const std::string& name : Schema::PositionNames(index_)) {
      (*last)[name] = *Find(entries.back(), name);
    }
  }
  if (FromLibrary(page.last_evaluated_key) != last) {
    return Mismatch{fmt::format("LastEvaluatedKey {}, expected {}",
                                Show(FromLibrary(page.last_evaluated_key)), Show(last)),
                    std::nullopt};
  }
  RETURN_IF_MISMATCH(CompareItems(way, entries, page));

  std::size_t bytes = 0;
  double fetched = 0;
  for (const Attributes& entry : entries) {
    bytes += SizeBytes(entry);
    if (Fetches(way))
      fetched += ReadUnits(SizeBytes(*reference_.Find(KeyOf(entry))), way.consistent);
  }
  Units units = PageUnits(index_, bytes, way.consistent);
  units.table += fetched;
  const std::string difference = Difference(units, way.capacity, page.consumed_capacity, "");
  if (!difference.empty()) return Mismatch{difference, std::nullopt};
  return std::nullopt;
}

Verdict PageCheck::CompareItems(const PageOperation& way, std::span<const Attributes> entries,
                                const PageResponse& page) const {
  std::vector<const Attributes*> passed;
  for (const Attributes& entry : entries) {
    if (!way.filter || Holds(*way.filter, entry)) passed.push_back(&entry);
  }
  if (page.count != static_cast<std::int64_t>(passed.size())) {
    return Mismatch{fmt::format("Count {}, expected {}", page.count, passed.size()), std::nullopt};
  }
  const bool count_only = way.select == Select::kCount;
  if (page.items.has_value() == count_only) return Mismatch{"Items present or not", std::nullopt};
  if (count_only) return std::nullopt;
  if (page.items->size() != passed.size())
    return Mismatch{"Count is not that of Items", std::nullopt};
  for (std::size_t i = 0; i < passed.size(); ++i) {
    const Attributes item = FromLibrary((*page.items)[i]);
    const Attributes expected = Visible(way, *passed[i]);
    if (item != expected) {
      return Mismatch{
          fmt::format("item {}\n    answered {}\n    expected {}", i, Show(item), Show(expected)),
          KeyOf(*passed[i])};
    }
  }
  return std::nullopt;
}

namespace {

template <class Request>
void FillShape(const PageOperation& way, const std::optional<Attributes>& start,
               Placeholders& placeholders, Request& request) {
  request.table_name = kTableName;
  request.index_name = way.index;
  request.limit = way.limit;
  if (way.select) request.select = *way.select;
  if (way.consistent) request.consistent_read = true;
  if (start) request.exclusive_start_key = ToLibrary(*start);
  request.return_consumed_capacity = way.capacity;
  if (way.filter) request.filter_expression = Text(*way.filter, placeholders);
  if (!way.projection.empty()) {
    request.projection_expression = placeholders.Paths(way.projection);
  }
  request.expression_attribute_names = placeholders.names();
  request.expression_attribute_values = placeholders.values();
}

std::string TermText(const std::string& name, const SortTerm& term, Placeholders& placeholders) {
  const std::string first = placeholders.Value(term.values[0]);
  if (term.comparator == "begins_with") return fmt::format("begins_with({}, {})", name, first);
  if (term.comparator != "BETWEEN") return fmt::format("{} {} {}", name, term.comparator, first);
  return fmt::format("{} BETWEEN {} AND {}", name, first, placeholders.Value(term.values[1]));
}

}  // namespace

QueryRequest QueryRequestFor(const PageOperation& way, const IndexSchema* index,
                             const std::optional<Attributes>& start) {
  Placeholders placeholders;
  std::string condition;
  for (std::size_t i = 0; i < way.partition.size(); ++i) {
    condition += fmt::format("{}{} = {}", i == 0 ? "" : " AND ",
                             placeholders.Name(Schema::HashParts(index)[i].name),
                             placeholders.Value(way.partition[i]));
  }
  for (std::size_t i = 0; i < way.sort.size(); ++i) {
    const std::string name = placeholders.Name(Schema::RangeParts(index)[i].name);
    condition += " AND " + TermText(name, way.sort[i], placeholders);
  }
  QueryRequest request;
  request.key_condition_expression = condition;
  if (!way.forward) request.scan_index_forward = false;
  FillShape(way, start, placeholders, request);
  return request;
}

ScanRequest ScanRequestFor(const PageOperation& way, const std::optional<Attributes>& start) {
  Placeholders placeholders;
  ScanRequest request;
  request.total_segments = way.total_segments;
  if (way.total_segments) request.segment = way.segment;
  FillShape(way, start, placeholders, request);
  return request;
}

}  // namespace stator::oracle
