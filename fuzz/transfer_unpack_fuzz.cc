// Any bytes as compressed ones: they are refused, or unpack to the same however they are cut.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/check.h"
#include "transfer/compression.h"
#include "transfer/testing/string_streams.h"

namespace {

using namespace stator::transfer;  // NOLINT

constexpr std::size_t kUnpackedMax = 1 << 22;

TransferResult<std::string> Unpack(Compression compression, std::string packed,
                                   std::size_t piece_bytes) {
  const std::unique_ptr<ByteSource> source = Unpacked(
      compression, std::make_unique<testing::StringSource>(std::move(packed), piece_bytes));
  std::string bytes;
  std::array<char, 4096> chunk;
  while (bytes.size() < kUnpackedMax) {
    const TransferResult<std::size_t> count = source->Read(chunk);
    if (!count) return std::unexpected(count.error());
    if (*count == 0) break;
    bytes.append(chunk.data(), *count);
  }
  bytes.resize(std::min(bytes.size(), kUnpackedMax));
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Compression compression = data[0] % 2 == 0 ? Compression::kGzip : Compression::kZstd;
  const std::string packed(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto whole = Unpack(compression, packed, kChunkBytes);
  const auto cut = Unpack(compression, packed, 3);
  // zstd checks the size that a frame claims only if it sees the whole frame at once.
  if (compression == Compression::kGzip) STATOR_CHECK(whole.has_value() == cut.has_value());
  if (whole && cut) STATOR_CHECK(*whole == *cut);
  return 0;
}
