#include "model/names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace stator::model {
namespace {

// Longer names are cut: the work must stay small whatever a file holds.
constexpr std::size_t kLongestName = 64;
constexpr std::size_t kMostListed = 12;
constexpr std::size_t kMostCompared = 2000;

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool Same(char a, char b) { return Lower(a) == Lower(b); }

}  // namespace

std::string List(std::span<const std::string> names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

std::size_t EditDistance(std::string_view left, std::string_view right) {
  left = left.substr(0, kLongestName);
  right = right.substr(0, kLongestName);
  std::vector<std::size_t> before(right.size() + 1);
  std::vector<std::size_t> above(right.size() + 1);
  std::vector<std::size_t> row(right.size() + 1);
  for (std::size_t j = 0; j <= right.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= left.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const std::size_t change = Same(left[i - 1], right[j - 1]) ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + change});
      if (i > 1 && j > 1 && Same(left[i - 1], right[j - 2]) && Same(left[i - 2], right[j - 1])) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[right.size()];
}

bool OneEditApart(std::string_view left, std::string_view right) {
  if (left.size() > right.size()) std::swap(left, right);
  if (right.size() - left.size() > 1) return false;
  const auto [l, r] = std::ranges::mismatch(left, right, Same);
  if (r == right.end()) return false;  // equal
  const std::string_view left_rest(l, left.end());
  const std::string_view right_rest(r, right.end());
  const auto same = [](std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, Same);
  };
  if (left.size() < right.size()) return same(left_rest, right_rest.substr(1));
  if (same(left_rest.substr(1), right_rest.substr(1))) return true;
  return left_rest.size() > 1 && Same(left_rest[0], right_rest[1]) &&
         Same(left_rest[1], right_rest[0]) && same(left_rest.substr(2), right_rest.substr(2));
}

std::string_view NearestName(std::string_view name, std::span<const std::string_view> valid) {
  std::string_view nearest;
  std::size_t least = std::min<std::size_t>(3, (name.size() + 2) / 3) + 1;
  for (const std::string_view candidate : valid.first(std::min(valid.size(), kMostCompared))) {
    const std::size_t longer = std::max(name.size(), candidate.size());
    if (longer - std::min(name.size(), candidate.size()) >= least) continue;
    const std::size_t distance = EditDistance(name, candidate);
    if (distance < least && distance < candidate.size()) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string NameHint(std::string_view name, std::span<const std::string_view> valid) {
  const std::string_view nearest = NearestName(name, valid);
  if (!nearest.empty()) return fmt::format("did you mean `{}`?", nearest);
  if (valid.empty() || valid.size() > kMostListed) return "";
  return fmt::format("one of {}", fmt::join(valid, ", "));
}

}  // namespace stator::model
