// gzip through zlib.
#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/check.h"
#include "base/try.h"
#include "transfer/compression.h"
#include "transfer/unpacking_source.h"

namespace stator::transfer {
namespace {

constexpr int kGzipWindowBits = MAX_WBITS + 16;  // 16: with gzip's header and trailer
constexpr int kMemoryLevel = 8;                  // zlib's default
// Export files are written once, beside the work of a server, so little time counts more than the
// last few percent.
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

}  // namespace

std::unique_ptr<ByteSource> GzipUnpacked(std::unique_ptr<ByteSource> packed) {
  return std::make_unique<GzipSource>(std::move(packed));
}

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

}  // namespace stator::transfer
