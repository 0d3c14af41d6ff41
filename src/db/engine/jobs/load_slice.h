// Items from files on their way into a table: read in slices, each written in one commit with how
// far the reader has come.
#ifndef STATOR_ENGINE_JOBS_LOAD_SLICE_H_
#define STATOR_ENGINE_JOBS_LOAD_SLICE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/catalog/table.h"
#include "engine/write/write_mutation.h"
#include "stator/item.h"
#include "stator/result.h"
#include "storage/store.h"
#include "transfer/import_reader.h"

namespace stator {

struct LoadSlice {
  std::vector<Item> items;
  std::vector<std::string> problems;  // of records that are no items of this table
  std::int64_t item_bytes = 0;        // as DynamoDB counts them
  bool is_last = false;
};

// Reads the next slice. An error means that the objects cannot be read.
transfer::TransferResult<LoadSlice> ReadSlice(transfer::ImportReader& reader, const Table& table);

// Puts the items, of equal keys the last, and writes a row besides. Returns when both are durable;
// ResourceNotFound if the table is gone.
Result<void> WriteSlice(Store& store, const WriteContext& context, TablePtr table,
                        std::vector<Item> items, std::pair<std::string, std::string> row);

}  // namespace stator

#endif  // STATOR_ENGINE_JOBS_LOAD_SLICE_H_
