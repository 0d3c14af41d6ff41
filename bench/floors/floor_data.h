// The rows of a floor: as many bytes, in as many rows, as Stator keeps for the items of the load.
#ifndef STATOR_BENCH_FLOORS_FLOOR_DATA_H_
#define STATOR_BENCH_FLOORS_FLOOR_DATA_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/prng.h"
#include "bench/request_bodies.h"

namespace stator::bench {

// Keys are as long and as scattered as engine/row_key.h makes them, but made with less work.
std::string ItemRow(std::uint64_t item);
std::string EntryRow(std::uint64_t item, int index);  // of an index: 1, 2 …
std::string PartitionRows(std::uint64_t partition);   // what the rows of a partition begin with
std::string RangeRow(std::uint64_t partition, std::uint64_t position);

// The item in Stator's encoding.
std::string EncodedItem(const ItemShape& shape, std::uint64_t partition, std::uint64_t sort,
                        Prng& prng);
// So many of them, with different texts.
std::vector<std::string> EncodedItems(const ItemShape& shape, std::size_t count, Prng& prng);

// Stator's answers to GetItem and Query for such items.
std::string GetItemAnswer(const ItemShape& shape);
std::string QueryAnswer(const ItemShape& shape, std::uint64_t items);

}  // namespace stator::bench

#endif  // STATOR_BENCH_FLOORS_FLOOR_DATA_H_
