// ION: a sequence of Ion values, as text or as binary. The elements of a list at the top are read
// as records. Both encodings have the same values:
//
//   string symbol -> S    int decimal float -> N    blob -> B    bool -> BOOL    null… -> NULL
//   list -> L    struct -> M    $dynamodb_SS::[…] -> SS, and the same for NS and BS
//   timestamp, clob, sexp: refused
#ifndef STATOR_TRANSFER_ION_READER_H_
#define STATOR_TRANSFER_ION_READER_H_

#include <memory>
#include <optional>

#include "transfer/ion/binary_parser.h"
#include "transfer/ion/text_parser.h"
#include "transfer/ion/value.h"
#include "transfer/record.h"

namespace stator::transfer {

class IonReader final : public RecordReader {
 public:
  explicit IonReader(std::unique_ptr<ByteSource> source, std::size_t chunk_bytes = kChunkBytes)
      : window_(std::move(source), chunk_bytes) {}

  TransferResult<std::optional<ReadRecord>> Next() override;
  RecordPlace place() const override;

 private:
  enum class Encoding : std::uint8_t { kUnknown, kText, kBinary };

  TransferResult<void> Detect();
  // Each reads one value. It need not be a record: it may be a version marker, a symbol table or
  // blanks. `more` is false at the end.
  TransferResult<std::optional<ReadRecord>> StepText(bool& more);
  TransferResult<std::optional<ReadRecord>> StepBinary(bool& more);

  // Passes what separates values, and the brackets of a list at the top; false at the end.
  bool PassSeparators(IonTextParser& parser);
  // Passes the rest of a malformed record: up to a line that begins like another one.
  TransferResult<void> PassMalformed(std::size_t read);
  // Reads until `count` bytes are unread; false if the object ends before.
  TransferResult<bool> Fill(std::size_t count);
  // Makes a record of the value, unless it is a version marker or a symbol table.
  TransferResult<std::optional<ReadRecord>> Classify(RecordPlace begin, const IonValue& value);

  InputWindow window_;
  IonSymbols symbols_;
  Encoding encoding_ = Encoding::kUnknown;
  bool in_list_ = false;
};

}  // namespace stator::transfer

#endif  // STATOR_TRANSFER_ION_READER_H_
