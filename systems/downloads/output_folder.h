// Where finished files go: DIR/accounts-2026-02-28.csv, whole or not at all, written once.
#ifndef STATOR_SYSTEMS_DOWNLOADS_OUTPUT_FOLDER_H_
#define STATOR_SYSTEMS_DOWNLOADS_OUTPUT_FOLDER_H_

#include <expected>
#include <string>
#include <string_view>
#include <utility>

#include "systems/downloads/file_name.h"

namespace stator::systems::downloads {

// A file on its way into the folder, under a name of its own; deleted unless it is published.
class PartFile {
 public:
  static std::expected<PartFile, std::string> Create(std::string path);
  ~PartFile();
  PartFile(PartFile&& other) noexcept
      : path_(std::exchange(other.path_, {})), fd_(std::exchange(other.fd_, -1)) {}

  std::expected<void, std::string> Append(std::string_view bytes);

 private:
  friend class OutputFolder;
  PartFile(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}
  std::string path_;
  int fd_ = -1;
};

class OutputFolder {
 public:
  // Made if it is not there.
  static std::expected<OutputFolder, std::string> Open(std::string directory);

  std::string PathOf(const FileName& name) const;
  // True if the file is there with this SHA-256, in hex.
  bool Has(const FileName& name, std::string_view checksum) const;

  // `claim` keeps the parts of different claims apart. What dead claims have left is removed.
  std::expected<PartFile, std::string> Begin(const FileName& name, std::string_view claim) const;

  enum class Published { kNew, kWasThere };
  // On disk when this returns. A file that is there with the same checksum stays as it is; one with
  // another is replaced.
  std::expected<Published, std::string> Publish(PartFile part, const FileName& name,
                                                std::string_view checksum) const;

 private:
  explicit OutputFolder(std::string directory) : directory_(std::move(directory)) {}
  std::string directory_;
};

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_OUTPUT_FOLDER_H_
