// Compressed streams. Memory is bounded whatever the input claims: a chunk in and a chunk out, and
// zstd's window of at most 128 MiB.
#ifndef STATOR_TRANSFER_COMPRESSION_H_
#define STATOR_TRANSFER_COMPRESSION_H_

#include <cstdint>
#include <memory>
#include <string_view>

#include "transfer/byte_stream.h"

namespace stator::transfer {

enum class Compression : std::uint8_t { kNone, kGzip, kZstd };

// The unpacked bytes. Reads return kCorrupt for damaged and for truncated streams, with the
// position in the packed bytes. Members that follow one another are one stream; an empty file is an
// empty stream.
std::unique_ptr<ByteSource> Unpacked(Compression compression, std::unique_ptr<ByteSource> packed);

// Compresses with gzip what is written to it. The stream is complete after Finish.
class GzipSink final : public ByteSink {
 public:
  // REQUIRES: `packed` outlives this.
  explicit GzipSink(ByteSink& packed);
  ~GzipSink() override;
  GzipSink(const GzipSink&) = delete;
  GzipSink& operator=(const GzipSink&) = delete;

  TransferResult<void> Write(std::string_view bytes) override;
  TransferResult<void> Finish();

 private:
  struct Stream;
  TransferResult<void> Pump(std::string_view bytes, int flush);
  ByteSink& packed_;
  std::unique_ptr<Stream> stream_;
};

}  // namespace stator::transfer

#endif  // STATOR_TRANSFER_COMPRESSION_H_
