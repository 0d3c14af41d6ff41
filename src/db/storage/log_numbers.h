// LogNumbers: which number the next record of a log gets.
#ifndef STATOR_STORAGE_LOG_NUMBERS_H_
#define STATOR_STORAGE_LOG_NUMBERS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "storage/store.h"

namespace stator {

// Reads a log's last number from the store when it first hears of the log, and counts from there.
// The caller orders the calls.
class LogNumbers {
 public:
  explicit LogNumbers(const Store& store) : store_(store) {}

  // The next number of the log, taken until GiveBack.
  StorageResult<std::uint64_t> Take(std::string_view log);
  // The numbers taken since the last Keep or GiveBack are used.
  void Keep() { taken_.clear(); }
  // The numbers taken since the last Keep or GiveBack are free again.
  void GiveBack();

 private:
  StorageResult<std::uint64_t> LastStored(std::string_view log) const;

  const Store& store_;
  std::unordered_map<std::string, std::uint64_t> last_;
  std::vector<std::uint64_t*> taken_;  // into last_, whose values do not move
};

}  // namespace stator

#endif  // STATOR_STORAGE_LOG_NUMBERS_H_
