// A small, fast, seeded source of numbers: the same seed gives the same load.
#ifndef STATOR_BENCH_PRNG_H_
#define STATOR_BENCH_PRNG_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace stator::bench {

// Spreads nearby numbers over all 64 bits.
inline std::uint64_t Scramble(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31);
}

// SplitMix64. Not thread-safe.
class Prng {
 public:
  explicit Prng(std::uint64_t seed) : state_(Scramble(seed)) {}

  std::uint64_t Next() { return Scramble(state_ += 0x9e3779b97f4a7c15U); }
  // 0 … bound - 1. REQUIRES: bound > 0.
  std::uint64_t Below(std::uint64_t bound) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(Next()) * bound) >> 64);
  }
  // [0, 1)
  double Unit() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }

  // Text that no compressor makes smaller than three quarters.
  void AppendText(std::string& out, std::size_t length) {
    static constexpr char kLetters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    constexpr std::size_t kPerDraw = 10;  // six bits each
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < length; ++i, bits >>= 6) {
      if (i % kPerDraw == 0) bits = Next();
      out.push_back(kLetters[bits & 63]);
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace stator::bench

#endif  // STATOR_BENCH_PRNG_H_
