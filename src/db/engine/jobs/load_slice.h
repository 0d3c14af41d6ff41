// Items on their way from files into a table, in slices: each slice is written in one commit together
// with the position after it.
#ifndef STATOR_ENGINE_JOBS_LOAD_SLICE_H_
#define STATOR_ENGINE_JOBS_LOAD_SLICE_H_

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/catalog/table.h"
#include "engine/write/write_path.h"
#include "stator/item.h"
#include "stator/result.h"
#include "stator/transfer_operations.h"
#include "storage/store.h"
#include "transfer/import_reader.h"
#include "transfer/object_store.h"

namespace stator {

struct LoadSlice {
  std::vector<Item> items;
  std::vector<std::string> problems;  // of records that are not items of this table
  std::int64_t item_bytes = 0;        // as DynamoDB counts them
  bool is_last = false;
};

// Begins to read the objects of an import, or says why it cannot.
std::expected<std::unique_ptr<transfer::ImportReader>, JobFailure> OpenInput(
    const transfer::ObjectStore& objects, transfer::ImportSource source,
    transfer::ImportProgress progress);

// Reads the next slice. An error means that the objects cannot be read.
transfer::TransferResult<LoadSlice> ReadSlice(transfer::ImportReader& reader, const Table& table);

// Puts the items (of those with equal keys the last), and writes one more row. Returns when all of it
// is durable; ResourceNotFound if the table is gone.
Result<void> WriteSlice(Store& store, const WriteContext& context, TablePtr table,
                        std::vector<Item> items, std::pair<std::string, std::string> row);

}  // namespace stator

#endif  // STATOR_ENGINE_JOBS_LOAD_SLICE_H_
