// What a check found.
#ifndef STATOR_TESTS_ORACLE_VERDICT_H_
#define STATOR_TESTS_ORACLE_VERDICT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "tests/oracle/schema.h"

namespace stator::oracle {

struct Mismatch {
  std::string what;
  std::optional<Key> key;  // the item that it is about, where one can be named
};

// Absent: all is as the reference says.
using Verdict = std::optional<Mismatch>;

#define RETURN_IF_MISMATCH(expression)                             \
  do {                                                             \
    if (auto mismatch_found = (expression)) return mismatch_found; \
  } while (false)

// Counts the rare cases that a run met: a test that never meets them proves nothing about them.

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

}  // namespace stator::oracle

#endif  // STATOR_TESTS_ORACLE_VERDICT_H_
