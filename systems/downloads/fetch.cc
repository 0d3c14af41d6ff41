#include "systems/downloads/fetch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

#include "systems/program/http.h"
#include "systems/program/process.h"
#include "systems/program/text.h"

namespace stator::systems::downloads {
namespace {

// Not a name that a finished file can have: an entity begins with no dot.
std::string PartPrefix(const FileName& name) { return fmt::format(".part-{}-", name.id()); }

std::unexpected<std::string> FileProblem(std::string_view what, const std::string& path) {
  return std::unexpected(fmt::format("cannot {} {}: {}", what, path, std::strerror(errno)));
}

std::unexpected<FetchError> Hopeless(std::string message) {
  return std::unexpected(FetchError{.message = std::move(message), .hopeless = true});
}
std::unexpected<FetchError> Failed(std::string message) {
  return std::unexpected(FetchError{.message = std::move(message), .hopeless = false});
}

// Decrypts what arrives and writes it, piece by piece: memory does not grow with the file.
class Pipe {
 public:
  Pipe(const SourceFile& file, std::string_view key, std::string_view iv, PartFile& part)
      : size_max_(file.size_bytes), decryptor_(key, iv), part_(part) {}

  bool Take(std::string_view encrypted) {
    plain_.clear();
    if (!decryptor_.Add(encrypted, plain_)) return Stop("the file cannot be decrypted");
    return Write();
  }
  bool Finish() {
    plain_.clear();
    if (!decryptor_.Finish(plain_)) return Stop("the file cannot be decrypted");
    return Write();
  }
  std::string Checksum() { return Hex(sum_.Finish()); }
  std::int64_t size_bytes() const { return size_; }
  const std::optional<std::string>& problem() const { return problem_; }

 private:
  bool Write() {
    size_ += static_cast<std::int64_t>(plain_.size());
    if (size_ > size_max_) return Stop("the file is longer than the manifest says");
    sum_.Add(plain_);
    const auto written = part_.Append(plain_);
    return written || Stop(written.error());
  }
  bool Stop(std::string why) {
    problem_ = std::move(why);
    return false;
  }

  const std::int64_t size_max_;
  Decryptor decryptor_;
  PartFile& part_;
  Sha256 sum_;
  std::int64_t size_ = 0;
  std::string plain_;
  std::optional<std::string> problem_;
};

}  // namespace

Fallible<PartFile> PartFile::Create(std::string path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return FileProblem("create", path);
  return PartFile(std::move(path), fd);
}

PartFile::~PartFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!path_.empty()) ::unlink(path_.c_str());
}

Fallible<void> PartFile::Append(std::string_view bytes) {
  if (!WriteAll(fd_, bytes)) return FileProblem("write", path_);
  return {};
}

Fallible<OutputFolder> OutputFolder::Open(std::string directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (!std::filesystem::is_directory(directory, error)) {
    return std::unexpected(directory + " is not a directory");
  }
  return OutputFolder(std::move(directory));
}

std::string OutputFolder::PathOf(const FileName& name) const {
  return fmt::format("{}/{}.csv", directory_, name.id());
}

bool OutputFolder::Has(const FileName& name, std::string_view checksum) const {
  const int fd = ::open(PathOf(name).c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  Sha256 sum;
  std::array<char, 65536> buffer;
  ssize_t count = 0;
  while ((count = ::read(fd, buffer.data(), buffer.size())) > 0) {
    sum.Add({buffer.data(), static_cast<std::size_t>(count)});
  }
  ::close(fd);
  return count == 0 && Hex(sum.Finish()) == checksum;
}

Fallible<PartFile> OutputFolder::Begin(const FileName& name, std::string_view claim) const {
  const std::string prefix = PartPrefix(name);
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory_, error)) {
    if (entry.path().filename().string().starts_with(prefix)) {
      ::unlink(entry.path().c_str());
    }
  }
  return PartFile::Create(fmt::format("{}/{}{}", directory_, prefix, claim));
}

Fallible<OutputFolder::Published> OutputFolder::Publish(PartFile part, const FileName& name,
                                                        std::string_view checksum) const {
  if (::fsync(part.fd_) != 0) return FileProblem("write", part.path_);
  const std::string path = PathOf(name);
  // Renames without replacing: of two claims that overlap, one publishes.
  if (::renameat2(AT_FDCWD, part.path_.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) != 0) {
    if (Has(name, checksum)) return Published::kWasThere;
    if (::rename(part.path_.c_str(), path.c_str()) != 0) return FileProblem("publish", path);
  }
  part.path_.clear();
  if (!SyncFolder(directory_)) return FileProblem("write", directory_);
  return Published::kNew;
}

std::expected<Fetched, FetchError> Fetch(const SourceFile& file, std::string_view claim,
                                         const KeyPair& keys, const OutputFolder& output) {
  // An earlier claim may have published the file and died before it could say so.
  if (output.Has(file.name, file.checksum)) return Fetched::kWasThere;
  const auto wrapped = FromBase64(file.wrapped_key);
  const auto key = wrapped ? keys.Unwrap(*wrapped) : std::nullopt;
  if (!key || key->size() != kAesKeyBytes) return Hopeless("the AES key cannot be unwrapped");
  const auto iv = FromBase64(file.iv);
  if (!iv || iv->size() != kAesIvBytes) return Hopeless("the IV is not one of AES");
  auto part = output.Begin(file.name, claim);
  if (!part) return Failed(part.error());
  Pipe pipe(file, *key, *iv, *part);
  const auto reply = HttpGet(file.url, [&](std::string_view piece) { return pipe.Take(piece); });
  if (pipe.problem()) return Failed(*pipe.problem());
  if (!reply) return Failed(reply.error());
  if (reply->status != 200) {
    return Failed(fmt::format("the source answers {}: {}", reply->status, reply->body));
  }
  if (!pipe.Finish()) return Failed(*pipe.problem());
  if (pipe.size_bytes() != file.size_bytes || pipe.Checksum() != file.checksum) {
    return Failed("the file's checksum is not that of the manifest");
  }
  const auto published = output.Publish(*std::move(part), file.name, file.checksum);
  if (!published) return Failed(published.error());
  return *published == OutputFolder::Published::kNew ? Fetched::kDownloaded : Fetched::kWasThere;
}

}  // namespace stator::systems::downloads
