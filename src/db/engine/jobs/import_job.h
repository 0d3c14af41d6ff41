// An import of files into a new table: what was asked for, and how far it is.
#ifndef STATOR_ENGINE_JOBS_IMPORT_JOB_H_
#define STATOR_ENGINE_JOBS_IMPORT_JOB_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/catalog/table.h"
#include "stator/transfer_operations.h"
#include "transfer/import_reader.h"

namespace stator {

struct ImportJob {
  static constexpr std::string_view kRowPrefix = "import";

  std::string id;
  ImportTableDescription shown;
  std::string fingerprint;  // of the request without its token
  transfer::ImportProgress progress;
  std::string first_problem;  // with an item; empty: all were good

  bool is_over() const { return shown.import_status != ImportStatus::kInProgress; }
  // Keys of the table and its indexes tell the types of CSV cells.
  transfer::ImportSource Source(const Table& table) const;

  // Its row in the catalog: a JSON object.
  std::string Encode() const;
  static std::optional<ImportJob> Decode(std::string_view json);
};
using ImportPtr = std::shared_ptr<const ImportJob>;

transfer::Compression AsCompression(InputCompressionType type);

}  // namespace stator

#endif  // STATOR_ENGINE_JOBS_IMPORT_JOB_H_
