// Bytes of a request body, with the readable padding behind them that the JSON parser wants.
#ifndef STATOR_SERVER_PADDED_BUFFER_H_
#define STATOR_SERVER_PADDED_BUFFER_H_

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace stator::server {

class PaddedBuffer {
 public:
  // Forgets the bytes, keeps the memory.
  void Clear() { size_ = 0; }
  // Gives the memory back.
  void Free();
  // Makes room for `bytes` in one piece.
  void Reserve(std::size_t bytes);
  void Append(std::string_view bytes);
  // Makes the buffer `bytes` long for somebody to write into. The contents are undefined.
  char* Overwrite(std::size_t bytes);
  // REQUIRES: bytes <= size().
  void Truncate(std::size_t bytes) { size_ = bytes; }

  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  // Zeroes the padding and returns the bytes; valid until the next change.
  std::string_view Padded();

 private:
  struct FreeDeleter {
    void operator()(char* memory) const { std::free(memory); }
  };
  std::unique_ptr<char, FreeDeleter> memory_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;  // without the padding
};

}  // namespace stator::server

#endif  // STATOR_SERVER_PADDED_BUFFER_H_
