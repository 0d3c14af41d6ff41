#include "tests/oracle/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace stator::oracle {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(Case::kCount)> kNames = {
    "write accepted",       "write invalid",
    "condition failed",     "batch accepted",
    "batch refused",        "operation while the late index changes",
    "late index read",      "page stopped by limit",
    "page stopped by size", "page fetched from table",
    "page empty",           "start key refused",
    "segment read",
};

}  // namespace

bool Reached::All() const {
  return std::ranges::none_of(counts_, [](std::uint64_t count) { return count == 0; });
}

std::string Reached::Show() const {
  std::string text;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", kNames[i], counts_[i]);
  }
  return text;
}

}  // namespace stator::oracle
