#include "value/item_codec.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>

#include "base/check.h"
#include "value/encoding.h"
#include "value/number.h"

namespace stator {
namespace {

// Appends `tag` (unless it is 0), length:varint and the bytes.
void AppendTagged(std::string& out, char tag, std::string_view bytes) {
  constexpr std::size_t kOneByteVarint = 0x80;
  if (bytes.size() >= kOneByteVarint) {
    if (tag != 0) out.push_back(tag);
    AppendVarint(out, bytes.size());
    out.append(bytes);
    return;
  }
  // Nearly all are short: these check the capacity once.
  const std::size_t start = out.size();
  const std::size_t end = start + (tag != 0 ? 2 : 1) + bytes.size();
  out.resize_and_overwrite(end, [&](char* buffer, std::size_t) {
    char* to = buffer + start;
    if (tag != 0) *to++ = tag;
    *to++ = static_cast<char>(bytes.size());
    CopyBytes(to, bytes);
    return end;
  });
}

std::size_t BeginSized(std::string& out, char tag) {
  out.push_back(tag);
  const std::size_t begun = out.size();
  out.append(encoding::kSizeBytes, '\0');
  return begun;
}

// Checks hostile bytes against the grammar of stator/item.h. Every step returns whether the bytes
// fit.
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
  // REQUIRES: that many bytes are left.
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

void AppendVarint(std::string& out, std::uint64_t value) {
  std::array<char, encoding::kMaxVarintBytes> varint;
  out.append(varint.data(), encoding::WriteVarint(varint.data(), value));
}

void AppendString(std::string& out, std::string_view text) {
  AppendTagged(out, encoding::kString, text);
}

void AppendBinary(std::string& out, std::string_view bytes) {
  AppendBinaryHead(out, bytes.size());
  out.append(bytes);
}

void AppendBinaryHead(std::string& out, std::size_t length) {
  out.push_back(encoding::kBinary);
  AppendVarint(out, length);
}

void AppendNumber(std::string& out, const Number& number) {
  out.push_back(encoding::kNumber);
  const std::size_t length_at = out.size();
  out.push_back('\0');
  number.AppendEncoded(out);
  out[length_at] = static_cast<char>(out.size() - length_at - 1);
}

void AppendNumberEncoded(std::string& out, std::string_view encoded) {
  out.push_back(encoding::kNumber);
  out.push_back(static_cast<char>(encoded.size()));
  out.append(encoded);
}

void AppendBool(std::string& out, bool value) {
  out.push_back(value ? encoding::kTrue : encoding::kFalse);
}

void AppendNull(std::string& out) { out.push_back(encoding::kNull); }

void AppendSet(std::string& out, Type type, std::span<const std::string_view> members) {
  OutputCursor cursor(out);
  encoding::WriteSet(cursor, type, members);
}

std::size_t BeginContainer(std::string& out, Type list_or_map, std::size_t count) {
  const std::size_t begun =
      BeginSized(out, list_or_map == Type::kL ? encoding::kList : encoding::kMap);
  AppendVarint(out, count);
  return begun;
}

std::size_t BeginMapWithoutCount(std::string& out) { return BeginSized(out, encoding::kMap); }

void EndContainer(std::string& out, std::size_t begun) {
  const std::size_t size = out.size() - begun - encoding::kSizeBytes;
  STATOR_CHECK(size <= std::numeric_limits<std::uint32_t>::max());
  const auto size32 = static_cast<std::uint32_t>(size);
  std::memcpy(out.data() + begun, &size32, sizeof size32);
}

void AppendMap(std::string& out, std::string_view encoded_item) {
  const std::size_t begun = BeginMapWithoutCount(out);
  out.append(encoded_item);
  EndContainer(out, begun);
}

void AppendName(std::string& out, std::string_view name) { AppendTagged(out, '\0', name); }

void ItemBuilder::Add(std::string_view name, ValueView value) {
  AppendName(body_, name);
  body_.append(value.encoded());
  ++count_;
}

std::string ItemBuilder::Finish() && {
  std::string encoded;
  encoded.reserve(body_.size() + 2);
  AppendVarint(encoded, count_);
  encoded.append(body_);
  return encoded;
}

void FindSorted(ItemView item, std::span<const std::string_view> names,
                std::span<std::optional<ValueView>> found) {
  std::ranges::fill(found, std::nullopt);
  std::size_t wanted = 0;
  while (wanted != names.size() && names[wanted].empty()) ++wanted;
  const char* at = item.encoded().data();
  for (std::size_t left = encoding::ReadVarint(at); left != 0; --left) {
    const std::string_view name = encoding::ReadBytes(at);
    const ValueView value = encoding::ReadValue(at);
    int order = -1;
    while (wanted != names.size() && order <= 0) {
      order = encoding::CompareNames(names[wanted], name);
      if (order == 0) found[wanted] = value;
      if (order <= 0) ++wanted;
    }
    if (wanted == names.size()) return;
  }
}

std::string ProjectTopLevel(ItemView item, std::span<const std::string> names) {
  ItemBuilder builder;
  auto wanted = names.begin();
  for (const auto& [name, value] : item) {
    while (wanted != names.end() && *wanted < name) ++wanted;
    if (wanted == names.end()) break;
    if (*wanted == name) builder.Add(name, value);
  }
  return std::move(builder).Finish();
}

int NestingDepth(ValueView value) {
  int deepest = 0;
  switch (value.type()) {
    case Type::kL:
      for (const ValueView element : value.List()) {
        deepest = std::max(deepest, NestingDepth(element));
      }
      return deepest + 1;
    case Type::kM:
      for (const auto& [name, element] : value.Map()) {
        deepest = std::max(deepest, NestingDepth(element));
      }
      return deepest + 1;
    default:
      return 0;
  }
}

int CompareScalars(ValueView a, ValueView b) {
  switch (a.type()) {
    case Type::kS:
      return a.S().compare(b.S());
    case Type::kN:
      return a.number().compare(b.number());
    default:
      return a.B().compare(b.B());
  }
}

bool IsWellFormedItem(std::string_view bytes) {
  Checker checker(bytes);
  return checker.Map(0) && checker.AtEnd();
}

bool IsWellFormedValue(std::string_view bytes) {
  Checker checker(bytes);
  return checker.Value(0) && checker.AtEnd();
}

}  // namespace stator
