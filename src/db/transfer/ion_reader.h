// ION: Ion values one after the other, as text or as binary. A list at the top is read as if its
// elements stood alone.
#ifndef STATOR_TRANSFER_ION_READER_H_
#define STATOR_TRANSFER_ION_READER_H_

#include <memory>
#include <optional>

#include "transfer/input_window.h"
#include "transfer/ion_binary_parser.h"
#include "transfer/ion_symbols.h"
#include "transfer/ion_text_parser.h"
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
  // Each reads one value that may turn out to be no record: a version marker, a symbol table,
  // blanks. `more` says whether there was anything.
  TransferResult<std::optional<ReadRecord>> StepText(bool& more);
  TransferResult<std::optional<ReadRecord>> StepBinary(bool& more);

  // Passes what separates values, and the brackets of a list at the top; false at the end.
  bool PassSeparators(IonTextParser& parser);
  // Passes the rest of a malformed record: up to a line that begins like another one.
  TransferResult<void> PassMalformed(std::size_t read);
  // At least so many unread bytes; false if there are not as many.
  TransferResult<bool> Fill(std::size_t count);
  // What a value is to the stream; a record unless it is a marker or a table.
  TransferResult<std::optional<ReadRecord>> Classify(RecordPlace begin, const IonValue& value);

  InputWindow window_;
  IonSymbols symbols_;
  Encoding encoding_ = Encoding::kUnknown;
  bool in_list_ = false;
};

}  // namespace stator::transfer

#endif  // STATOR_TRANSFER_ION_READER_H_
