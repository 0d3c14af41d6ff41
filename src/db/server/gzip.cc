#include "server/gzip.h"

#include <algorithm>
#include <charconv>

#include "base/check.h"
#include "server/exchange.h"

namespace stator::server {
namespace {

// The fastest level: answers are sent once, mostly over short distances.
constexpr int kCompressionLevel = 1;
// A gzip file ends with the length of its contents, little endian, modulo 2^32.
constexpr std::size_t kLengthBytes = 4;
constexpr std::size_t kSmallestGzipBytes = 18;
// When a guess was too small, the next one is at least four times this.
constexpr std::size_t kLeastRoom = 4096;
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

// How much a coding is wanted: "q=0.5", absent for 1. What cannot be read counts as 1, as a coding
// without any does.
double QualityOf(std::string_view parameters) {
  const std::size_t q = parameters.find("q=");
  if (q == std::string_view::npos) return 1;
  const std::string_view text = http::TrimBlanks(parameters.substr(q + 2));
  double quality = 1;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), quality, std::chars_format::fixed);
  return error == std::errc() && quality >= 0 && quality <= 1 ? quality : 1;
}

}  // namespace

std::uint32_t Crc32(std::string_view bytes) {
  return libdeflate_crc32(0, bytes.data(), bytes.size());
}

std::string_view CodingName(Coding coding) {
  switch (coding) {
    case Coding::kIdentity:
      return "";
    case Coding::kGzip:
      return "gzip";
    case Coding::kDeflate:
      return "deflate";
  }
  return "";
}

std::optional<Coding> CodingFromName(std::string_view name) {
  if (name.empty() || http::SameHeaderName(name, "identity")) return Coding::kIdentity;
  for (const Coding coding : {Coding::kGzip, Coding::kDeflate}) {
    if (http::SameHeaderName(name, CodingName(coding))) return coding;
  }
  return std::nullopt;
}

Coding ChooseCoding(std::string_view accept_encoding) {
  Coding best = Coding::kIdentity;
  double best_quality = 0;
  double any_quality = 0;
  bool names_gzip = false;
  while (!accept_encoding.empty()) {
    const std::size_t comma = std::min(accept_encoding.find(','), accept_encoding.size());
    const std::string_view element = accept_encoding.substr(0, comma);
    accept_encoding.remove_prefix(std::min(comma + 1, accept_encoding.size()));
    const std::size_t semicolon = std::min(element.find(';'), element.size());
    const std::string_view name = http::TrimBlanks(element.substr(0, semicolon));
    const double quality = QualityOf(element.substr(semicolon));
    if (name == "*") any_quality = quality;
    const std::optional<Coding> coding = name.empty() ? std::nullopt : CodingFromName(name);
    if (!coding) continue;
    names_gzip = names_gzip || *coding == Coding::kGzip;
    if (quality <= best_quality) continue;
    best = *coding;
    best_quality = quality;
  }
  return !names_gzip && any_quality > best_quality ? Coding::kGzip : best;
}

std::string Gzip::Compress(std::string_view bytes, Coding coding) {
  if (!compressor_) compressor_.reset(libdeflate_alloc_compressor(kCompressionLevel));
  STATOR_CHECK(compressor_ != nullptr);
  const bool gzip = coding == Coding::kGzip;
  const auto bound = gzip ? libdeflate_gzip_compress_bound : libdeflate_zlib_compress_bound;
  const auto compress = gzip ? libdeflate_gzip_compress : libdeflate_zlib_compress;
  std::string out(bound(compressor_.get(), bytes.size()), '\0');
  const std::size_t size =
      compress(compressor_.get(), bytes.data(), bytes.size(), out.data(), out.size());
  STATOR_CHECK(size > 0);
  out.resize(size);
  return out;
}

Gzip::Outcome Gzip::DecompressInto(PaddedBuffer& out, std::string_view bytes, Coding coding) {
  const std::size_t room = out.size();
  char* const to = out.Overwrite(room);
  // What HTTP calls deflate has the frame of zlib around it.
  const auto decompress =
      coding == Coding::kGzip ? libdeflate_gzip_decompress_ex : libdeflate_zlib_decompress_ex;
  std::size_t written = 0;
  do {
    std::size_t member_bytes = 0;
    std::size_t unpacked = 0;
    const libdeflate_result result =
        decompress(decompressor_.get(), bytes.data(), bytes.size(), to + written, room - written,
                   &member_bytes, &unpacked);
    if (result == LIBDEFLATE_INSUFFICIENT_SPACE) return Outcome::kNoRoom;
    if (result != LIBDEFLATE_SUCCESS) return Outcome::kMalformed;
    bytes.remove_prefix(member_bytes);
    written += unpacked;
    if (coding != Coding::kGzip && !bytes.empty()) return Outcome::kMalformed;
  } while (!bytes.empty());
  out.Truncate(written);
  return Outcome::kComplete;
}

std::expected<PaddedBuffer, Gzip::Problem> Gzip::Decompress(std::string_view bytes,
                                                            std::size_t bytes_max, Coding coding) {
  if (!decompressor_) decompressor_.reset(libdeflate_alloc_decompressor());
  STATOR_CHECK(decompressor_ != nullptr);
  // The first guess is right for a single gzip member, and never believed beyond what is possible.
  std::size_t room = std::min(bytes.size() * 4, bytes_max);
  if (coding == Coding::kGzip && bytes.size() >= kSmallestGzipBytes) {
    room = std::min({ClaimedLength(bytes), bytes.size() * kDeflateRatioMax, bytes_max});
  }
  while (true) {
    PaddedBuffer out;
    out.Overwrite(room);
    switch (DecompressInto(out, bytes, coding)) {
      case Outcome::kComplete:
        return out;
      case Outcome::kMalformed:
        return std::unexpected(Problem::kMalformed);
      case Outcome::kNoRoom:
        break;
    }
    if (room >= bytes_max) return std::unexpected(Problem::kTooLarge);
    room = std::min(std::max(room, kLeastRoom) * 4, bytes_max);
  }
}

}  // namespace stator::server
