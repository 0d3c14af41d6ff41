// One file from its address into the output folder: downloaded, decrypted, compared, published.
#ifndef STATOR_SYSTEMS_DOWNLOADS_FETCH_H_
#define STATOR_SYSTEMS_DOWNLOADS_FETCH_H_

#include <expected>
#include <string>
#include <string_view>
#include <utility>

#include "systems/downloads/crypto.h"
#include "systems/downloads/job.h"
#include "systems/program/fallible.h"

namespace stator::systems::downloads {

// A file on its way into the folder, under a name of its own; deleted unless it is published.
class PartFile {
 public:
  static Fallible<PartFile> Create(std::string path);
  ~PartFile();
  PartFile(PartFile&& other) noexcept
      : path_(std::exchange(other.path_, {})), fd_(std::exchange(other.fd_, -1)) {}

  Fallible<void> Append(std::string_view bytes);

 private:
  friend class OutputFolder;
  PartFile(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}
  std::string path_;
  int fd_ = -1;
};

// Where finished files go: DIR/accounts-2026-02-28.csv, whole or not at all, written once.
class OutputFolder {
 public:
  // Created if it does not exist.
  static Fallible<OutputFolder> Open(std::string directory);

  std::string PathOf(const FileName& name) const;
  // True if the file exists with this SHA-256, in hex.
  bool Has(const FileName& name, std::string_view checksum) const;

  // `claim` keeps the parts of different claims apart. Removes what dead claims have left.
  Fallible<PartFile> Begin(const FileName& name, std::string_view claim) const;

  enum class Published { kNew, kWasThere };
  // On disk when this returns. A file that exists with the same checksum stays as it is; one with
  // another checksum is replaced.
  Fallible<Published> Publish(PartFile part, const FileName& name, std::string_view checksum) const;

 private:
  explicit OutputFolder(std::string directory) : directory_(std::move(directory)) {}
  std::string directory_;
};

struct FetchError {
  std::string message;
  bool hopeless = false;  // trying again cannot help
};

enum class Fetched {
  kDownloaded,
  kWasThere,  // the folder has the file; if it had it before, nothing was downloaded
};

std::expected<Fetched, FetchError> Fetch(const SourceFile& file, std::string_view claim,
                                         const KeyPair& keys, const OutputFolder& output);

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_FETCH_H_
