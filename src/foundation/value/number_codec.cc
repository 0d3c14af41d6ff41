#include "value/number_codec.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "value/output_cursor.h"

namespace stator {
namespace {

constexpr unsigned char kZero = 0x80;
constexpr unsigned char kPositive = 0x81;
constexpr unsigned char kNegative = 0x7F;
constexpr int kExponentBias = 129;
constexpr std::size_t kMaxPairs = kMaxDigits / 2;
constexpr std::size_t kMaxEncoded = kMaxPairs + 3;
static_assert(kMaxEncoded == kMaxNumberEncoding);

constexpr std::array<std::array<char, 2>, 100> kPairText = [] {
  std::array<std::array<char, 2>, 100> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    table[i] = {static_cast<char>('0' + i / 10), static_cast<char>('0' + i % 10)};
  }
  return table;
}();

unsigned char At(std::string_view bytes, std::size_t index) {
  return static_cast<unsigned char>(bytes[index]);
}

// Writes the pairs of `value`, at least `least` of them, so that they end at `end`.
unsigned char* WritePairs(std::uint64_t value, unsigned char* end, int least) {
  for (; value != 0 || least > 0; --least) {
    *--end = static_cast<unsigned char>(value % 100 + 1);
    value /= 100;
  }
  return end;
}

// The pairs of a mantissa with an even number of digits. A machine word holds nine pairs.
unsigned char* WriteMantissa(Uint128 mantissa, unsigned char* end) {
  constexpr int kWordPairs = 9;
  constexpr std::uint64_t kWord = 1'000'000'000'000'000'000;
  while (mantissa >= kWord) {
    end = WritePairs(static_cast<std::uint64_t>(mantissa % kWord), end, kWordPairs);
    mantissa /= kWord;
  }
  return WritePairs(static_cast<std::uint64_t>(mantissa), end, 0);
}

// The parts of an encoding that is not zero.
struct EncodedParts {
  explicit EncodedParts(std::string_view encoded)
      : flip(At(encoded, 0) == kNegative ? 0xFF : 0x00),
        point((At(encoded, 1) ^ flip) - kExponentBias),
        pairs(encoded.data() + 2, encoded.size() - 3) {}

  unsigned Pair(std::size_t index) const { return (At(pairs, index) ^ flip) - 1U; }
  int DigitCount() const {
    return static_cast<int>(pairs.size()) * 2 - (Pair(pairs.size() - 1) % 10 == 0 ? 1 : 0);
  }

  void WriteDigits(char* to) const {
    for (const char pair : pairs) {
      std::memcpy(to, kPairText[(static_cast<unsigned char>(pair) ^ flip) - 1U].data(), 2);
      to += 2;
    }
  }

  unsigned char flip;
  int point;
  std::string_view pairs;
};

// Bytes charged: one per two digits on each side of the point, one more for the number itself and
// one for a minus. Zeros that only place the point are free.
int ChargedBytes(int digits, int point, bool negative) {
  const int integer = std::clamp(point, 0, digits);
  const int fraction = digits - integer;
  return 1 + (integer + 1) / 2 + (fraction + 1) / 2 + (negative ? 1 : 0);
}

bool IsZero(std::string_view encoded) { return At(encoded, 0) == kZero; }

// Encodes a number of at most 38 characters without an exponent or a plus, as nearly all are;
// nullptr for any other text.
char* EncodePlain(char* to, std::string_view text) {
  if (text.size() > kMaxDigits) return nullptr;
  const bool negative = text.starts_with('-');
  const char* const begin = text.data() + (negative ? 1 : 0);
  const char* const end = text.data() + text.size();
  const char* point = nullptr;
  // The significant digits. Behind them is room for a zero that fills the last pair.
  std::array<unsigned char, kMaxDigits + 1> digits;
  int count = 0;
  for (const char* at = begin; at != end; ++at) {
    const auto digit = static_cast<unsigned char>(*at - '0');
    if (digit > 9) {
      if (*at != '.' || point != nullptr) return nullptr;
      point = at;
      continue;
    }
    digits[static_cast<std::size_t>(count)] = digit;
    if (count != 0 || digit != 0) ++count;
  }
  if (end - begin == (point == nullptr ? 0 : 1)) return nullptr;
  if (count == 0) {
    *to = static_cast<char>(kZero);
    return to + 1;
  }
  const int fraction = point == nullptr ? 0 : static_cast<int>(end - point) - 1;
  const int exponent = count - fraction + kExponentBias;
  while (digits[static_cast<std::size_t>(count) - 1] == 0) --count;
  digits[static_cast<std::size_t>(count)] = 0;
  const int flip = negative ? 0xFF : 0x00;
  *to++ = static_cast<char>(negative ? kNegative : kPositive);
  *to++ = static_cast<char>(exponent ^ flip);
  for (const unsigned char* pair = digits.data(); pair < digits.data() + count; pair += 2) {
    *to++ = static_cast<char>((pair[0] * 10 + pair[1] + 1) ^ flip);
  }
  *to++ = static_cast<char>(flip);
  return to;
}

}  // namespace

