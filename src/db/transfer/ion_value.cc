#include "transfer/ion_value.h"

#include <algorithm>

namespace stator::transfer {

std::string_view IonTypeName(IonType type) {
  switch (type) {
    case IonType::kNull:
      return "null";
    case IonType::kBool:
      return "bool";
    case IonType::kInt:
      return "int";
    case IonType::kFloat:
      return "float";
    case IonType::kDecimal:
      return "decimal";
    case IonType::kTimestamp:
      return "timestamp";
    case IonType::kSymbol:
      return "symbol";
    case IonType::kString:
      return "string";
    case IonType::kClob:
      return "clob";
    case IonType::kBlob:
      return "blob";
    case IonType::kList:
      return "list";
    case IonType::kSexp:
      return "sexp";
    case IonType::kStruct:
      return "struct";
  }
  return {};
}

IonResult<std::string> DecimalDigits(std::string_view magnitude) {
  constexpr std::size_t kBytesMax = 64;  // 10^126 has 53
  const std::size_t first = magnitude.find_first_not_of('\0');
  if (first == std::string_view::npos) return "0";
  magnitude.remove_prefix(first);
  if (magnitude.size() > kBytesMax) return std::unexpected("an integer has too many digits");
  // Divides by 10^9 until nothing is left.
  constexpr std::uint64_t kBase = 1'000'000'000;
  constexpr int kBaseDigits = 9;
  std::string rest(magnitude);
  std::string digits;  // last digit first
  while (rest.find_first_not_of('\0') != std::string::npos) {
    std::uint64_t remainder = 0;
    for (char& byte : rest) {
      const std::uint64_t part = remainder << 8 | static_cast<unsigned char>(byte);
      byte = static_cast<char>(part / kBase);
      remainder = part % kBase;
    }
    for (int i = 0; i < kBaseDigits; ++i, remainder /= 10) {
      digits.push_back(static_cast<char>('0' + remainder % 10));
    }
  }
  digits.erase(digits.find_last_not_of('0') + 1);
  std::ranges::reverse(digits);
  return digits;
}

}  // namespace stator::transfer
