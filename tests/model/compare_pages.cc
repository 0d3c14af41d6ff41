// What each page of a reading must hold.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tests/model/page_check.h"
#include "tests/model/translate.h"
#include "tests/model/units.h"

namespace stator::model_test {
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
  const Attributes& source = Fetches(way) ? *model_.Find(KeyOf(entry)) : entry;
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
    if (Fetches(way)) fetched += ReadUnits(SizeBytes(*model_.Find(KeyOf(entry))), way.consistent);
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

}  // namespace stator::model_test
