#include "database/maintenance.h"

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "base/clock.h"
#include "engine/check/rebuild.h"
#include "engine/check/row_check.h"
#include "storage/directory_reader.h"
#include "storage/store.h"

namespace stator {
namespace {

namespace fs = std::filesystem;

BytesProgress ReadingProgress(const MaintenanceProgress& progress) {
  if (!progress) return nullptr;
  return [&progress](std::uint64_t done, std::uint64_t total) {
    progress("reading files", done, total);
  };
}

RowProgress CountingProgress(const MaintenanceProgress& progress, const char* doing) {
  if (!progress) return nullptr;
  return [&progress, doing](std::uint64_t rows) { progress(doing, rows, 0); };
}

void AddProblem(VerifyReport& report, std::string text) {
  ++report.problem_count;
  if (report.problems.size() < Findings::kKept) report.problems.push_back(std::move(text));
}

VerifyReport OfFiles(DirectoryReport files) {
  VerifyReport report;
  for (std::string& problem : files.problems) AddProblem(report, std::move(problem));
  report.remarks = std::move(files.remarks);
  report.was_closed = files.was_closed;
  report.last_commit = files.last_commit;
  report.dropped_bytes = files.dropped_bytes;
  report.table_files = files.table_files;
  report.table_bytes = files.table_bytes;
  return report;
}

void AddRows(const ReadableRows& rows, const MaintenanceProgress& progress, VerifyReport& report) {
  const StorageResult<RowCheck> check =
      CheckRows(rows, CountingProgress(progress, "checking rows"));
  if (!check) return AddProblem(report, check.error().message);
  for (const std::string& text : rows.Skipped()) AddProblem(report, text);
  for (const std::string& text : check->findings.texts()) AddProblem(report, text);
  report.problem_count += check->findings.count() - check->findings.texts().size();
  report.rows_were_read = true;
  report.rows = check->rows;
  report.tables = check->tables;
  report.items = check->items;
  report.entries = check->entries;
  report.records = check->records;
}

// Removes a directory when it goes out of scope.
class Scratch {
 public:
  explicit Scratch(std::string path) : path_(std::move(path)) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  const std::string path_;
};

// Backups are whole databases of their own: they are taken over as they are.
std::expected<void, std::string> CopyBackups(const std::string& from, const std::string& to) {
  std::error_code error;
  if (!fs::exists(from + "/backups", error)) return {};
  fs::copy(from + "/backups", to + "/backups", fs::copy_options::recursive, error);
  if (!error) fs::permissions(to + "/backups", fs::perms::owner_all, error);
  if (error) return std::unexpected("cannot copy the backups: " + error.message());
  return {};
}

std::expected<Rebuilt, std::string> Rebuild(const OpenedDirectory& opened, const std::string& to,
                                            const MaintenanceProgress& progress) {
  auto store = OpenRocksStore({.directory = to, .sync = SyncMode::kOff});
  if (!store) return std::unexpected(store.error().message);
  const bool is_incomplete = !opened.report.problems.empty();
  StorageResult<Rebuilt> rebuilt = RebuildRows(*opened.rows, is_incomplete, SystemClock().Now(),
                                               **store, CountingProgress(progress, "saving rows"));
  if (!rebuilt) return std::unexpected(rebuilt.error().message);
  return *std::move(rebuilt);
}

}  // namespace

std::expected<VerifyReport, std::string> VerifyDirectory(const std::string& directory,
                                                         const MaintenanceProgress& progress) {
  StorageResult<OpenedDirectory> opened = VerifyFiles(directory, ReadingProgress(progress));
  if (!opened) return std::unexpected(opened.error().message);
  VerifyReport report = OfFiles(std::move(opened->report));
  if (opened->rows) AddRows(*opened->rows, progress, report);
  return report;
}

std::expected<RepairReport, std::string> RepairDirectory(const std::string& from,
                                                         const std::string& to,
                                                         const MaintenanceProgress& progress) {
  std::error_code error;
  if (fs::exists(to, error) && !fs::is_empty(to, error)) {
    return std::unexpected(to + " is not empty; name a new directory");
  }
  RepairReport report;
  {
    const Scratch scratch(to + ".scratch");
    if (fs::exists(scratch.path(), error)) {
      return std::unexpected(scratch.path() + " is in the way; remove it");
    }
    StorageResult<OpenedDirectory> opened =
        SalvageFiles(from, scratch.path(), ReadingProgress(progress));
    if (!opened) return std::unexpected(opened.error().message);
    const auto rebuilt = Rebuild(*opened, to, progress);
    if (!rebuilt) return std::unexpected(rebuilt.error());
    report.lost = opened->rows->Skipped();
    report.lost_count = report.lost.size() + rebuilt->lost.count();
    report.lost.insert(report.lost.end(), rebuilt->lost.texts().begin(),
                       rebuilt->lost.texts().end());
    report.before = OfFiles(std::move(opened->report));
  }
  if (auto copied = CopyBackups(from, to); !copied) return std::unexpected(copied.error());
  auto after = VerifyDirectory(to, progress);
  if (!after) return std::unexpected(after.error());
  report.after = *std::move(after);
  return report;
}

}  // namespace stator
