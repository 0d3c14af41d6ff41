// The items that the benchmarks work on. Numbered, and the same on every machine.
#ifndef STATOR_BENCH_MICRO_ITEMS_H_
#define STATOR_BENCH_MICRO_ITEMS_H_

#include <cstddef>
#include <string>

#include "stator/item.h"

namespace stator::bench {

// As DynamoDB counts them.
inline constexpr std::size_t kItemBytes = 1024;
inline constexpr std::size_t kSmallItemBytes = 300;

// {"S":"user#00000042"}: the partition key, `pk`, of item 42.
std::string KeyValueJson(int number);

// Twelve attributes of the types that tables are made of, kItemBytes in all. Items of one number
// differ from version to version in one number, `version`.
std::string ItemJson(int number, int version);

// Five attributes, kSmallItemBytes in all, in the partition of KeyValueJson(partition) at the sort
// key `sk` = position.
std::string SmallItemJson(int partition, int position);

// The item that an answer or a request holds as such JSON.
Item ParsedItem(const std::string& json);

}  // namespace stator::bench

#endif  // STATOR_BENCH_MICRO_ITEMS_H_
