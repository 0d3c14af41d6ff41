// A folder of files as a source publishes it: which files a day has, and their encrypted content.
#ifndef STATOR_SYSTEMS_DOWNLOADS_PUBLISHED_FOLDER_H_
#define STATOR_SYSTEMS_DOWNLOADS_PUBLISHED_FOLDER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "systems/downloads/crypto.h"
#include "systems/downloads/job.h"
#include "systems/program/fallible.h"

namespace stator::systems::downloads {

struct PublishedFile {
  FileName name;
  std::string extension;
  std::string path;
  std::int64_t size_bytes = 0;
  std::string checksum;  // SHA-256, in hex
};

// "Q1-Report.xlsx" is the file of the entity Q1-Report, every day. "Q1-Report-2026-02-28.xlsx" is that
// of this day alone, and goes before the other. Of "a.csv" and "a.json" the entities are the whole
// names: two files of a day cannot share an entity. Thread-safe.
class PublishedFolder {
 public:
  static Fallible<std::unique_ptr<PublishedFolder>> Open(std::string directory);

  // As the folder is now. Files whose names cannot be published are left out.
  std::vector<PublishedFile> FilesOf(const std::string& date) const;
  std::optional<PublishedFile> Find(const FileName& name) const;
  // Those that are left out, for people.
  std::vector<std::string> LeftOut() const;

 private:
  explicit PublishedFolder(std::string directory) : directory_(std::move(directory)) {}
  std::vector<std::string> Names() const;
  // Sets size and checksum; false if it cannot be read. A file that has not changed is not read again.
  bool Measure(PublishedFile& file) const;

  struct Measured {
    std::int64_t changed_ns = 0;
    std::int64_t size_bytes = 0;
    std::string checksum;
  };
  const std::string directory_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, Measured> measured_;  // by path
};

// A file, encrypted while it is read: memory does not grow with it. Of one thread at a time.
class EncryptedFile {
 public:
  static Fallible<std::unique_ptr<EncryptedFile>> Open(const PublishedFile& file, std::string key,
                                                       std::string iv);
  ~EncryptedFile();

  // At most `count` bytes from there on; empty if the file has become shorter. Reading onwards is
  // quick, going back begins at the beginning.
  std::string Read(std::int64_t offset, std::size_t count);

 private:
  EncryptedFile(int fd, std::string key, std::string iv);
  void Rewind();
  // Encrypts a further piece; false at the end.
  bool ReadOn();

  const int fd_;
  const std::string key_;
  const std::string iv_;
  std::optional<Encryptor> encryptor_;  // none: the end has been encrypted
  std::int64_t plain_at_ = 0;
  std::int64_t buffer_at_ = 0;  // of the encrypted file
  std::string buffer_;
};

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_PUBLISHED_FOLDER_H_
