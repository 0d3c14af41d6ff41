#include "partiql/unprojected.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "partiql/key_names.h"

namespace stator::partiql {
namespace {

// DynamoDB lists the names as a hash table of Java yields them: by the lowest bits of a hash that
// is taken over UTF-16, names of one bucket in the order in which they came.
std::uint32_t JavaHash(std::string_view utf8) {
  std::uint32_t hash = 0;
  const auto add = [&hash](std::uint32_t unit) { hash = hash * 31 + unit; };
  for (std::size_t i = 0; i < utf8.size();) {
    const auto lead = static_cast<unsigned char>(utf8[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    std::uint32_t point = length == 1 ? lead : lead & (0xFFU >> (length + 1));
    for (std::size_t k = 1; k < length && i + k < utf8.size(); ++k) {
      point = (point << 6) | (static_cast<unsigned char>(utf8[i + k]) & 0x3F);
    }
    i += length;
    if (point >= 0x10000) {
      add(0xD800 + ((point - 0x10000) >> 10));
      add(0xDC00 + ((point - 0x10000) & 0x3FF));
    } else {
      add(point);
    }
  }
  return hash ^ (hash >> 16);
}

std::vector<std::string> InHashOrder(const std::vector<std::string>& names) {
  std::size_t buckets = 16;
  while (names.size() * 4 > buckets * 3) buckets *= 2;
  std::vector<std::pair<std::size_t, std::size_t>> places;  // bucket, position
  for (std::size_t i = 0; i < names.size(); ++i) {
    places.emplace_back(JavaHash(names[i]) & (buckets - 1), i);
  }
  std::ranges::sort(places);
  std::vector<std::string> ordered;
  for (const auto& [bucket, position] : places) ordered.push_back(names[position]);
  return ordered;
}

std::vector<std::string> MissingNames(const KeyedRead& read,
                                      const std::function<bool(std::string_view)>& is_projected) {
  std::vector<std::string> missing;
  if (!read.filter) return missing;
  for (const Path& path : read.filter->Paths()) {
    const std::string& name = path.front().name;
    if (is_projected(name) || std::ranges::find(missing, name) != missing.end()) continue;
    missing.push_back(name);
  }
  return missing;
}

}  // namespace

std::vector<std::string> UnprojectedFilterNames(
    const ReadPlan& plan, const std::function<bool(std::string_view)>& is_projected) {
  if (plan.has_empty_read) return {};
  std::vector<std::string> greatest_missing;
  std::string greatest;
  for (const KeyedRead& read : plan.reads) {
    std::vector<std::string> missing = MissingNames(read, is_projected);
    if (missing.empty()) return {};
    std::string partition = OrderedBytes(read.partition.value.view());
    if (!greatest_missing.empty() && partition <= greatest) continue;
    greatest = std::move(partition);
    greatest_missing = std::move(missing);
  }
  return InHashOrder(greatest_missing);
}

}  // namespace stator::partiql
