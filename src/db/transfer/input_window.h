// The part of a file that a reader looks at: it begins at the next unread byte and grows while a
// record does not end in it.
#ifndef STATOR_TRANSFER_INPUT_WINDOW_H_
#define STATOR_TRANSFER_INPUT_WINDOW_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "transfer/byte_stream.h"

namespace stator::transfer {

// A record whose text is longer is not read. An item of 400 KB in its widest form needs a quarter.
inline constexpr std::size_t kRecordBytesMax = 16 * 1024 * 1024;

class InputWindow {
 public:
  // Grows by `chunk_bytes` at least.
  InputWindow(std::unique_ptr<ByteSource> source, std::size_t chunk_bytes)
      : source_(std::move(source)), chunk_bytes_(chunk_bytes) {}

  // The bytes that were read and not consumed. kJsonPadding bytes behind them can be read.
  std::string_view unread() const { return {buffer_.data() + begin_, end_ - begin_}; }
  // True if unread() is all that is left.
  bool at_end() const { return at_end_; }

  // Makes unread() longer, twice as long if it can, or finds the end. kCorrupt if it holds
  // kRecordBytesMax already. REQUIRES: !at_end().
  TransferResult<void> ReadMore();
  // Drops bytes from the front of unread().
  void Consume(std::size_t count);

  // kCorrupt if more than kRecordBytesMax were consumed since `start`: whoever looks for a record
  // among blanks and broken ones gives up after that, or a small file could keep it busy for hours.
  TransferResult<void> CheckProgress(std::uint64_t start) const;

  // Of the first unread byte: how many came before it, and in which line it is, from 1.
  std::uint64_t offset() const { return offset_; }
  std::uint64_t line() const { return line_; }

 private:
  void MakeRoom(std::size_t count);

  std::unique_ptr<ByteSource> source_;
  std::size_t chunk_bytes_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t offset_ = 0;
  std::uint64_t line_ = 1;
  bool at_end_ = false;
};

}  // namespace stator::transfer

#endif  // STATOR_TRANSFER_INPUT_WINDOW_H_
