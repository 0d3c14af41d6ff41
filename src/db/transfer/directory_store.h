// Buckets as folders of one directory: s3://bucket/key is DIRECTORY/bucket/key.
//
// No name leads out of the directory: names are checked, and symbolic links below it are never
// followed.
#ifndef STATOR_TRANSFER_DIRECTORY_STORE_H_
#define STATOR_TRANSFER_DIRECTORY_STORE_H_

#include <unistd.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "transfer/object_store.h"

namespace stator::transfer {

// An open file, closed with its owner.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
  }

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  // Gives up the descriptor, which stays open.
  int Release() { return std::exchange(fd_, -1); }

 private:
  int fd_ = -1;
};

class DirectoryStore final : public ObjectStore {
 public:
  // Makes the directory if it does not exist.
  static TransferResult<std::unique_ptr<DirectoryStore>> Open(const std::string& directory);

  bool HasBucket(std::string_view bucket) const override;
  TransferResult<std::unique_ptr<ByteSource>> Open(std::string_view bucket,
                                                   std::string_view key) const override;
  // The file has another name until it is complete and on the disk.
  TransferResult<std::unique_ptr<ObjectWriter>> Create(std::string_view bucket,
                                                       std::string_view key) override;
  TransferResult<std::vector<ObjectInfo>> List(std::string_view bucket, std::string_view prefix,
                                               std::size_t objects_max) const override;

 private:
  explicit DirectoryStore(FileDescriptor root) : root_(std::move(root)) {}
  // The folder below the bucket.
  TransferResult<FileDescriptor> OpenFolder(std::string_view bucket,
                                            std::span<const std::string> folders, bool make) const;

  FileDescriptor root_;
};

}  // namespace stator::transfer

#endif  // STATOR_TRANSFER_DIRECTORY_STORE_H_
