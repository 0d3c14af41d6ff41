#include "storage/log_numbers.h"

#include <limits>

#include "base/try.h"

namespace stator {
namespace {

constexpr std::size_t kNumberBytes = 8;

std::uint64_t NumberOf(std::string_view log_key) {
  std::uint64_t number = 0;
  for (const char byte : log_key.substr(log_key.size() - kNumberBytes)) {
    number = number << 8 | static_cast<unsigned char>(byte);
  }
  return number;
}

}  // namespace

StorageResult<std::uint64_t> LogNumbers::Take(std::string_view log) {
  auto found = last_.find(std::string(log));
  if (found == last_.end()) {
    ASSIGN_OR_RETURN(const std::uint64_t stored, LastStored(log));
    found = last_.emplace(log, stored).first;
  }
  taken_.push_back(&found->second);
  return ++found->second;
}

void LogNumbers::GiveBack() {
  for (std::uint64_t* last : taken_) --*last;
  taken_.clear();
}

StorageResult<std::uint64_t> LogNumbers::LastStored(std::string_view log) const {
  KeyRange range{.begin = LogKey(log, 0),
                 .end = LogKey(log, std::numeric_limits<std::uint64_t>::max())};
  range.end.push_back('\0');
  std::uint64_t last = 0;
  RETURN_IF_ERROR(
      store_.Scan(range, Direction::kReverse, [&](std::string_view key, std::string_view) {
        // Longer keys with the same beginning can lie between the records.
        if (key.size() != log.size() + kNumberBytes) return true;
        last = NumberOf(key);
        return false;
      }));
  return last;
}

}  // namespace stator
