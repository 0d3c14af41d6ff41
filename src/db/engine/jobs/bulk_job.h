// A bulk operation: the items of files are put into a table that is in use.
#ifndef STATOR_ENGINE_JOBS_BULK_JOB_H_
#define STATOR_ENGINE_JOBS_BULK_JOB_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "stator/transfer_operations.h"
#include "transfer/import_reader.h"

namespace stator {

struct BulkJob {
  static constexpr std::string_view kRowPrefix = "bulk";

  std::string id;
  BulkOperationDescription shown;
  std::string fingerprint;  // of the request without its token
  transfer::ImportProgress progress;

  bool is_over() const {
    return shown.bulk_operation_status != BulkOperationStatus::kInProgress &&
           shown.bulk_operation_status != BulkOperationStatus::kCancelling;
  }
  transfer::ImportSource Source() const;
  // The bucket and key of the object about records that could not be put; `first` is the number of
  // the first record of its slice.
  std::string ErrorBucket() const;
  std::string ErrorKey(std::uint64_t first) const;

  // Its row in the catalog: a JSON object.
  std::string Encode() const;
  static std::optional<BulkJob> Decode(std::string_view json);
};
using BulkPtr = std::shared_ptr<const BulkJob>;

}  // namespace stator

#endif  // STATOR_ENGINE_JOBS_BULK_JOB_H_
