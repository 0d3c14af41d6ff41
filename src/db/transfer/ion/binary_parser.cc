#include "transfer/ion/binary_parser.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "base/try.h"

namespace stator::transfer {
namespace {

constexpr int kLongLength = 14;
constexpr int kNullInfo = 15;
constexpr int kStructType = 13;
constexpr int kAnnotationType = 14;

std::unexpected<std::string> Malformed() {
  return std::unexpected<std::string>("the value's bytes are malformed");
}

// Splits a VarUInt off the front; nothing if it does not end in the bytes or is beyond 63 bits.
std::optional<std::uint64_t> TakeVarUInt(std::string_view& rest) {
  constexpr std::size_t kBytesMax = 9;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < rest.size() && i < kBytesMax; ++i) {
    const auto byte = static_cast<unsigned char>(rest[i]);
    value = value << 7 | (byte & 0x7FU);
    if (byte >= 0x80) {
      rest.remove_prefix(i + 1);
      return value;
    }
  }
  return std::nullopt;
}

// Splits off a VarInt; the sign of its first byte is the second bit.
std::optional<std::int64_t> TakeVarInt(std::string_view& rest) {
  if (rest.empty()) return std::nullopt;
  const auto first = static_cast<unsigned char>(rest.front());
  std::uint64_t value = first & 0x3FU;
  rest.remove_prefix(1);
  if (first < 0x80) {
    std::string_view more = rest;
    const std::optional<std::uint64_t> low = TakeVarUInt(more);
    const std::size_t bytes = rest.size() - more.size();
    if (!low || bytes > 7) return std::nullopt;
    value = value << (7 * bytes) | *low;
    rest = more;
  }
  const auto magnitude = static_cast<std::int64_t>(value);
  return (first & 0x40) != 0 ? -magnitude : magnitude;
}

class BinaryParser {
 public:
  explicit BinaryParser(const IonSymbols& symbols) : symbols_(symbols) {}

  // Splits one value off the front of `rest`.
  IonResult<IonValue> Value(std::string_view& rest, int depth);

 private:
  IonResult<IonValue> Content(const IonHead& head, std::string_view body, int depth);
  IonResult<void> Scalar(IonValue& value, const IonHead& head, std::string_view body);
  IonResult<void> Elements(IonValue& list, std::string_view body, int depth);
  IonResult<void> Fields(IonValue& fields, std::string_view body, int depth);
  IonResult<IonValue> Annotated(std::string_view body, int depth);
  IonResult<std::string> Symbol(std::uint64_t id);
  IonResult<void> Text(IonValue& value, std::string text);

  const IonSymbols& symbols_;
  IonBudget budget_;
};

constexpr IonType kTypes[] = {
    IonType::kNull,    IonType::kBool,      IonType::kInt,    IonType::kInt,    IonType::kFloat,
    IonType::kDecimal, IonType::kTimestamp, IonType::kSymbol, IonType::kString, IonType::kClob,
    IonType::kBlob,    IonType::kList,      IonType::kSexp,   IonType::kStruct};

IonResult<std::string> IntText(bool negative, std::string_view magnitude) {
  ASSIGN_OR_RETURN(std::string digits, DecimalDigits(magnitude));
  return negative ? "-" + digits : digits;
}

IonResult<std::string> FloatText(std::string_view body) {
  double value = 0;
  if (body.size() == sizeof(float)) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, body.data(), sizeof bits);
    value = static_cast<double>(std::bit_cast<float>(__builtin_bswap32(bits)));
  } else if (body.size() == sizeof(double)) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, body.data(), sizeof bits);
    value = std::bit_cast<double>(__builtin_bswap64(bits));
  } else if (!body.empty()) {
    return Malformed();
  }
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "+inf";
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return std::string(text, end);
}

IonResult<std::string> DecimalText(std::string_view body) {
  if (body.empty()) return "0";
  const std::optional<std::int64_t> exponent = TakeVarInt(body);
  if (!exponent) return Malformed();
  std::string magnitude(body);
  const bool negative = !magnitude.empty() && (magnitude.front() & 0x80) != 0;
  if (negative) magnitude.front() = static_cast<char>(magnitude.front() & 0x7F);
  ASSIGN_OR_RETURN(std::string text, IntText(negative, magnitude));
  return text.append("e").append(std::to_string(*exponent));
}

IonResult<IonValue> BinaryParser::Value(std::string_view& rest, int depth) {
  if (!budget_.TakeValue()) return std::unexpected("a record has too many values");
  IonHead head;
  if (ReadIonHead(rest, head) != IonHeadStatus::kOk) return Malformed();
  rest.remove_prefix(head.head_bytes);
  if (head.body_bytes > rest.size()) return Malformed();
  const std::string_view body = rest.substr(0, head.body_bytes);
  rest.remove_prefix(body.size());
  return Content(head, body, depth);
}

IonResult<IonValue> BinaryParser::Content(const IonHead& head, std::string_view body, int depth) {
  if (head.type == kAnnotationType) return Annotated(body, depth);
  IonValue value;
  value.type = kTypes[head.type];
  value.is_null = head.is_null();
  if (value.is_null) return value;
  if (value.type >= IonType::kList && depth >= kIonDepthMax) {
    return std::unexpected("a value is nested too deep");
  }
  if (value.type == IonType::kStruct) {
    RETURN_IF_ERROR(Fields(value, body, depth));
  } else if (value.type >= IonType::kList) {
    RETURN_IF_ERROR(Elements(value, body, depth));
  } else {
    RETURN_IF_ERROR(Scalar(value, head, body));
  }
  return value;
}

