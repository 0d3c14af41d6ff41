#include "storage/rocksdb/directory_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <rocksdb/env.h>

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "storage/rocksdb/log_format.h"
#include "storage/rocksdb/rocks_calls.h"

namespace stator {
namespace {

using rocksdb::IOOptions;
using rocksdb::IOStatus;

// A message names this many problems.
constexpr std::size_t kProblemsNamed = 5;

class Checker {
 public:
  Checker(rocksdb::FileSystem& files, std::string database_path)
      : files_(files), path_(std::move(database_path)) {}

  DirectoryCheck Run(const std::string& ledger_path, bool must_have_ledger, SyncMode sync);

 private:
  template <class... Arguments>
  void Problem(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    check_.problems.push_back(fmt::format(format, std::forward<Arguments>(arguments)...));
  }
  std::string PathOf(std::string_view name) const { return fmt::format("{}/{}", path_, name); }
  // Nullopt, with a problem, if the file cannot be read.
  std::optional<std::string> Read(const std::string& name);
  std::optional<std::uint64_t> SizeOf(const std::string& name);

  // After an unclean stop what is read may still be in memory only, and no sync would help if one had
  // failed before: the ledger vouches for no more than it did.
  bool VouchesForMore() const { return !check_.has_ledger || said_.is_clean; }

  void ReadLedger(const std::string& path, bool must_exist);
  std::optional<std::uint64_t> CurrentManifest();
  std::optional<Manifest> CheckManifest(std::uint64_t number);
  void CheckTables(const Manifest& manifest);
  void CheckLogs(const Manifest& manifest);
  void CheckLog(std::uint64_t number, bool is_newest);
  void CheckEndOfLog(std::uint64_t number, std::uint64_t bytes, const LogReading& reading,
                     bool is_newest);
  void CheckOtherFiles();

