#include "server/gzip.h"

#include <algorithm>

#include "base/check.h"
#include "server/exchange.h"

namespace stator::server {
namespace {

// The fastest level: answers are sent once, mostly over short distances.
constexpr int kCompressionLevel = 1;
// A gzip file ends with the length of its contents, little endian, modulo 2^32.
constexpr std::size_t kLengthBytes = 4;
constexpr std::size_t kSmallestGzipBytes = 18;
// Deflate cannot shrink anything further than this.
constexpr std::size_t kDeflateRatioMax = 1032;

std::size_t ClaimedLength(std::string_view gzip) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < kLengthBytes; ++i) {
    const auto byte = static_cast<unsigned char>(gzip[gzip.size() - kLengthBytes + i]);
    length |= std::size_t{byte} << (8 * i);
  }
  return length;
}

bool IsZeroQuality(std::string_view parameters) {
  const std::size_t q = parameters.find("q=0");
  if (q == std::string_view::npos) return false;
  return http::TrimBlanks(parameters.substr(q + 3)).find_first_not_of(".0") ==
         std::string_view::npos;
}

}  // namespace

std::uint32_t Crc32(std::string_view bytes) {
  return libdeflate_crc32(0, bytes.data(), bytes.size());
}

bool AcceptsGzip(std::string_view accept_encoding) {
  while (!accept_encoding.empty()) {
    const std::size_t comma = std::min(accept_encoding.find(','), accept_encoding.size());
    const std::string_view coding = accept_encoding.substr(0, comma);
    const std::size_t semicolon = std::min(coding.find(';'), coding.size());
    if (http::SameHeaderName(http::TrimBlanks(coding.substr(0, semicolon)), "gzip")) {
      return !IsZeroQuality(coding.substr(semicolon));
    }
    accept_encoding.remove_prefix(std::min(comma + 1, accept_encoding.size()));
  }
  return false;
}

std::string Gzip::Compress(std::string_view bytes) {
  if (!compressor_) compressor_.reset(libdeflate_alloc_compressor(kCompressionLevel));
  STATOR_CHECK(compressor_ != nullptr);
  std::string out(libdeflate_gzip_compress_bound(compressor_.get(), bytes.size()), '\0');
  const std::size_t size = libdeflate_gzip_compress(compressor_.get(), bytes.data(), bytes.size(),
                                                    out.data(), out.size());
  STATOR_CHECK(size > 0);
  out.resize(size);
  return out;
}

std::expected<PaddedBuffer, Gzip::Problem> Gzip::Decompress(std::string_view bytes,
                                                            std::size_t bytes_max) {
  if (bytes.size() < kSmallestGzipBytes) return std::unexpected(Problem::kMalformed);
  const std::size_t claimed = ClaimedLength(bytes);
  if (claimed > bytes_max) return std::unexpected(Problem::kTooLarge);
  if (claimed > bytes.size() * kDeflateRatioMax) return std::unexpected(Problem::kMalformed);

  if (!decompressor_) decompressor_.reset(libdeflate_alloc_decompressor());
  STATOR_CHECK(decompressor_ != nullptr);
  PaddedBuffer out;
  char* room = out.Overwrite(claimed);
  // Without a place for the actual size, anything but exactly `claimed` bytes is a failure.
  const libdeflate_result result = libdeflate_gzip_decompress(decompressor_.get(), bytes.data(),
                                                              bytes.size(), room, claimed, nullptr);
  if (result != LIBDEFLATE_SUCCESS) return std::unexpected(Problem::kMalformed);
  return out;
}

}  // namespace stator::server
