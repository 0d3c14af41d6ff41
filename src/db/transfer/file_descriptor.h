// An open file, closed with its owner.
#ifndef STATOR_TRANSFER_FILE_DESCRIPTOR_H_
#define STATOR_TRANSFER_FILE_DESCRIPTOR_H_

#include <unistd.h>

#include <utility>

namespace stator::transfer {

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
  // Gives the descriptor away.
  int Release() { return std::exchange(fd_, -1); }

 private:
  int fd_ = -1;
};

}  // namespace stator::transfer

#endif  // STATOR_TRANSFER_FILE_DESCRIPTOR_H_
