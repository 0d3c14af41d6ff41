#include "systems/reconciler/file_sink.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "systems/program/json_line.h"

namespace stator::systems::reconciler {
namespace {

constexpr std::size_t kChunk = 1 << 20;
// As much of a line as an id can take: keys of 3 KB, every byte escaped.
constexpr std::size_t kIdMax = 20 << 10;
constexpr std::string_view kLineStart = R"({"id":")";

class FileLock {
 public:
  explicit FileLock(int file) : file_(file) {
    do {
      held_ = ::flock(file_, LOCK_EX) == 0;
    } while (!held_ && errno == EINTR);
  }
  ~FileLock() {
    if (held_) ::flock(file_, LOCK_UN);
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  bool held() const { return held_; }

 private:
  int file_;
  bool held_ = false;
};

bool WriteAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// A file is there after a power failure only if its folder has been synced.
void SyncFolder(const std::filesystem::path& file) {
  const int folder = ::open(file.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  ::fsync(folder);
  ::close(folder);
}

// The id between quotes, as it stands in the line; empty if the line has none.
std::string_view IdOfLine(std::string_view line) {
  if (!line.starts_with(kLineStart)) return {};
  line.remove_prefix(kLineStart.size());
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\') {
      ++i;
    } else if (line[i] == '"') {
      return line.substr(0, i);
    }
  }
  return {};
}

std::vector<Delivery> AllFailed(std::size_t count, const std::string& why) {
  return std::vector<Delivery>(count, Delivery{Delivery::Result::kFailed, why});
}

}  // namespace

std::expected<std::unique_ptr<Sink>, std::string> FileSink::Open(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path whole =
      std::filesystem::weakly_canonical(std::filesystem::absolute(path, failed), failed);
  if (failed) return std::unexpected(fmt::format("{}: {}", path, failed.message()));
  const int file = ::open(whole.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0) return std::unexpected(fmt::format("{}: {}", path, std::strerror(errno)));
  std::unique_ptr<FileSink> sink(new FileSink("file:" + whole.string(), file));
  struct stat about{};
  if (::fstat(file, &about) != 0 || !S_ISREG(about.st_mode)) {
    return std::unexpected(fmt::format("{} is not a file that lines can be added to", path));
  }
  SyncFolder(whole);
  return sink;
}

FileSink::~FileSink() { ::close(file_); }

void FileSink::TakeLine(std::string_view start) {
  if (const std::string_view id = IdOfLine(start); !id.empty()) ids_.emplace(id);
}

bool FileSink::ReadNewLines() {
  struct stat about{};
  if (::fstat(file_, &about) != 0) return false;
  if (about.st_size < end_) {  // somebody emptied it: what counts is what is there
    end_ = 0;
    ids_.clear();
  }
  std::string chunk(kChunk, '\0');
  std::string line;  // the start of the line that is being read
  for (std::int64_t at = end_; at < about.st_size;) {
    const ssize_t got = ::pread(file_, chunk.data(), chunk.size(), at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got == 0;
    std::string_view rest(chunk.data(), static_cast<std::size_t>(got));
    while (!rest.empty()) {
      const std::size_t length = rest.find('\n');
      const std::string_view part = rest.substr(0, length);
      line += part.substr(0, kIdMax - std::min(kIdMax, line.size()));
      if (length == std::string_view::npos) break;
      TakeLine(line);
      line.clear();
      rest.remove_prefix(length + 1);
      end_ = at + got - static_cast<std::int64_t>(rest.size());
    }
    at += got;
  }
  if (end_ == about.st_size) return true;
  return ::ftruncate(file_, end_) == 0;
}

bool FileSink::Append(std::string_view lines) {
  if (WriteAll(file_, lines) && ::fdatasync(file_) == 0) {
    end_ += static_cast<std::int64_t>(lines.size());
    return true;
  }
  const int why = errno;
  const bool restored = ::ftruncate(file_, end_) == 0;
  errno = restored ? why : EIO;
  return false;
}

std::vector<Delivery> FileSink::Deliver(const std::vector<Payload>& payloads,
                                        std::chrono::steady_clock::time_point deadline) {
  const FileLock lock(file_);
  if (!lock.held()) return AllFailed(payloads.size(), name_ + ": it cannot be locked");
  if (std::chrono::steady_clock::now() >= deadline) {
    return AllFailed(payloads.size(), "it took too long to get at the file");
  }
  if (!ReadNewLines()) return AllFailed(payloads.size(), name_ + ": " + std::strerror(errno));
  std::vector<Delivery> deliveries;
  std::vector<std::string> fresh;
  std::string lines;
  for (const Payload& payload : payloads) {
    const std::string line = payload.json + "\n";
    std::string id(IdOfLine(line));
    const bool is_new = ids_.insert(id).second;
    deliveries.push_back({is_new ? Delivery::Result::kDelivered : Delivery::Result::kThereAlready});
    if (!is_new) continue;
    lines += line;
    fresh.push_back(std::move(id));
  }
  if (lines.empty() || Append(lines)) return deliveries;
  const std::string why = name_ + ": " + std::strerror(errno);
  for (const std::string& id : fresh) ids_.erase(id);
  for (Delivery& delivery : deliveries) {
    if (delivery.result == Delivery::Result::kDelivered) {
      delivery = {Delivery::Result::kFailed, why};
    }
  }
  return deliveries;
}

}  // namespace stator::systems::reconciler
