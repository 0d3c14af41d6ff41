// What the lines of exports and imports hold, and how they are read one by one.
#ifndef STATOR_TRANSFER_RECORD_H_
#define STATOR_TRANSFER_RECORD_H_

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "stator/item.h"
#include "transfer/byte_stream.h"
#include "transfer/transfer_error.h"

namespace stator::transfer {

enum class DataFormat : std::uint8_t { kDynamoDbJson, kIon, kCsv };
std::string_view FormatName(DataFormat format);  // "DYNAMODB_JSON", "ION", "CSV"

// What an incremental export shows of every change.
enum class ExportView : std::uint8_t { kNewAndOldImages, kNewImage };
std::string_view ViewName(ExportView view);  // "NEW_AND_OLD_IMAGES", "NEW_IMAGE"

// One line of an incremental export: how an item changed over the time it covers. No new image: it
// was deleted. No old image: it was created, or the view leaves it out.
struct ChangeRecord {
  std::int64_t write_timestamp_us = 0;  // of the last change
  Item keys;
  std::optional<Item> new_image;
  std::optional<Item> old_image;
  friend bool operator==(const ChangeRecord&, const ChangeRecord&) = default;
};

using Record = std::variant<Item, ChangeRecord>;

// Where a record begins in its unpacked object.
struct RecordPlace {
  std::uint64_t line = 0;  // from 1; 0 in a binary format
  std::uint64_t offset = 0;
};

struct ReadRecord {
  RecordPlace place;
  std::expected<Record, std::string> content;  // or why it is not one
};

// Reads an object record by record.
class RecordReader {
 public:
  virtual ~RecordReader() = default;
  // The next record; nothing behind the last. A malformed record is returned with its problem, and
  // reading goes on behind it. An error ends the object.
  virtual TransferResult<std::optional<ReadRecord>> Next() = 0;
  // Where the reader is: behind the last record that it returned.
  virtual RecordPlace place() const = 0;
};

// The item, or the problem for which the value layer refuses it.
std::expected<Item, std::string> AcceptedItem(Item item);

// Readers accept a byte order mark at the start of an object, and blanks around lines.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
inline constexpr std::string_view kLineBlanks = " \t\r";

// A record with a longer text is not read. An item of 400 KB in its longest form needs a quarter of
// it.
inline constexpr std::size_t kRecordBytesMax = 16 * 1024 * 1024;

// The part of an object that a reader looks at: it begins at the next unread byte and grows until a
// record ends in it.
class InputWindow {
 public:
  // Grows by at least `chunk_bytes`.
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

  // kCorrupt if more than kRecordBytesMax were consumed since `start`: a reader that finds only
  // blanks and broken records gives up, or a small compressed file could keep it busy for hours.
  TransferResult<void> CheckProgress(std::uint64_t start) const;

  // Where the first unread byte is: how many bytes came before it, and its line, from 1.
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

#endif  // STATOR_TRANSFER_RECORD_H_
