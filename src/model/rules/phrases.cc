#include "model/rules/phrases.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace stator::model {
namespace {

constexpr std::size_t kLongestWord = 64;

char Lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Letters to insert, remove or replace, case aside.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (Lower(a[i]) == Lower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string ListText(const std::vector<std::string>& names) {
  if (names.empty()) return "nothing";
  std::string text = names.front();
  for (std::size_t i = 1; i < names.size(); ++i) {
    text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

std::string YamlList(const std::vector<std::string>& names) {
  return fmt::format("[{}]", fmt::join(names, ", "));
}

std::string IndexTarget(const Table& table, const Index& index) {
  return table.id + "." + index.name;
}

std::string ProjectionText(const Projection& projection) {
  switch (projection.kind) {
    case Projection::Kind::kAll:
      return "all";
    case Projection::Kind::kKeysOnly:
      return "keys";
    case Projection::Kind::kInclude:
      return YamlList(projection.attributes);
  }
  return "";
}

std::string DurationText(std::chrono::seconds duration) {
  static constexpr std::array<std::pair<std::int64_t, char>, 4> kUnits = {
      {{86400, 'd'}, {3600, 'h'}, {60, 'm'}, {1, 's'}}};
  const std::int64_t count = duration.count();
  for (const auto& [length, letter] : kUnits) {
    if (count != 0 && count % length == 0) return fmt::format("{}{}", count / length, letter);
  }
  return "0s";
}

std::string FigureText(double figure) {
  if (figure >= 1e6) return fmt::format("{:.3g} million", figure / 1e6);
  if (figure >= 100) return fmt::format("{:.0f}", figure);
  return fmt::format("{:.2g}", figure);
}

std::string_view Nearest(std::string_view word, const std::vector<std::string_view>& names) {
  if (word.size() > kLongestWord) return {};
  std::string_view nearest;
  std::size_t least = word.size() / 3 + 1;
  for (const std::string_view name : names) {
    if (name.size() > kLongestWord) continue;
    const std::size_t distance = EditDistance(word, name);
    if (distance > least || (distance == least && !nearest.empty())) continue;
    nearest = name;
    least = distance;
  }
  return nearest;
}

}  // namespace stator::model
