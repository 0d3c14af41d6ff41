// An export of a table: what was asked for, and how far it is.
#ifndef STATOR_ENGINE_JOBS_EXPORT_JOB_H_
#define STATOR_ENGINE_JOBS_EXPORT_JOB_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/catalog/table.h"
#include "stator/transfer_operations.h"
#include "transfer/export_manifest.h"

namespace stator {

struct ExportJob {
  static constexpr std::string_view kRowPrefix = "export";

  std::string id;  // of the export, and of the checkpoint that it reads while it is in progress
  ExportDescription shown;
  std::string fingerprint;  // of the request without its token
  TableNumber table = 0;
  std::vector<std::string> key_names;  // of the table's keys, sorted
  // Data files that are complete, and where the walk through the table goes on behind them.
  std::vector<transfer::DataFileInfo> files;
  std::string cursor;

  bool is_over() const { return shown.export_status != ExportStatus::kInProgress; }
  transfer::ExportTarget Target() const;

  // Its row in the catalog: a JSON object.
  std::string Encode() const;
  static std::optional<ExportJob> Decode(std::string_view json);
};
using ExportPtr = std::shared_ptr<const ExportJob>;

}  // namespace stator

#endif  // STATOR_ENGINE_JOBS_EXPORT_JOB_H_
