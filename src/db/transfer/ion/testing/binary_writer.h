// Items as binary Ion, to be read back. Written after the specification, not after the reader.
#ifndef STATOR_TRANSFER_ION_TESTING_BINARY_WRITER_H_
#define STATOR_TRANSFER_ION_TESTING_BINARY_WRITER_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "stator/item.h"
#include "value/number.h"
#include "value/number_codec.h"

namespace stator::transfer::testing {

inline std::string VarUInt(std::uint64_t value) {
  std::string out(1, static_cast<char>(0x80 | (value & 0x7F)));
  for (value >>= 7; value != 0; value >>= 7) out.insert(0, 1, static_cast<char>(value & 0x7F));
  return out;
}

inline std::string Tagged(int type, std::string_view body) {
  std::string out;
  if (body.size() < 14) {
    out.push_back(static_cast<char>(type << 4 | static_cast<int>(body.size())));
  } else {
    out.push_back(static_cast<char>(type << 4 | 14));
    out.append(VarUInt(body.size()));
  }
  return out.append(body);
}

// Big-endian bytes of an unsigned number, without leading zeros.
inline std::string UIntBytes(Uint128 value) {
  std::string out;
  for (; value != 0; value >>= 8) out.insert(0, 1, static_cast<char>(value & 0xFF));
  return out;
}

class IonBinaryWriter {
 public:
  void AddItem(ItemView item) { Append(StructOf({{"Item", Struct(item)}})); }
  void Append(std::string_view value) { values_.append(value); }

  // The stream: a version marker, the symbols and what was added.
  std::string Finish() const {
    std::string list;
    for (const std::string& symbol : symbols_) list.append(Tagged(8, symbol));
    const std::string table = VarUInt(7) + Tagged(11, list);
    const std::string annotated = VarUInt(1) + VarUInt(3) + Tagged(13, table);
    return std::string("\xE0\x01\x00\xEA", 4) + Tagged(14, annotated) + values_;
  }

  std::uint64_t Symbol(std::string_view text) {
    const auto [at, is_new] = ids_.try_emplace(std::string(text), 10 + symbols_.size());
    if (is_new) symbols_.emplace_back(text);
    return at->second;
  }
  std::string Annotated(std::string_view annotation, std::string_view value) {
    const std::string id = VarUInt(Symbol(annotation));
    return Tagged(14, VarUInt(id.size()) + id + std::string(value));
  }
  std::string StructOf(const std::vector<std::pair<std::string_view, std::string>>& fields) {
    std::string body;
    for (const auto& [name, value] : fields) body.append(VarUInt(Symbol(name)) + value);
    // A body of one byte would look like a sorted struct; no body has one byte.
    return Tagged(13, body);
  }
  std::string Struct(ItemView item) {
    std::vector<std::pair<std::string_view, std::string>> fields;
    for (const auto& [name, value] : item) fields.emplace_back(name, Value(value));
    return StructOf(fields);
  }

  // A decimal, or an int if the number is one and `as_int`.
  static std::string NumberBytes(std::string text) {
    const bool negative = text.starts_with('-');
    if (negative) text.erase(0, 1);
    int exponent = 0;
    if (const std::size_t point = text.find('.'); point != std::string::npos) {
      exponent = -static_cast<int>(text.size() - point - 1);
      text.erase(point, 1);
    }
    while (text.size() > 1 && text.ends_with('0')) {
      text.pop_back();
      ++exponent;
    }
    Uint128 coefficient = 0;
    for (const char c : text) coefficient = coefficient * 10 + static_cast<Uint128>(c - '0');
    std::string bytes = UIntBytes(coefficient);
    if (exponent == 0) return Tagged(negative ? 3 : 2, bytes);
    if (bytes.empty() || (bytes[0] & 0x80) != 0) bytes.insert(0, 1, '\0');
    if (negative) bytes[0] = static_cast<char>(bytes[0] | 0x80);
    return Tagged(5, VarInt(exponent) + bytes);
  }

 private:
  static std::string VarInt(int value) {
    const auto magnitude = static_cast<unsigned>(value < 0 ? -value : value);
    const int sign = value < 0 ? 0x40 : 0;
    if (magnitude < 0x40) {
      return std::string(1, static_cast<char>(0x80 | sign | static_cast<int>(magnitude)));
    }
    return {static_cast<char>(sign | static_cast<int>(magnitude >> 7)),
            static_cast<char>(0x80 | (magnitude & 0x7F))};
  }

  std::string Value(ValueView value) {
    switch (value.type()) {
      case Type::kS:
        return Tagged(8, value.S());
      case Type::kN:
        return NumberBytes(value.N());
      case Type::kB:
        return Tagged(10, value.B());
      case Type::kBool:
        return value.Bool() ? "\x11" : "\x10";
      case Type::kNull:
        return "\x0F";
      case Type::kM:
        return Struct(value.Map());
      case Type::kL: {
        std::string body;
        for (const ValueView element : value.List()) body.append(Value(element));
        return Tagged(11, body);
      }
      default:
        break;
    }
    std::string body;
    for (const std::string_view member : value.Set().Members()) {
      if (value.type() == Type::kSS) body.append(Tagged(8, member));
      if (value.type() == Type::kNS) body.append(NumberBytes(Number::Decode(member).ToString()));
      if (value.type() == Type::kBS) body.append(Tagged(10, member));
    }
    return Annotated(std::string("$dynamodb_").append(TypeName(value.type())), Tagged(11, body));
  }

  std::map<std::string, std::uint64_t, std::less<>> ids_;
  std::vector<std::string> symbols_;
  std::string values_;
};

}  // namespace stator::transfer::testing

#endif  // STATOR_TRANSFER_ION_TESTING_BINARY_WRITER_H_
