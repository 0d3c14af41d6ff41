// Where finished files go, and what is there of those that are not finished.
#ifndef STATOR_SYSTEMS_DOWNLOADS_OUTPUT_FOLDER_H_
#define STATOR_SYSTEMS_DOWNLOADS_OUTPUT_FOLDER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "systems/downloads/crypto.h"
#include "systems/downloads/job.h"
#include "systems/program/fallible.h"

namespace stator::systems::downloads {

// The beginning of a file, decrypted. It outlives the process that wrote it, so that the next one
// goes on where it stopped; it belongs to one of them at a time.
class PartFile {
 public:
  // Closes it. What is in it stays, unless it was discarded.
  ~PartFile();
  PartFile(PartFile&& other) noexcept
      : path_(std::exchange(other.path_, {})),
        fd_(std::exchange(other.fd_, -1)),
        size_(other.size_),
        is_kept_(other.is_kept_) {}

  std::int64_t size_bytes() const { return size_; }
  Fallible<void> Append(std::string_view bytes);
  // Cuts off what is behind.
  Fallible<void> Truncate(std::int64_t size_bytes);
  Fallible<void> AddTo(Sha256& sum) const;
  // It is of no use to anybody.
  void Discard() { is_kept_ = false; }

 private:
  friend class OutputFolder;
  PartFile(std::string path, int fd, bool is_kept);
  std::string path_;  // empty: it was published
  int fd_ = -1;
  std::int64_t size_ = 0;
  bool is_kept_ = false;
};

// DIR/accounts-2026-02-28.csv, whole or not at all, written once.
class OutputFolder {
 public:
  // Created if it does not exist. Removes the parts of finished files, which killed processes have
  // left.
  static Fallible<OutputFolder> Open(std::string directory);

  std::string PathOf(const SourceFile& file) const;
  // True if the file is there with its checksum.
  bool Has(const SourceFile& file) const;

  // What is there of the file, for this claim alone. While another process, or a claim that was
  // taken away, is still at work on it, this claim begins a part of its own. Removes parts of the
  // file that belong to nobody and that cannot be gone on with.
  Fallible<PartFile> Begin(const SourceFile& file, std::string_view claim) const;

  enum class Published { kNew, kWasThere };
  // On disk when this returns. A file that exists with the same checksum stays as it is; one with
  // another checksum is replaced.
  Fallible<Published> Publish(PartFile part, const SourceFile& file) const;

 private:
  explicit OutputFolder(std::string directory) : directory_(std::move(directory)) {}
  void RemoveOtherParts(const FileName& name, const std::string& own_path) const;
  void RemovePartsOfFinishedFiles() const;
  std::string directory_;
};

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_OUTPUT_FOLDER_H_
