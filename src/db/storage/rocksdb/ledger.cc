#include "storage/rocksdb/ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <iterator>

#include "storage/rocksdb/log_format.h"
#include "storage/rocksdb/manifest.h"

namespace stator {
namespace {

using rocksdb::IOOptions;
using rocksdb::IOStatus;

constexpr std::string_view kFirstLine = "stator ledger 1\n";
constexpr std::string_view kChecksumWord = "checksum ";
constexpr std::array<std::string_view, 3> kSyncWords = {"always", "interval", "off"};

std::string ChecksumLine(std::string_view text) {
  return fmt::format("{}{:08x}\n", kChecksumWord, Crc32c(text));
}

// The words of a line, and numbers in them. After the first that does not fit ok() is false.
class LineReader {
 public:
  explicit LineReader(std::string_view line) : rest_(line) {}

  bool ok() const { return ok_ && rest_.empty(); }
  std::string_view Word() {
    const std::string_view word = rest_.substr(0, rest_.find(' '));
    rest_.remove_prefix(std::min(word.size() + 1, rest_.size()));
    ok_ = ok_ && !word.empty();
    return word;
  }
  std::uint64_t Number(int base = 10) {
    const std::string_view word = Word();
    std::uint64_t number = 0;
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, number, base);
    ok_ = ok_ && error == std::errc() && stop == end;
    return number;
  }
  std::uint32_t Checksum() { return static_cast<std::uint32_t>(Number(16)); }
  void Require(bool condition) { ok_ = ok_ && condition; }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

bool ReadLine(std::string_view text, Ledger& ledger) {
  LineReader line(text);
  const std::string_view what = line.Word();
  if (what == "state") {
    const std::string_view state = line.Word();
    ledger.is_clean = state == "clean";
    line.Require(ledger.is_clean || state == "open");
  } else if (what == "sync") {
    const auto* const word = std::ranges::find(kSyncWords, line.Word());
    line.Require(word != kSyncWords.end());
    ledger.sync = static_cast<SyncMode>(std::distance(kSyncWords.begin(), word));
  } else if (what == "last") {
    ledger.last_number = line.Number();
  } else if (what == "manifest") {
    const std::uint64_t number = line.Number();
    const std::uint64_t bytes = line.Number();
    ledger.manifests[number] = {bytes, line.Checksum()};
  } else if (what == "log") {
    const std::uint64_t number = line.Number();
    ledger.logs[number] = line.Number();
  } else if (what == "file") {
    const std::string_view name = line.Word();
    const std::uint64_t bytes = line.Number();
    ledger.files.push_back({std::string(name), bytes, line.Checksum()});
  } else {
    return false;
  }
  return line.ok();
}

}  // namespace

std::string EncodeLedger(const Ledger& ledger) {
  std::string text(kFirstLine);
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "state {}\n", ledger.is_clean ? "clean" : "open");
  fmt::format_to(out, "sync {}\n", kSyncWords[static_cast<std::size_t>(ledger.sync)]);
  if (ledger.is_clean) fmt::format_to(out, "last {}\n", ledger.last_number);
  for (const auto& [number, manifest] : ledger.manifests) {
    fmt::format_to(out, "manifest {} {} {:08x}\n", number, manifest.bytes, manifest.checksum);
  }
  for (const auto& [number, bytes] : ledger.logs) fmt::format_to(out, "log {} {}\n", number, bytes);
  for (const Ledger::File& file : ledger.files) {
    fmt::format_to(out, "file {} {} {:08x}\n", file.name, file.bytes, file.checksum);
  }
  return text + ChecksumLine(text);
}

std::optional<Ledger> DecodeLedger(std::string_view text) {
  const std::size_t end = text.rfind(kChecksumWord);
  if (end == std::string_view::npos || !text.starts_with(kFirstLine)) return std::nullopt;
  if (text.substr(end) != ChecksumLine(text.substr(0, end))) return std::nullopt;
  Ledger ledger;
  text = text.substr(kFirstLine.size(), end - kFirstLine.size());
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (!ReadLine(line, ledger)) return std::nullopt;
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return ledger;
}

IOStatus LedgerKeeper::BeforeChange() {
  const std::scoped_lock lock(mutex_);
  if (has_changed_) return IOStatus::OK();
  IOStatus status = Write();
  has_changed_ = status.ok();
  return status;
}

