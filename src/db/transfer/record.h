// What the lines of exports and imports hold, and how they are read one by one.
#ifndef STATOR_TRANSFER_RECORD_H_
#define STATOR_TRANSFER_RECORD_H_

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "stator/item.h"
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
  // The next record; nothing behind the last. A record that is wrong in itself is given with what
  // is wrong, and reading goes on behind it. An error ends the object.
  virtual TransferResult<std::optional<ReadRecord>> Next() = 0;
  // Where the reader stands: behind the last record that it gave.
  virtual RecordPlace place() const = 0;
};

// A value that the value layer refused, as the content of a record.
std::expected<Item, std::string> AcceptedItem(Item item);

}  // namespace stator::transfer

#endif  // STATOR_TRANSFER_RECORD_H_
