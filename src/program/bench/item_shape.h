// The items that the load consists of, and how their keys are written.
//
// An item has its key attributes, a counter (visits, N), a price (N), a flag (BOOL) and as many
// random texts (field00, field01, …) as make up the wished number of attributes and bytes. Numbers of
// items are written with a fixed number of digits, so that every request of a kind has the same
// length.
#ifndef STATOR_BENCH_ITEM_SHAPE_H_
#define STATOR_BENCH_ITEM_SHAPE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "bench/prng.h"

namespace stator::bench {

inline constexpr std::size_t kKeyDigits = 12;
inline constexpr int kIndexCountMax = 3;
inline constexpr std::string_view kPartitionKeyPrefix = "user";

struct ItemShape {
  std::size_t item_bytes = 1024;  // as DynamoDB counts them; the texts are never shorter than one
  std::size_t attributes = 12;    // at least those that are not texts, and one text
  bool has_sort_key = false;
  int index_count = 0;  // attributes gsi1 …, the partition keys of as many indexes
};

using KeyText = std::array<char, kKeyDigits>;

// The last kKeyDigits decimal digits of `number`.
KeyText KeyTextOf(std::uint64_t number);
void WriteKeyText(char* out, std::uint64_t number);

// What an item is called: digits, or the marks of holes to be filled in later.
struct ItemKey {
  std::string_view partition;
  std::string_view sort;
};

// {"pk":{"S":"user000000000001"},…}: the item as JSON, without blanks.
void AppendItemJson(std::string& out, const ItemShape& shape, const ItemKey& key, Prng& prng);
// How long its first text, field00, is.
std::size_t FirstTextBytes(const ItemShape& shape);
// Only its primary key.
void AppendKeyJson(std::string& out, const ItemShape& shape, const ItemKey& key);

}  // namespace stator::bench

#endif  // STATOR_BENCH_ITEM_SHAPE_H_