  rocksdb::FileSystem& files_;
  const std::string path_;
  DirectoryCheck check_;
  Ledger said_;                               // what the ledger says
  std::uint64_t last_in_tables_ = 0;          // a commit; those in the logs came later
  std::optional<std::uint64_t> next_number_;  // of the next commit in the logs
  std::string stopped_at_;  // the log in which the commits end early; empty while they go on
};

std::optional<std::string> Checker::Read(const std::string& name) {
  std::string bytes;
  const IOStatus status = rocksdb::ReadFileToString(&files_, PathOf(name), &bytes);
  if (status.ok()) return bytes;
  if (status.IsNotFound() || status.IsPathNotFound()) {
    Problem("{} is missing", name);
  } else {
    Problem("{} cannot be read ({})", name, status.ToString());
  }
  return std::nullopt;
}

std::optional<std::uint64_t> Checker::SizeOf(const std::string& name) {
  std::uint64_t bytes = 0;
  const IOStatus status = files_.GetFileSize(PathOf(name), IOOptions(), &bytes, nullptr);
  if (status.ok()) return bytes;
  Problem("{} is missing", name);
  return std::nullopt;
}

void Checker::ReadLedger(const std::string& path, bool must_exist) {
  std::string text;
  const IOStatus status = rocksdb::ReadFileToString(&files_, path, &text);
  if (!status.ok()) {
    if (!must_exist && (status.IsNotFound() || status.IsPathNotFound())) return;
    Problem("{} is missing or cannot be read", kLedgerName);
    return;
  }
  std::optional<Ledger> ledger = DecodeLedger(text);
  if (!ledger) {
    Problem("{} is damaged", kLedgerName);
    return;
  }
  check_.has_ledger = true;
  said_ = *std::move(ledger);
  check_.is_clean = said_.is_clean;
}

std::optional<std::uint64_t> Checker::CurrentManifest() {
  const std::optional<std::string> text = Read("CURRENT");
  if (!text) return std::nullopt;
  const bool is_line = text->ends_with('\n');
  const std::optional<std::uint64_t> number =
      is_line ? ManifestNumber(std::string_view(*text).substr(0, text->size() - 1)) : std::nullopt;
  if (!number || *text != ManifestName(*number) + "\n") {
    Problem("CURRENT is damaged");
    return std::nullopt;
  }
  if (check_.has_ledger && !said_.manifests.contains(*number)) {
    Problem("CURRENT names {}, but {} knows another manifest: one of them is from another time",
            ManifestName(*number), kLedgerName);
    return std::nullopt;
  }
  return number;
}

std::optional<Manifest> Checker::CheckManifest(std::uint64_t number) {
  const std::string name = ManifestName(number);
  const std::optional<std::string> bytes = Read(name);
  if (!bytes) return std::nullopt;
  if (check_.has_ledger) {
    const Ledger::ManifestPrefix& must = said_.manifests.at(number);
    if (bytes->size() < must.bytes || (said_.is_clean && bytes->size() != must.bytes)) {
      Problem("{} has {} bytes, but must have {}", name, bytes->size(), must.bytes);
      return std::nullopt;
    }
    if (Crc32c(std::string_view(*bytes).substr(0, must.bytes)) != must.checksum) {
      Problem("{} is damaged", name);
      return std::nullopt;
    }
  }
  const std::optional<Manifest> manifest = ReadManifest(*bytes);
  // Behind what the ledger vouches for nothing was acknowledged, and a power cut may have left any of it.
  if (!manifest || (manifest->edit_after_damage && !check_.has_ledger)) {
    Problem("{} is damaged", name);
    return std::nullopt;
  }
  const std::string_view sound = std::string_view(*bytes).substr(0, manifest->sound_bytes);
  if (sound.size() < bytes->size()) check_.torn_manifest = {PathOf(name), sound.size()};
  check_.ledger.manifests[number] = VouchesForMore()
                                        ? Ledger::ManifestPrefix{sound.size(), Crc32c(sound)}
                                        : said_.manifests.at(number);
  return manifest;
}

void Checker::CheckTables(const Manifest& manifest) {
  const std::size_t problems_before = check_.problems.size();
  for (const auto& [number, table] : manifest.tables) {
    const std::string name = TableName(number);
    const std::optional<std::uint64_t> size = SizeOf(name);
    if (size && *size != table.bytes) {
      Problem("{} has {} bytes, but must have {}", name, *size, table.bytes);
    }
    last_in_tables_ = std::max(last_in_tables_, table.last_number);
  }
  check_.tables = manifest.tables;
  check_.has_tables = check_.problems.size() == problems_before;
}

void Checker::CheckLogs(const Manifest& manifest) {
  std::vector<std::string> names;
  if (!files_.GetChildren(path_, IOOptions(), &names, nullptr).ok()) {
    Problem("{} cannot be listed", path_);
    return;
  }
  std::vector<std::uint64_t> logs;
  for (const std::string& name : names) {
    const std::optional<std::uint64_t> number = LogNumber(name);
    if (number && *number >= manifest.first_log) logs.push_back(*number);
  }
  std::ranges::sort(logs);
  const std::uint64_t newest = logs.empty() ? 0 : logs.back();
  for (const auto& [number, bytes] : said_.logs) {
    if (number < manifest.first_log || std::ranges::binary_search(logs, number)) continue;
    // The name of a log in which nothing was durable may be lost, but then it was the newest.
    if (bytes > 0 || said_.is_clean || number < newest) Problem("{} is missing", LogName(number));
  }
  check_.last_number = manifest.last_number;
  for (const std::uint64_t number : logs) {
    if (said_.is_clean && !said_.logs.contains(number)) {
      Problem("{} came after the last orderly stop", LogName(number));
      continue;
    }
    CheckLog(number, number == newest);
  }
  if (!logs.empty()) check_.newest_log = LogName(newest);
  if (next_number_) check_.last_number = *next_number_ - 1;
  check_.drops_log_end = check_.dropped_bytes > 0;
  if (check_.last_number < manifest.last_number) {
    // Without a sync in every commit that is what a power cut does.
    check_.drops_log_end = true;
    if (check_.ledger.sync == SyncMode::kAlways) {
      Problem("the logs end with commit {}, but there was a commit {}", check_.last_number,
              manifest.last_number);
    }
  }
  if (said_.is_clean && next_number_ && check_.last_number != said_.last_number) {
    Problem("the logs end with commit {}, but must end with {}", check_.last_number,
            said_.last_number);
  }
}

void Checker::CheckLog(std::uint64_t number, bool is_newest) {
  const std::string name = LogName(number);
  const std::optional<std::string> bytes = Read(name);
  if (!bytes) return;
  std::optional<std::uint64_t> expected = next_number_;
  bool has_gap = false;
  bool is_read = true;
  const LogReading reading = ReadLog(*bytes, [&](std::string_view record) {
    const std::optional<CommitHeader> commit = ReadCommitHeader(record);
    is_read = is_read && commit;
    if (!is_read) return;
    has_gap = has_gap || (expected ? commit->first != *expected : commit->first <= last_in_tables_);
    expected = commit->first + commit->count;
  });
  if (!is_read) Problem("{} is damaged", name);
  if (has_gap && stopped_at_.empty())
    Problem("{} is not the log that follows what came before it: commits are missing", name);
  if (!stopped_at_.empty() && reading.sound_bytes > 0) {
    // Commits that follow a damaged log without a gap were written after it had been recovered.
    if (!has_gap) {
      stopped_at_.clear();
      check_.dropped_bytes = 0;
    } else {
      const auto must = said_.logs.find(number);
      const bool was_durable = must != said_.logs.end() && must->second > 0;
      if (was_durable || check_.ledger.sync == SyncMode::kAlways) {
        Problem("{} is damaged, and commits follow in {}", stopped_at_, name);
      }
      check_.dropped_bytes += bytes->size();
    }
  }
  if (stopped_at_.empty()) next_number_ = expected;
  const auto known = said_.logs.find(number);
  check_.ledger.logs[number] = VouchesForMore()            ? reading.sound_bytes
                               : known != said_.logs.end() ? known->second
                                                           : 0;
  CheckEndOfLog(number, bytes->size(), reading, is_newest);
}

void Checker::CheckEndOfLog(std::uint64_t number, std::uint64_t bytes, const LogReading& reading,
                            bool is_newest) {
  const std::string name = LogName(number);
  const auto must = said_.logs.find(number);
  if (must != said_.logs.end()) {
    if (bytes < must->second || (said_.is_clean && bytes != must->second)) {
      Problem("{} has {} bytes, but must have {}", name, bytes, must->second);
      return;
    }
    // A sync beside the commits may have made a part of one durable.
    const bool may_be_partial = check_.ledger.sync != SyncMode::kAlways &&
                                reading.record_after_damage.value_or(must->second) >= must->second;
    if (reading.sound_bytes < must->second && !may_be_partial) {
      Problem("{} is damaged at byte {} of {}", name, reading.sound_bytes, bytes);
      return;
    }
  }
  if (!reading.is_damaged) return;
  // With a sync in every commit a power cut can damage only the one commit that was not yet
  // acknowledged, at the very end. Without, the commits before the first damage count.
  if (check_.ledger.sync == SyncMode::kAlways && reading.record_after_damage) {
    Problem("{} is damaged at byte {} of {}, and commits follow", name, reading.sound_bytes, bytes);
    return;
  }
  if (is_newest || stopped_at_.empty()) check_.dropped_bytes += bytes - reading.sound_bytes;
  if (is_newest) {
    check_.torn_log = {PathOf(name), reading.sound_bytes};
  } else {
    stopped_at_ = name;
  }
}

void Checker::CheckOtherFiles() {
  for (const Ledger::File& file : said_.files) {
    std::string bytes;
    const IOStatus status = rocksdb::ReadFileToString(&files_, PathOf(file.name), &bytes);
    if (!status.ok()) {
      check_.remarks.push_back(fmt::format("{} is missing", file.name));
    } else if (bytes.size() != file.bytes || Crc32c(bytes) != file.checksum) {
      check_.remarks.push_back(fmt::format("{} is damaged", file.name));
    }
  }
}

DirectoryCheck Checker::Run(const std::string& ledger_path, bool must_have_ledger, SyncMode sync) {
  ReadLedger(ledger_path, must_have_ledger);
  check_.ledger.sync = check_.has_ledger ? said_.sync : sync;
  const std::optional<std::uint64_t> number = CurrentManifest();
  const std::optional<Manifest> manifest = number ? CheckManifest(*number) : std::nullopt;
  if (!manifest) return std::move(check_);
  CheckTables(*manifest);
  CheckLogs(*manifest);
  CheckOtherFiles();
  return std::move(check_);
}

}  // namespace

DirectoryCheck CheckDirectory(rocksdb::FileSystem& files, const std::string& directory,
                              const std::string& database_path, bool must_have_ledger,
                              SyncMode sync) {
  return Checker(files, database_path)
      .Run(fmt::format("{}/{}", directory, kLedgerName), must_have_ledger, sync);
}

StorageResult<void> RecordAsComplete(const Files& files, const std::string& directory,
                                     const std::string& database_path) {
  const std::shared_ptr<rocksdb::FileSystem> disk = files.env()->GetFileSystem();
  DirectoryCheck check = CheckDirectory(*disk, directory, database_path, /*must_have_ledger=*/false,
                                        SyncMode::kAlways);
  if (!check.problems.empty()) return std::unexpected(DamageError(directory, check));
  check.ledger.is_clean = check.dropped_bytes == 0;
  check.ledger.last_number = check.last_number;
  LedgerKeeper keeper(disk, fmt::format("{}/{}", directory, kLedgerName), std::move(check.ledger));
  return CheckRocks(keeper.Renew(), "write the ledger of " + directory);
}

StorageError DamageError(const std::string& directory, const DirectoryCheck& check) {
  const std::span<const std::string> all(check.problems);
  const auto named = all.first(std::min(all.size(), kProblemsNamed));
  std::string what = fmt::format("{}", fmt::join(named, "; "));
  if (named.size() < all.size()) {
    what += fmt::format("; and {} more", all.size() - named.size());
  }
  return {
      StorageError::Kind::kCorrupt,
      fmt::format("the data in {0} is not complete: {1}. Nothing was changed. `stator verify {0}` "
                  "says what is damaged, `stator repair {0} --to NEW` saves what can be read; or "
                  "restore a backup",
                  directory, what)};
}

}  // namespace stator
