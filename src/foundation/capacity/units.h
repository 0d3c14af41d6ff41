// Bytes to capacity units (behaviour.md §6.5). Pure.
#ifndef STATOR_CAPACITY_UNITS_H_
#define STATOR_CAPACITY_UNITS_H_

#include <cstddef>
#include <cstdint>

namespace stator {

inline constexpr std::size_t kReadBlockBytes = 4096;
inline constexpr std::size_t kWriteBlockBytes = 1024;

// Blocks that `bytes` fill, at least one.
constexpr std::int64_t ReadBlocks(std::size_t bytes) {
  return bytes == 0 ? 1
                    : static_cast<std::int64_t>((bytes + kReadBlockBytes - 1) / kReadBlockBytes);
}
constexpr std::int64_t WriteBlocks(std::size_t bytes) {
  return bytes == 0 ? 1
                    : static_cast<std::int64_t>((bytes + kWriteBlockBytes - 1) / kWriteBlockBytes);
}

// One item read, or the sum of a page: a strongly consistent block costs 1, an eventual one half.
constexpr double ReadUnits(std::int64_t blocks, bool consistent) {
  return static_cast<double>(blocks) * (consistent ? 1.0 : 0.5);
}
constexpr double WriteUnits1KB(std::size_t bytes) {
  return static_cast<double>(WriteBlocks(bytes));
}

}  // namespace stator

#endif  // STATOR_CAPACITY_UNITS_H_
