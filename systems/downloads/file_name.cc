#include "systems/downloads/file_name.h"

#include <algorithm>
#include <charconv>
#include <chrono>

namespace stator::systems::downloads {
namespace {

constexpr std::size_t kDateBytes = 10;
constexpr std::size_t kEntityMax = 40;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

unsigned Number(std::string_view digits) {
  unsigned number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

}  // namespace

bool IsEntityName(std::string_view text) {
  return !text.empty() && text.size() <= kEntityMax && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || IsDigit(c) || c == '_';
  });
}

bool IsDate(std::string_view text) {
  if (text.size() != kDateBytes || text[4] != '-' || text[7] != '-') return false;
  for (const std::size_t at : {0, 1, 2, 3, 5, 6, 8, 9}) {
    if (!IsDigit(text[at])) return false;
  }
  const std::chrono::year_month_day day(
      std::chrono::year(static_cast<int>(Number(text.substr(0, 4)))),
      std::chrono::month(Number(text.substr(5, 2))), std::chrono::day(Number(text.substr(8, 2))));
  return day.ok();
}

std::optional<FileName> ParseFileName(std::string_view id) {
  if (id.size() < kDateBytes + 2 || id[id.size() - kDateBytes - 1] != '-') return std::nullopt;
  FileName name{.entity = std::string(id.substr(0, id.size() - kDateBytes - 1)),
                .date = std::string(id.substr(id.size() - kDateBytes))};
  if (!IsEntityName(name.entity) || !IsDate(name.date)) return std::nullopt;
  return name;
}

}  // namespace stator::systems::downloads
