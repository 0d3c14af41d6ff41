// Counts the rare cases that a run met: a test that never meets them proves nothing about them.
#ifndef STATOR_TESTS_MODEL_REACHED_H_
#define STATOR_TESTS_MODEL_REACHED_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace stator::model_test {

enum class Case : std::uint8_t {
  kWriteAccepted,
  kWriteInvalid,
  kConditionFailed,
  kBatchAccepted,
  kBatchRefused,
  kLateIndexChanging,
  kLateIndexRead,
  kPageStoppedByLimit,
  kPageStoppedBySize,
  kPageFetchedFromTable,
  kPageEmpty,
  kStartKeyRefused,
  kSegmentRead,
  kCount,
};

class Reached {
 public:
  void Count(Case which) { ++counts_[static_cast<std::size_t>(which)]; }
  bool All() const;
  // "write accepted 4711, write invalid 815, …"
  std::string Show() const;

 private:
  std::array<std::uint64_t, static_cast<std::size_t>(Case::kCount)> counts_{};
};

}  // namespace stator::model_test

#endif  // STATOR_TESTS_MODEL_REACHED_H_
