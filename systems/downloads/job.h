// The files of a day: their names, what is known of them, and the jobs and batches that fetch them.
#ifndef STATOR_SYSTEMS_DOWNLOADS_JOB_H_
#define STATOR_SYSTEMS_DOWNLOADS_JOB_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "stator/item.h"

namespace stator::systems::downloads {

// "accounts-2026-02-28": the file of an entity and a day.
struct FileName {
  std::string entity;
  std::string date;

  std::string id() const { return entity + "-" + date; }
  friend bool operator==(const FileName&, const FileName&) = default;
  friend auto operator<=>(const FileName&, const FileName&) = default;
};

// What can be the name of a file in any folder: no '/', '\\', '~' or control character, no space, '-'
// or '.' at the beginning, no space at the end, valid UTF-8, at most 100 bytes.
bool IsEntityName(std::string_view text);
// "csv", "tar.gz", or nothing.
bool IsExtension(std::string_view text);
// 64 digits, 0-9 and a-f.
bool IsSha256(std::string_view text);
// The day is what the last ten characters say: an entity may look like a day itself.
std::optional<FileName> ParseFileName(std::string_view id);

struct SourceFile {
  FileName name;
  std::string extension = "csv";
  std::string url;          // signed; expires after kUrlLife
  std::string wrapped_key;  // base64
  std::string iv;           // base64
  std::string checksum;     // SHA-256 of the plain file, in hex
  std::int64_t size_bytes = 0;
};

// Of plain files, as the manifest gives them.
struct SizeLimits {
  std::int64_t file_bytes = std::int64_t{5} << 30;
  std::int64_t total_bytes = std::int64_t{50} << 30;
};

// --- the two records of the pipeline, as they are read from their items

// A FileJob: one file of one day.
struct Job {
  SourceFile file;
  std::string batch_id;
  std::string status;
  std::string claimed_by;
  std::int64_t attempts = 0;
  std::int64_t status_updated_at_ms = 0;

  static Job Of(const Item& item);
};

// A Batch: one run of one day.
struct Batch {
  std::string date;
  std::string run_id;
  std::string status;
  std::string start_time;  // ISO 8601
  std::set<std::string> expected;
  std::set<std::string> completed;
  std::set<std::string> failed;
  std::set<std::string> refused;  // entities of the manifest that cannot be fetched

  std::string id() const { return "batch-" + date + "-" + run_id; }
  bool is_open() const { return status == "initiated" || status == "queued"; }
  static Batch Of(const Item& item);
};

// The keys of the records.
Item KeyOf(const FileName& name);
Item KeyOf(const Batch& batch);

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_JOB_H_
