// gzip and deflate for bodies, and the checksum that DynamoDB sends with every answer.
#ifndef STATOR_SERVER_GZIP_H_
#define STATOR_SERVER_GZIP_H_

#include <libdeflate.h>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "server/exchange.h"

namespace stator::server {

std::uint32_t Crc32(std::string_view bytes);

// "gzip", "deflate"; empty for kIdentity.
std::string_view CodingName(Coding coding);
// Of a Content-Encoding header; nothing if it is none of them. Empty counts as identity.
std::optional<Coding> CodingFromName(std::string_view name);

// What an Accept-Encoding header likes best: the highest quality, among equals the one named first.
// Quality 0 forbids; "*" stands for gzip unless gzip is named.
Coding ChooseCoding(std::string_view accept_encoding);

// Makes its compressor and decompressor when they are first needed. Not thread-safe.
class Gzip {
 public:
  enum class Problem : std::uint8_t { kMalformed, kTooLarge };

  // REQUIRES: not kIdentity, here and below.
  std::string Compress(std::string_view bytes, Coding coding = Coding::kGzip);
  // Several gzip members in a row are one text. Never holds more than `bytes_max` bytes, whatever
  // the input claims or unpacks to.
  std::expected<PaddedBuffer, Problem> Decompress(std::string_view bytes, std::size_t bytes_max,
                                                  Coding coding = Coding::kGzip);

 private:
  enum class Outcome : std::uint8_t { kComplete, kNoRoom, kMalformed };
  // Unpacks into `out`, which has its size; cuts it to what there was.
  Outcome DecompressInto(PaddedBuffer& out, std::string_view bytes, Coding coding);

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