IonResult<void> BinaryParser::Text(IonValue& value, std::string text) {
  if (!budget_.TakeBytes(text.size())) return std::unexpected("a record is too long");
  value.text = std::move(text);
  return {};
}

IonResult<void> BinaryParser::Scalar(IonValue& value, const IonHead& head, std::string_view body) {
  switch (value.type) {
    case IonType::kBool:
      value.boolean = head.info == 1;
      return {};
    case IonType::kInt: {
      ASSIGN_OR_RETURN(value.text, IntText(head.type == 3, body));
      return {};
    }
    case IonType::kFloat: {
      ASSIGN_OR_RETURN(value.text, FloatText(body));
      return {};
    }
    case IonType::kDecimal: {
      ASSIGN_OR_RETURN(value.text, DecimalText(body));
      return {};
    }
    case IonType::kSymbol: {
      std::uint64_t id = 0;
      if (body.size() > sizeof id) return Malformed();
      for (const char byte : body) id = id << 8 | static_cast<unsigned char>(byte);
      ASSIGN_OR_RETURN(std::string text, Symbol(id));
      return Text(value, std::move(text));
    }
    default:
      return Text(value, std::string(body));
  }
}

IonResult<std::string> BinaryParser::Symbol(std::uint64_t id) {
  ASSIGN_OR_RETURN(const std::string_view text, symbols_.Text(id));
  return std::string(text);
}

IonResult<void> BinaryParser::Elements(IonValue& list, std::string_view body, int depth) {
  while (!body.empty()) {
    IonHead head;
    if (ReadIonHead(body, head) != IonHeadStatus::kOk) return Malformed();
    if (head.is_padding()) {
      if (head.body_bytes > body.size() - head.head_bytes) return Malformed();
      body.remove_prefix(head.head_bytes + head.body_bytes);
      continue;
    }
    ASSIGN_OR_RETURN(IonValue element, Value(body, depth + 1));
    list.elements.push_back(std::move(element));
  }
  return {};
}

IonResult<void> BinaryParser::Fields(IonValue& fields, std::string_view body, int depth) {
  while (!body.empty()) {
    const std::optional<std::uint64_t> id = TakeVarUInt(body);
    IonHead head;
    if (!id || ReadIonHead(body, head) != IonHeadStatus::kOk) return Malformed();
    if (head.is_padding()) {
      if (head.body_bytes > body.size() - head.head_bytes) return Malformed();
      body.remove_prefix(head.head_bytes + head.body_bytes);
      continue;
    }
    ASSIGN_OR_RETURN(IonValue value, Value(body, depth + 1));
    ASSIGN_OR_RETURN(value.name, Symbol(*id));
    if (!budget_.TakeBytes(value.name.size())) return std::unexpected("a record is too long");
    fields.elements.push_back(std::move(value));
  }
  return {};
}

IonResult<IonValue> BinaryParser::Annotated(std::string_view body, int depth) {
  // Wrappers must not be nested, which also bounds this recursion.
  const std::optional<std::uint64_t> ids_bytes = TakeVarUInt(body);
  if (!ids_bytes || *ids_bytes == 0 || *ids_bytes > body.size()) return Malformed();
  std::string_view ids = body.substr(0, *ids_bytes);
  body.remove_prefix(ids.size());
  const std::optional<std::uint64_t> first = TakeVarUInt(ids);
  IonHead head;
  if (!first || ReadIonHead(body, head) != IonHeadStatus::kOk || head.is_padding() ||
      head.type == kAnnotationType) {
    return Malformed();
  }
  ASSIGN_OR_RETURN(std::string annotation, Symbol(*first));
  if (!budget_.TakeBytes(annotation.size())) return std::unexpected("a record is too long");
  ASSIGN_OR_RETURN(IonValue value, Value(body, depth));
  if (!body.empty()) return Malformed();
  value.annotation = std::move(annotation);
  return value;
}

}  // namespace

IonHeadStatus ReadIonHead(std::string_view bytes, IonHead& head) {
  if (bytes.empty()) return IonHeadStatus::kTooShort;
  const auto first = static_cast<unsigned char>(bytes.front());
  head = {.type = first >> 4, .info = first & 0x0F, .head_bytes = 1};
  if (head.type > kAnnotationType) return IonHeadStatus::kMalformed;
  if (head.type == 1) {
    return head.info <= 1 || head.is_null() ? IonHeadStatus::kOk : IonHeadStatus::kMalformed;
  }
  // An annotation needs at least three bytes, and its length must not be null.
  if (head.type == kAnnotationType && (head.info < 3 || head.info == kNullInfo)) {
    return IonHeadStatus::kMalformed;
  }
  if (head.is_null()) return IonHeadStatus::kOk;
  const bool is_sorted_struct = head.type == kStructType && head.info == 1;
  if (head.info != kLongLength && !is_sorted_struct) {
    head.body_bytes = static_cast<std::uint64_t>(head.info);
    return IonHeadStatus::kOk;
  }
  std::string_view rest = bytes.substr(1);
  const std::optional<std::uint64_t> length = TakeVarUInt(rest);
  if (!length) {
    return bytes.size() < kIonHeadBytesMax ? IonHeadStatus::kTooShort : IonHeadStatus::kMalformed;
  }
  head.body_bytes = *length;
  head.head_bytes = bytes.size() - rest.size();
  return IonHeadStatus::kOk;
}

IonResult<IonValue> ParseIonBinary(std::string_view bytes, const IonSymbols& symbols) {
  BinaryParser parser(symbols);
  ASSIGN_OR_RETURN(IonValue value, parser.Value(bytes, 0));
  if (!bytes.empty()) return Malformed();
  return value;
}

}  // namespace stator::transfer