IOStatus LedgerKeeper::ManifestSynced(std::uint64_t number, Ledger::ManifestPrefix durable) {
  const std::scoped_lock lock(mutex_);
  ledger_.manifests[number] = durable;
  // A new one counts when CURRENT names it.
  if (is_opening_ || number != current_) return IOStatus::OK();
  ledger_.manifests.erase(ledger_.manifests.begin(), ledger_.manifests.find(number));
  return Write();
}

IOStatus LedgerKeeper::BeforeCurrent() {
  const std::scoped_lock lock(mutex_);
  if (!ledger_.manifests.empty()) current_ = ledger_.manifests.rbegin()->first;
  return Write();
}

IOStatus LedgerKeeper::LogCreated(std::uint64_t number, const Durable& durable) {
  const std::scoped_lock lock(mutex_);
  logs_[number] = durable;
  return is_opening_ ? IOStatus::OK() : Write();
}

void LedgerKeeper::LogDeleted(std::uint64_t number) {
  const std::scoped_lock lock(mutex_);
  ledger_.logs.erase(number);
  logs_.erase(number);
}

void LedgerKeeper::WriteFailed() {
  const std::scoped_lock lock(mutex_);
  has_failed_ = true;
}

IOStatus LedgerKeeper::Renew() {
  const std::scoped_lock lock(mutex_);
  return Write();
}

bool LedgerKeeper::IsOpening() const {
  const std::scoped_lock lock(mutex_);
  return is_opening_;
}

IOStatus LedgerKeeper::Opened() {
  const std::scoped_lock lock(mutex_);
  is_opening_ = false;
  has_changed_ = true;
  KeepNewestManifest();
  return Write();
}

IOStatus LedgerKeeper::Closed(std::uint64_t last_number, const std::string& database_path) {
  const std::scoped_lock lock(mutex_);
  if (has_failed_) return IOStatus::OK();
  for (const auto& [number, durable] : logs_) ledger_.logs[number] = 0;
  logs_.clear();
  ledger_.manifests.erase(ledger_.manifests.begin(), ledger_.manifests.find(current_));
  std::vector<std::string> names;
  IOStatus status = files_->GetChildren(database_path, IOOptions(), &names, nullptr);
  if (!status.ok()) return status;
  std::ranges::sort(names);
  std::map<std::uint64_t, std::uint64_t> logs;
  for (const std::string& name : names) {
    const std::string path = fmt::format("{}/{}", database_path, name);
    const std::optional<std::uint64_t> log = LogNumber(name);
    if (log && ledger_.logs.contains(*log)) {
      status = files_->GetFileSize(path, IOOptions(), &logs[*log], nullptr);
    } else if (name == "IDENTITY" || name.starts_with("OPTIONS-")) {
      std::string content;
      status = rocksdb::ReadFileToString(files_.get(), path, &content);
      ledger_.files.push_back({name, content.size(), Crc32c(content)});
    }
    if (!status.ok()) return status;
  }
  ledger_.logs = std::move(logs);
  ledger_.is_clean = true;
  ledger_.last_number = last_number;
  return Write();
}

void LedgerKeeper::KeepNewestManifest() {
  if (ledger_.manifests.empty()) return;
  const auto newest = std::prev(ledger_.manifests.end());
  current_ = newest->first;
  ledger_.manifests.erase(ledger_.manifests.begin(), newest);
}

IOStatus LedgerKeeper::Write() {
  Ledger now = ledger_;
  for (const auto& [number, durable] : logs_) now.logs[number] = durable->load();
  const std::string fresh = path_ + ".new";
  IOStatus status = rocksdb::WriteStringToFile(files_.get(), EncodeLedger(now), fresh, true);
  if (!status.ok()) return status;
  status = files_->RenameFile(fresh, path_, IOOptions(), nullptr);
  if (!status.ok()) return status;
  std::unique_ptr<rocksdb::FSDirectory> directory;
  status = files_->NewDirectory(std::filesystem::path(path_).parent_path(), IOOptions(), &directory,
                                nullptr);
  if (!status.ok()) return status;
  return directory->Fsync(IOOptions(), nullptr);
}

}  // namespace stator
