// gzip for bodies, and the checksum that DynamoDB sends with every answer.
#ifndef STATOR_SERVER_GZIP_H_
#define STATOR_SERVER_GZIP_H_

#include <libdeflate.h>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "server/exchange.h"

namespace stator::server {

std::uint32_t Crc32(std::string_view bytes);

// True if an Accept-Encoding header allows gzip.
bool AcceptsGzip(std::string_view accept_encoding);

// Makes its compressor and decompressor when they are first needed. Not thread-safe.
class Gzip {
 public:
  enum class Problem : std::uint8_t { kMalformed, kTooLarge };

  std::string Compress(std::string_view bytes);
  // Never holds more than `bytes_max` bytes, whatever the input claims or unpacks to.
  std::expected<PaddedBuffer, Problem> Decompress(std::string_view bytes, std::size_t bytes_max);

 private:
  struct FreeCompressor {
    void operator()(libdeflate_compressor* c) const { libdeflate_free_compressor(c); }
  };
  struct FreeDecompressor {
    void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
  };
  std::unique_ptr<libdeflate_compressor, FreeCompressor> compressor_;
  std::unique_ptr<libdeflate_decompressor, FreeDecompressor> decompressor_;
};

}  // namespace stator::server

#endif  // STATOR_SERVER_GZIP_H_
