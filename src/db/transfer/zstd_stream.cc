// zstd, for imports.
#include <zstd.h>

#include "base/check.h"
#include "transfer/unpacking_source.h"

namespace stator::transfer {
namespace {

// 128 MiB: what every level of the zstd program needs without its --long option.
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

  // Looks at the first bytes of a frame. The library would also unpack formats from before zstd was
  // finished, which nobody writes and which were never made safe against hostile bytes.
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
    // 0 says that a frame is complete and all of it was given out.
    step.member_ended = status == 0;
    if (step.member_ended) magic_passed_ = 0;
    return step;
  }

  std::unique_ptr<ZSTD_DStream, Free> stream_;
  std::size_t magic_passed_ = 0;  // of the frame's first bytes
  bool is_skippable_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> ZstdUnpacked(std::unique_ptr<ByteSource> packed) {
  return std::make_unique<ZstdSource>(std::move(packed));
}

}  // namespace stator::transfer