void Number::AppendEncoded(std::string& out) const {
  if (mantissa_ == 0) {
    out.push_back(static_cast<char>(kZero));
    return;
  }
  const int digits = DigitCount(mantissa_);
  std::array<unsigned char, kMaxEncoded> bytes;
  unsigned char* const end = bytes.data() + bytes.size();
  unsigned char* begin = end;
  *--begin = 0x00;
  const bool odd = digits % 2 != 0;
  begin = WriteMantissa(odd ? mantissa_ * 10 : mantissa_, begin);
  *--begin = static_cast<unsigned char>(digits + exponent_ + kExponentBias);
  *--begin = kPositive;
  if (negative_) {
    for (unsigned char* byte = begin; byte != end; ++byte)
      *byte = static_cast<unsigned char>(~*byte);
    *begin = kNegative;
  }
  out.append(reinterpret_cast<const char*>(begin), static_cast<std::size_t>(end - begin));
}

Number Number::Decode(std::string_view encoded) {
  Number number;
  if (IsZero(encoded)) return number;
  const EncodedParts parts(encoded);
  for (std::size_t i = 0; i + 1 < parts.pairs.size(); ++i) {
    number.mantissa_ = number.mantissa_ * 100 + parts.Pair(i);
  }
  const unsigned last = parts.Pair(parts.pairs.size() - 1);
  const bool odd = last % 10 == 0;
  number.mantissa_ = odd ? number.mantissa_ * 10 + last / 10 : number.mantissa_ * 100 + last;
  number.exponent_ = parts.point - parts.DigitCount();
  number.negative_ = parts.flip != 0;
  return number;
}

void Number::AppendText(std::string& out) const {
  std::string encoded;
  AppendEncoded(encoded);
  AppendNumberText(out, encoded);
}

int Number::size_bytes() const {
  if (mantissa_ == 0) return 1;
  const int digits = DigitCount(mantissa_);
  return ChargedBytes(digits, digits + exponent_, negative_);
}

std::expected<char*, NumberProblem> EncodeNumber(char* to, std::string_view text, Wording wording) {
  if (char* const end = EncodePlain(to, text)) [[likely]]
    return end;
  const auto number = Number::Parse(text, wording);
  if (!number) return std::unexpected(number.error());
  std::string encoded;
  number->AppendEncoded(encoded);
  return CopyBytes(to, encoded);
}

char* WriteNumberText(char* to, std::string_view encoded) {
  if (IsZero(encoded)) {
    *to = '0';
    return to + 1;
  }
  const EncodedParts parts(encoded);
  const int count = parts.DigitCount();
  const int point = parts.point;
  if (parts.flip != 0) *to++ = '-';
  if (point >= count) {
    parts.WriteDigits(to);
    std::fill(to + count, to + point, '0');
    return to + point;
  }
  if (point > 0) {
    parts.WriteDigits(to);
    // The digits behind the point move up by one; a fixed count of bytes needs no loop.
    std::array<char, kMaxDigits> fraction;
    std::memcpy(fraction.data(), to + point, fraction.size());
    to[point] = '.';
    std::memcpy(to + point + 1, fraction.data(), fraction.size());
    return to + count + 1;
  }
  *to++ = '0';
  *to++ = '.';
  to = std::fill_n(to, -point, '0');
  parts.WriteDigits(to);
  return to + count;
}

void AppendNumberText(std::string& out, std::string_view encoded) {
  std::array<char, kNumberTextRoom> text;
  out.append(text.data(), WriteNumberText(text.data(), encoded));
}

int NumberSizeBytes(std::string_view encoded) {
  if (IsZero(encoded)) return 1;
  const EncodedParts parts(encoded);
  return ChargedBytes(parts.DigitCount(), parts.point, parts.flip != 0);
}

std::optional<std::size_t> EncodedNumberLength(std::string_view bytes) {
  if (bytes.empty()) return std::nullopt;
  const unsigned char kind = At(bytes, 0);
  if (kind == kZero) return 1;
  if (kind != kPositive && kind != kNegative) return std::nullopt;
  const unsigned char flip = kind == kNegative ? 0xFF : 0x00;
  unsigned char previous = 0;
  for (std::size_t i = 2; i < bytes.size() && i < kMaxEncoded; ++i) {
    const auto pair = static_cast<unsigned char>(At(bytes, i) ^ flip);
    if (pair == 0) {
      // The end: at least one pair, and the last one is not 00.
      return previous > 1 ? std::optional(i + 1) : std::nullopt;
    }
    if (pair > 100 || (i == 2 && pair <= 10)) return std::nullopt;
    previous = pair;
  }
  return std::nullopt;
}

}  // namespace stator
