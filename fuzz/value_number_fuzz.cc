// Any bytes as the text and as the encoding of a number, and sums of what comes out.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "value/number.h"

namespace {

using namespace stator;  // NOLINT

void CheckNumber(const Number& number) {
  std::string encoded;
  number.AppendEncoded(encoded);
  STATOR_CHECK(EncodedNumberLength(encoded) == encoded.size());
  STATOR_CHECK(Number::Decode(encoded) == number);
  STATOR_CHECK(NumberSizeBytes(encoded) == number.size_bytes());
  STATOR_CHECK(number.size_bytes() >= 1 && number.size_bytes() <= 22);
  const std::string text = number.ToString();
  STATOR_CHECK(Number::Parse(text, Wording::kCurrent).value() == number);
  STATOR_CHECK(Number::Parse(text, Wording::kClassic).value() == number);
  if (const auto integer = number.AsInt64()) {
    STATOR_CHECK(Number::FromInt64(*integer) == number && std::to_string(*integer) == text);
  }
}

void CheckSum(const Number& a, const Number& b) {
  const auto sum = Add(a, b);
  STATOR_CHECK(sum == Add(b, a));
  if (!sum) return;
  CheckNumber(*sum);
  if (const auto back = Subtract(*sum, b)) STATOR_CHECK(*back == a);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto number = Number::Parse(bytes);
  if (number) CheckNumber(*number);
  if (const auto classic = Number::Parse(bytes, Wording::kClassic); classic && number) {
    STATOR_CHECK(*classic == *number);
  }
  if (const auto length = EncodedNumberLength(bytes)) {
    std::string again;
    Number::Decode(bytes.substr(0, *length)).AppendEncoded(again);
    STATOR_CHECK(again == bytes.substr(0, *length));
  }
  if (const std::size_t space = bytes.find(' '); space != std::string_view::npos) {
    const auto a = Number::Parse(bytes.substr(0, space));
    const auto b = Number::Parse(bytes.substr(space + 1));
    if (a && b) CheckSum(*a, *b);
  }
  return 0;
}
