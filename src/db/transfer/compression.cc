#include "transfer/compression.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/try.h"
#include "transfer/byte_stream.h"

namespace stator::transfer {
namespace {

// What the two decompressors share: input in chunks, and whether the stream may end.
class UnpackingSource : public ByteSource {
 public:
  explicit UnpackingSource(std::unique_ptr<ByteSource> packed)
      : packed_(std::move(packed)), chunk_(kChunkBytes) {}

  TransferResult<std::size_t> Read(std::span<char> out) final;

 protected:
  struct Step {
    std::size_t taken = 0;  // of the input
    std::size_t given = 0;  // to the output
    std::string_view problem = {};
    bool member_ended = false;
  };
  // Unpacks some of `in` into `out`. After a member's end the next step begins a new one.
  virtual Step Unpack(std::string_view in, std::span<char> out) = 0;

 private:
  TransferResult<void> Refill();

  std::unique_ptr<ByteSource> packed_;
  std::vector<char> chunk_;
  std::string_view in_;
  std::uint64_t offset_ = 0;  // of in_ among the packed bytes
  bool in_member_ = false;
  bool ended_ = false;
};

TransferResult<void> UnpackingSource::Refill() {
  ASSIGN_OR_RETURN(const std::size_t count, packed_->Read(chunk_));
  in_ = {chunk_.data(), count};
  ended_ = count == 0;
  return {};
}

TransferResult<std::size_t> UnpackingSource::Read(std::span<char> out) {
  for (;;) {
    if (in_.empty() && !ended_) RETURN_IF_ERROR(Refill());
    if (in_.empty() && !in_member_) return 0;
    in_member_ = true;
    const Step step = Unpack(in_, out);
    if (!step.problem.empty()) {
      return Corrupt(fmt::format("the compressed data is damaged at byte {}: {}",
                                 offset_ + step.taken, step.problem));
    }
    in_.remove_prefix(step.taken);
    offset_ += step.taken;
    if (step.member_ended) in_member_ = false;
    if (step.given != 0) return step.given;
    // Nothing is left to read, and the decompressor held nothing back.
    if (ended_ && in_member_ && in_.empty()) {
      return Corrupt(fmt::format("the compressed data ends too early, at byte {}", offset_));
    }
  }
}

// gzip, through zlib.
constexpr int kGzipWindowBits = MAX_WBITS + 16;  // 16: with gzip's header and trailer
constexpr int kMemoryLevel = 8;                  // zlib's default
// Export files are written once, while the server works: speed matters more than the last few
// percent.
constexpr int kLevel = 3;

uInt Clamped(std::size_t bytes) {
  return static_cast<uInt>(std::min<std::size_t>(bytes, std::numeric_limits<uInt>::max()));
}

// zlib's interface is older than const.
Bytef* Input(std::string_view bytes) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
}

class GzipSource final : public UnpackingSource {
 public:
  explicit GzipSource(std::unique_ptr<ByteSource> packed) : UnpackingSource(std::move(packed)) {
    STATOR_CHECK(inflateInit2(&stream_, kGzipWindowBits) == Z_OK);
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

 private:
  Step Unpack(std::string_view in, std::span<char> out) override {
    if (between_members_) STATOR_CHECK(inflateReset(&stream_) == Z_OK);
    between_members_ = false;
    stream_.next_in = Input(in);
    stream_.avail_in = Clamped(in.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = Clamped(out.size());
    const uInt in_before = stream_.avail_in;
    const uInt out_before = stream_.avail_out;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    Step step{.taken = in_before - stream_.avail_in, .given = out_before - stream_.avail_out};
    if (status == Z_STREAM_END) {
      step.member_ended = between_members_ = true;
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      step.problem = stream_.msg != nullptr ? stream_.msg : "not gzip";
    }
    return step;
  }

  z_stream stream_{};
  bool between_members_ = false;
};

// zstd, for imports. 128 MiB: what every level of the zstd program needs without its --long option.
constexpr int kWindowLogMax = 27;

constexpr std::string_view kFrameMagic = "\x28\xB5\x2F\xFD";
constexpr std::string_view kSkippableMagic = "\x50\x2A\x4D\x18";  // 50 to 5F

class ZstdSource final : public UnpackingSource {
 public:
  explicit ZstdSource(std::unique_ptr<ByteSource> packed)
      : UnpackingSource(std::move(packed)), stream_(ZSTD_createDStream()) {
    STATOR_CHECK(stream_ != nullptr);
    STATOR_CHECK(
        !ZSTD_isError(ZSTD_DCtx_setParameter(stream_.get(), ZSTD_d_windowLogMax, kWindowLogMax)));
  }

 private:
  struct Free {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };

  // Checks the first bytes of a frame. The library would also unpack formats from before zstd 1.0,
  // which nobody writes and which were never made safe against hostile bytes.
  bool PassMagic(std::string_view in) {
    for (const char byte : in.substr(0, kFrameMagic.size() - magic_passed_)) {
      if (magic_passed_ == 0) is_skippable_ = (byte & 0xF0) == kSkippableMagic.front();
      const std::string_view magic = is_skippable_ ? kSkippableMagic : kFrameMagic;
      const bool fits = byte == magic[magic_passed_] || (is_skippable_ && magic_passed_ == 0);
      if (!fits) return false;
      ++magic_passed_;
    }
    return true;
  }

  Step Unpack(std::string_view in, std::span<char> out) override {
    if (!PassMagic(in)) return {.problem = "not zstd"};
    ZSTD_inBuffer input{in.data(), in.size(), 0};
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    const std::size_t status = ZSTD_decompressStream(stream_.get(), &output, &input);
    Step step{.taken = input.pos, .given = output.pos};
    if (ZSTD_isError(status) != 0U) step.problem = ZSTD_getErrorName(status);
    // 0: a frame is complete, and all of it was returned.
    step.member_ended = status == 0;
    if (step.member_ended) magic_passed_ = 0;
    return step;
  }

  std::unique_ptr<ZSTD_DStream, Free> stream_;
  std::size_t magic_passed_ = 0;  // of the frame's first bytes
  bool is_skippable_ = false;
};

}  // namespace

struct GzipSink::Stream {
  z_stream zlib{};
  std::array<char, kChunkBytes> out{};
};

GzipSink::GzipSink(ByteSink& packed) : packed_(packed), stream_(std::make_unique<Stream>()) {
  STATOR_CHECK(deflateInit2(&stream_->zlib, kLevel, Z_DEFLATED, kGzipWindowBits, kMemoryLevel,
                            Z_DEFAULT_STRATEGY) == Z_OK);
}

GzipSink::~GzipSink() { deflateEnd(&stream_->zlib); }

TransferResult<void> GzipSink::Pump(std::string_view bytes, int flush) {
  z_stream& zlib = stream_->zlib;
  zlib.next_in = Input(bytes);
  zlib.avail_in = Clamped(bytes.size());
  int status = Z_OK;
  do {
    zlib.next_out = reinterpret_cast<Bytef*>(stream_->out.data());
    zlib.avail_out = static_cast<uInt>(stream_->out.size());
    status = deflate(&zlib, flush);
    STATOR_CHECK(status != Z_STREAM_ERROR);
    const std::size_t made = stream_->out.size() - zlib.avail_out;
    if (made != 0) RETURN_IF_ERROR(packed_.Write({stream_->out.data(), made}));
  } while (flush == Z_FINISH ? status != Z_STREAM_END : zlib.avail_out == 0);
  return {};
}

TransferResult<void> GzipSink::Write(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, std::numeric_limits<uInt>::max());
    RETURN_IF_ERROR(Pump(piece, Z_NO_FLUSH));
    bytes.remove_prefix(piece.size());
  }
  return {};
}

TransferResult<void> GzipSink::Finish() { return Pump({}, Z_FINISH); }

std::unique_ptr<ByteSource> Unpacked(Compression compression, std::unique_ptr<ByteSource> packed) {
  switch (compression) {
    case Compression::kNone:
      break;
    case Compression::kGzip:
      return std::make_unique<GzipSource>(std::move(packed));
    case Compression::kZstd:
      return std::make_unique<ZstdSource>(std::move(packed));
  }
  return packed;
}

}  // namespace stator::transfer
