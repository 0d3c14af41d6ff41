// Items on their way from files into a table, in slices: each slice is written in one commit together
// with the position after it.
#ifndef STATOR_ENGINE_JOBS_LOAD_SLICE_H_
#define STATOR_ENGINE_JOBS_LOAD_SLICE_H_

#include <chrono>
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

// The row of a job, as a slice leaves it.
struct JobRow {
  std::string key;
  std::string value;
  // On a shared store: as it is stored. Any other value means that another process has changed it.
  std::string before;
  bool is_announced = false;  // to other processes, which show the job
};

// Puts the items (of those with equal keys the last), and writes the job's row. Returns when all of it
// is durable. False, and nothing is written, if the row is not what it was; ResourceNotFound if the
// table is gone.
Result<bool> WriteSlice(Store& store, const WriteContext& context, TablePtr table,
                        std::vector<Item> items, JobRow row);

// How a job's row is written, slice after slice.
class JobRowWriter {
 public:
  explicit JobRowWriter(bool is_shared) : is_shared_(is_shared) {}

  // As it is stored when a run begins.
  void Begin(std::string stored) { stored_ = std::move(stored); }
  JobRow Next(std::string key, std::string value) const;
  void Wrote(JobRow row);

 private:
  const bool is_shared_;
  std::string stored_;
  std::chrono::steady_clock::time_point announced_;
};

}  // namespace stator

#endif  // STATOR_ENGINE_JOBS_LOAD_SLICE_H_
