#include "systems/downloads/published_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>

#include "systems/program/text.h"

namespace stator::systems::downloads {
namespace {

constexpr std::size_t kPieceBytes = 256 << 10;

// "dump.tar.gz" is "dump" and "tar.gz", "report.v2.csv" is "report.v2" and "csv".
struct NameParts {
  std::string stem;
  std::string extension;
};

NameParts PartsOf(const std::string& name) {
  std::size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot == 0) return {name, ""};
  for (const char* packed : {".gz", ".bz2", ".xz", ".zst"}) {
    const std::size_t before = name.rfind('.', dot - 1);
    if (name.substr(dot) == packed && before != std::string::npos && before > 0) dot = before;
  }
  // "St. Eriks gatan" has a dot and no extension.
  if (!IsExtension(name.substr(dot + 1))) return {name, ""};
  return {name.substr(0, dot), name.substr(dot + 1)};
}

// Nullopt if it cannot be published. Without a date the file is that of every day.
struct FolderName {
  std::string entity;
  std::string date;
  std::string extension;
};

std::optional<FolderName> Parse(const std::string& name) {
  const NameParts parts = PartsOf(name);
  if (!IsEntityName(parts.stem)) return std::nullopt;
  if (const auto dated = ParseFileName(parts.stem)) {
    return FolderName{dated->entity, dated->date, parts.extension};
  }
  return FolderName{parts.stem, "", parts.extension};
}

// The files of a day as candidates: name in the folder, and what it says.
using Candidates = std::map<std::string, std::vector<std::pair<std::string, FolderName>>>;

}  // namespace

Fallible<std::unique_ptr<PublishedFolder>> PublishedFolder::Open(std::string directory) {
  std::error_code error;
  if (!std::filesystem::is_directory(directory, error)) {
    return std::unexpected(directory + " is not a folder");
  }
  return std::unique_ptr<PublishedFolder>(new PublishedFolder(std::move(directory)));
}

std::vector<std::string> PublishedFolder::Names() const {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator entry(directory_, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    // What begins with a dot is hidden, and may be half of a file.
    if (!name.starts_with('.') && entry->is_regular_file(error)) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> PublishedFolder::LeftOut() const {
  std::vector<std::string> names = Names();
  std::erase_if(names, [](const std::string& name) { return Parse(name).has_value(); });
  return names;
}

std::vector<PublishedFile> PublishedFolder::FilesOf(const std::string& date) const {
  Candidates candidates;
  for (const std::string& name : Names()) {
    const auto parsed = Parse(name);
    if (parsed && (parsed->date.empty() || parsed->date == date)) {
      candidates[parsed->entity].emplace_back(name, *parsed);
    }
  }
  std::vector<PublishedFile> files;
  for (auto& [entity, found] : candidates) {
    if (std::ranges::any_of(found, [](const auto& file) { return !file.second.date.empty(); })) {
      std::erase_if(found, [](const auto& file) { return file.second.date.empty(); });
    }
    for (const auto& [name, parsed] : found) {
      PublishedFile file{.name = {.entity = found.size() == 1 ? entity : name, .date = date},
                         .extension = parsed.extension,
                         .path = directory_ + "/" + name};
      if (IsEntityName(file.name.entity) && Measure(file)) files.push_back(std::move(file));
    }
  }
  return files;
}

std::optional<PublishedFile> PublishedFolder::Find(const FileName& name) const {
  for (PublishedFile& file : FilesOf(name.date)) {
    if (file.name == name) return std::move(file);
  }
  return std::nullopt;
}

bool PublishedFolder::Measure(PublishedFile& file) const {
  const int fd = ::open(file.path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  struct stat status = {};
  ::fstat(fd, &status);
  const std::int64_t changed =
      std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  const std::scoped_lock lock(mutex_);
  Measured& known = measured_[file.path];
  ssize_t count = 0;
  if (known.checksum.empty() || known.changed_ns != changed || known.size_bytes != status.st_size) {
    Sha256 sum;
    known = {.changed_ns = changed};
    std::array<char, 65536> buffer;
    while ((count = ::read(fd, buffer.data(), buffer.size())) > 0) {
      sum.Add({buffer.data(), static_cast<std::size_t>(count)});
      known.size_bytes += count;
    }
    if (count == 0) known.checksum = Hex(sum.Finish());
  }
  ::close(fd);
  file.size_bytes = known.size_bytes;
  file.checksum = known.checksum;
  return count == 0;
}

Fallible<std::unique_ptr<EncryptedFile>> EncryptedFile::Open(const PublishedFile& file,
                                                             std::string key, std::string iv) {
  const int fd = ::open(file.path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return std::unexpected(fmt::format("cannot read {}: {}", file.path, std::strerror(errno)));
  }
  return std::unique_ptr<EncryptedFile>(new EncryptedFile(fd, std::move(key), std::move(iv)));
}

EncryptedFile::EncryptedFile(int fd, std::string key, std::string iv)
    : fd_(fd), key_(std::move(key)), iv_(std::move(iv)) {
  Rewind();
}

EncryptedFile::~EncryptedFile() { ::close(fd_); }

void EncryptedFile::Rewind() {
  encryptor_.emplace(key_, iv_);
  plain_at_ = buffer_at_ = 0;
  buffer_.clear();
}

bool EncryptedFile::ReadOn() {
  if (!encryptor_) return false;
  std::string plain(kPieceBytes, '\0');
  const ssize_t count = ::pread(fd_, plain.data(), plain.size(), plain_at_);
  if (count > 0) {
    plain_at_ += count;
    encryptor_->Add(std::string_view(plain).substr(0, static_cast<std::size_t>(count)), buffer_);
  } else {
    encryptor_->Finish(buffer_);
    encryptor_.reset();
  }
  return true;
}

std::string EncryptedFile::Read(std::int64_t offset, std::size_t count) {
  if (offset < buffer_at_) Rewind();
  while (true) {
    const auto skipped = std::min(static_cast<std::size_t>(offset - buffer_at_), buffer_.size());
    buffer_.erase(0, skipped);
    buffer_at_ += static_cast<std::int64_t>(skipped);
    if (buffer_at_ == offset && !buffer_.empty()) return buffer_.substr(0, count);
    if (!ReadOn()) return {};
  }
}

}  // namespace stator::systems::downloads
