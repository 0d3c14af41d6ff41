// DYNAMODB_JSON: one JSON object per line.
//
//   {"Item":{"pk":{"S":"a"},"n":{"N":"1"}}}                                       a full export
//   {"Metadata":{"WriteTimestampMicros":{"N":"1684374845117899"}},
//    "Keys":{…},"OldImage":{…},"NewImage":{…}}                                    an incremental one
#ifndef STATOR_TRANSFER_JSON_LINES_H_
#define STATOR_TRANSFER_JSON_LINES_H_

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "transfer/record.h"
#include "value/json.h"

namespace stator::transfer {

// Appends one line with its newline.
void AppendJsonItem(std::string& out, ItemView item);
void AppendJsonChange(std::string& out, const ChangeRecord& change, ExportView view);

class JsonLinesReader final : public RecordReader {
 public:
  explicit JsonLinesReader(std::unique_ptr<ByteSource> source,
                           std::size_t chunk_bytes = kChunkBytes)
      : window_(std::move(source), chunk_bytes) {}

  TransferResult<std::optional<ReadRecord>> Next() override;
  RecordPlace place() const override { return {window_.line(), window_.offset()}; }

 private:
  // Length of the next line without its newline, once it is whole in the window.
  TransferResult<std::size_t> FindLine();
  std::expected<Record, std::string> ReadLine(std::string_view line);

  InputWindow window_;
  JsonDocument document_;
};

}  // namespace stator::transfer

#endif  // STATOR_TRANSFER_JSON_LINES_H_
