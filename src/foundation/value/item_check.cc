// IsWellFormedItem and IsWellFormedValue: the grammar of stator/item.h, checked byte by byte.
#include <simdjson.h>

#include <optional>

#include "value/encoding.h"
#include "value/item_codec.h"
#include "value/number.h"

namespace stator {
namespace {

// Reads hostile bytes; every step says whether it found what it wanted.
class Checker {
 public:
  explicit Checker(std::string_view bytes) : rest_(bytes) {}

  bool Map(int depth);
  bool Value(int depth);
  bool AtEnd() const { return rest_.empty(); }

 private:
  std::optional<std::uint64_t> Varint();
  std::optional<std::string_view> Bytes();
  std::optional<std::string_view> Text();
  std::optional<std::string_view> EncodedNumber();
  std::optional<std::string_view> Member(char tag);
  bool Set(char tag);
  bool List(int depth);
  // size:u32 and, inside exactly that many bytes, what `check` reads.
  template <class Check>
  bool Sized(Check check);
  // REQUIRES: so many bytes are left.
  std::string_view Take(std::size_t length) {
    const std::string_view taken = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return taken;
  }

  std::string_view rest_;
};

std::optional<std::uint64_t> Checker::Varint() {
  constexpr int kMaxShift = 28;  // five bytes: more than any length or count that can occur
  std::uint64_t value = 0;
  for (int shift = 0; shift <= kMaxShift && !rest_.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) {
      const bool shortest = byte != 0 || shift == 0;
      return shortest ? std::optional(value) : std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<std::string_view> Checker::Bytes() {
  const auto length = Varint();
  if (!length || *length > rest_.size()) return std::nullopt;
  return Take(*length);
}

std::optional<std::string_view> Checker::Text() {
  const auto text = Bytes();
  if (!text || !simdjson::validate_utf8(text->data(), text->size())) return std::nullopt;
  return text;
}

std::optional<std::string_view> Checker::EncodedNumber() {
  if (rest_.empty()) return std::nullopt;
  const std::size_t length = static_cast<unsigned char>(rest_.front());
  rest_.remove_prefix(1);
  if (length > rest_.size()) return std::nullopt;
  const std::string_view number = Take(length);
  if (EncodedNumberLength(number) != length) return std::nullopt;
  return number;
}

std::optional<std::string_view> Checker::Member(char tag) {
  switch (tag) {
    case encoding::kStringSet:
      return Text();
    case encoding::kNumberSet:
      return EncodedNumber();
    default:
      return Bytes();
  }
}

template <class Check>
bool Checker::Sized(Check check) {
  if (rest_.size() < encoding::kSizeBytes) return false;
  const std::size_t size = encoding::ReadSize(rest_.data());
  rest_.remove_prefix(encoding::kSizeBytes);
  if (size > rest_.size()) return false;
  const std::string_view behind = rest_.substr(size);
  rest_ = rest_.substr(0, size);
  if (!check() || !AtEnd()) return false;
  rest_ = behind;
  return true;
}

bool Checker::Set(char tag) {
  const auto count = Varint();
  if (!count || *count == 0) return false;
  std::string_view previous;
  for (std::uint64_t i = 0; i < *count; ++i) {
    const auto member = Member(tag);
    if (!member || (i != 0 && *member <= previous)) return false;
    previous = *member;
  }
  return true;
}

bool Checker::List(int depth) {
  const auto count = Varint();
  if (!count) return false;
  for (std::uint64_t i = 0; i < *count; ++i) {
    if (!Value(depth)) return false;
  }
  return true;
}

bool Checker::Map(int depth) {
  const auto count = Varint();
  if (!count) return false;
  std::string_view previous;
  for (std::uint64_t i = 0; i < *count; ++i) {
    // The first name must be greater than the empty one: no name is empty.
    const auto name = Text();
    if (!name || *name <= previous || !Value(depth)) return false;
    previous = *name;
  }
  return true;
}

bool Checker::Value(int depth) {
  if (rest_.empty()) return false;
  const char tag = rest_.front();
  rest_.remove_prefix(1);
  switch (tag) {
    case encoding::kString:
      return Text().has_value();
    case encoding::kNumber:
      return EncodedNumber().has_value();
    case encoding::kBinary:
      return Bytes().has_value();
    case encoding::kTrue:
    case encoding::kFalse:
    case encoding::kNull:
      return true;
    case encoding::kStringSet:
    case encoding::kNumberSet:
    case encoding::kBinarySet:
      return Sized([&] { return Set(tag); });
    case encoding::kList:
      return depth < kMaxNesting && Sized([&] { return List(depth + 1); });
    case encoding::kMap:
      return depth < kMaxNesting && Sized([&] { return Map(depth + 1); });
    default:
      return false;
  }
}

}  // namespace

bool IsWellFormedItem(std::string_view bytes) {
  Checker checker(bytes);
  return checker.Map(0) && checker.AtEnd();
}

bool IsWellFormedValue(std::string_view bytes) {
  Checker checker(bytes);
  return checker.Value(0) && checker.AtEnd();
}

}  // namespace stator
