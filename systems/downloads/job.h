// The files of a day: their names, what the source says of them, and the jobs and batches that
// fetch them. How the source is asked:
//
//   GET /manifest?date=2026-02-28          {"date": …, "files": [FILE …]}
//   GET /link?file=accounts-2026-02-28     FILE, with a new address
//   FILE: {"entity", "url", "key", "iv", "sha256", "size"}
#ifndef STATOR_SYSTEMS_DOWNLOADS_JOB_H_
#define STATOR_SYSTEMS_DOWNLOADS_JOB_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "stator/item.h"
#include "systems/program/fallible.h"

namespace stator::systems::downloads {

// "accounts-2026-02-28": the file of an entity and a day.
struct FileName {
  std::string entity;
  std::string date;

  std::string id() const { return entity + "-" + date; }
  friend bool operator==(const FileName&, const FileName&) = default;
  friend auto operator<=>(const FileName&, const FileName&) = default;
};

// Lower-case letters, digits and underscores; at most 40.
bool IsEntityName(std::string_view text);
std::optional<FileName> ParseFileName(std::string_view id);

struct SourceFile {
  FileName name;
  std::string url;          // signed; expires after kUrlLife
  std::string wrapped_key;  // base64
  std::string iv;           // base64
  std::string checksum;     // SHA-256 of the plain file, in hex
  std::int64_t size_bytes = 0;
};

inline constexpr std::int64_t kFileBytesMax = std::int64_t{256} << 20;

std::string ManifestJson(const std::string& date, const std::vector<SourceFile>& files);
std::string FileJson(const SourceFile& file);

// Ask the source at `source_url`. What it says is checked: names, sizes, no file twice.
Fallible<std::vector<SourceFile>> FetchManifest(const std::string& source_url,
                                                const std::string& date);
Fallible<SourceFile> FetchLink(const std::string& source_url, const FileName& name);

// What FetchManifest does with the answer.
Fallible<std::vector<SourceFile>> ParseManifest(std::string_view json, const std::string& date);

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

  std::string id() const { return "batch-" + date + "-" + run_id; }
  bool is_open() const { return status == "initiated" || status == "queued"; }
  static Batch Of(const Item& item);
};

// The keys of the records.
Item KeyOf(const FileName& name);
Item KeyOf(const Batch& batch);

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_JOB_H_
