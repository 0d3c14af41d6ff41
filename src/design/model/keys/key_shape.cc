#include "model/keys/key_shape.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <utility>

namespace stator::model {
namespace {

// Beyond this many alternatives, a shape stops distinguishing them.
constexpr std::size_t kMaxPaths = 64;

Bytes Range(char first, char last) {
  Bytes bytes;
  for (int byte = static_cast<unsigned char>(first); byte <= static_cast<unsigned char>(last);
       ++byte) {
    bytes.set(static_cast<std::size_t>(byte));
  }
  return bytes;
}

Bytes Only(std::string_view characters) {
  Bytes bytes;
  for (const char c : characters) bytes.set(static_cast<unsigned char>(c));
  return bytes;
}

const Bytes& Digits() {
  static const Bytes kDigits = Range('0', '9');
  return kDigits;
}

// What one character of a picture stands for: 9 a digit, H a digit of hex, U of Crockford's base32.
Bytes PictureBytes(char c) {
  switch (c) {
    case '9':
      return Digits();
    case 'H':
      return Digits() | Range('a', 'f') | Range('A', 'F');
    case 'U':
      return Digits() | (Range('A', 'Z') & ~Only("ILOU"));
    default:
      return Only(std::string_view(&c, 1));
  }
}

// The picture of values of fixed width; empty: the width varies.
std::string_view Picture(const Attribute* attribute, const TemplatePart& placeholder) {
  const std::string& format = placeholder.format;
  const Unit unit = attribute == nullptr ? Unit::kNone : attribute->unit;
  if (format == "date" || unit == Unit::kDate) return "9999-99-99";
  if (format == "iso_s" || unit == Unit::kIsoSeconds) return "9999-99-99T99:99:99Z";
  if (format == "iso_ms" || unit == Unit::kIsoMilliseconds) return "9999-99-99T99:99:99.999Z";
  if (format == "ulid" || unit == Unit::kUlid) return "UUUUUUUUUUUUUUUUUUUUUUUUUU";
  if (format == "uuid" || unit == Unit::kUuid) return "HHHHHHHH-HHHH-HHHH-HHHH-HHHHHHHHHHHH";
  return {};
}

bool IsShard(const TemplatePart& placeholder) { return placeholder.text == "shard"; }

// The byte that reads best in an example.
char ExampleByte(const Bytes& bytes) {
  for (const char c : std::string_view("xa0A1")) {
    if (bytes.test(static_cast<unsigned char>(c))) return c;
  }
  for (int byte = 0x21; byte < 0x7f; ++byte) {
    if (bytes.test(static_cast<std::size_t>(byte))) return static_cast<char>(byte);
  }
  return ' ';
}

}  // namespace

Bytes BytesOf(const Attribute* attribute, const TemplatePart& placeholder) {
  Bytes bytes;
  if (placeholder.padded_digits > 0 || IsShard(placeholder)) return Digits();
  if (attribute != nullptr && !attribute->values.empty()) {
    for (const std::string& value : attribute->values) bytes |= Only(value);
    return bytes;
  }
  if (attribute != nullptr && attribute->type == Type::kBool) return Only("truefalse");
  if (const std::string_view picture = Picture(attribute, placeholder); !picture.empty()) {
    for (const char c : picture) bytes |= PictureBytes(c);
    return bytes;
  }
  if (attribute != nullptr && attribute->type == Type::kN) return Digits() | Only("-.");
  if (attribute != nullptr && attribute->unit == Unit::kIsoTime) return Digits() | Only("TZ:+-.W");
  bytes.set();
  if (attribute != nullptr) bytes &= ~Only(attribute->forbidden);
  return bytes;
}

bool HasFixedWidth(const Attribute* attribute, const TemplatePart& placeholder) {
  if (placeholder.padded_digits > 0 || !Picture(attribute, placeholder).empty()) return true;
  return attribute != nullptr && !attribute->values.empty() &&
         std::ranges::all_of(attribute->values, [&](const std::string& value) {
           return value.size() == attribute->values.front().size();
         });
}

void KeyShape::Append(const Step& step) {
  for (Path& path : paths_) path.push_back(step);
}

void KeyShape::AppendText(std::string_view text) {
  for (const char c : text) Append({.bytes = Only(std::string_view(&c, 1))});
}

void KeyShape::AppendPicture(std::string_view picture) {
  for (const char c : picture) Append({.bytes = PictureBytes(c)});
}

void KeyShape::AppendOneOf(const std::vector<std::string>& texts) {
  if (paths_.size() * texts.size() > kMaxPaths) {
    Append({.bytes = Bytes().set(), .repeats = true});
    return;
  }
  const std::vector<Path> before = std::exchange(paths_, {});
  for (const std::string& text : texts) {
    KeyShape one;
    one.paths_ = before;
    one.AppendText(text);
    std::ranges::move(one.paths_, std::back_inserter(paths_));
  }
}

void KeyShape::AppendAnything() {
  Append({.bytes = Bytes().set(), .repeats = true, .optional = true});
}

void KeyShape::AppendValue(const Attribute* attribute, const TemplatePart& placeholder) {
  if (placeholder.padded_digits > 0) {
    AppendPicture(
        std::string(static_cast<std::size_t>(std::min(placeholder.padded_digits, 64)), '9'));
    Append({.bytes = Digits(), .repeats = true, .optional = true});  // wider than the padding
  } else if (attribute != nullptr && !attribute->values.empty()) {
    AppendOneOf(attribute->values);
  } else if (attribute != nullptr && attribute->type == Type::kBool) {
    AppendOneOf({"true", "false"});
  } else if (const std::string_view picture = Picture(attribute, placeholder); !picture.empty()) {
    AppendPicture(picture);
  } else {
    Append({.bytes = BytesOf(attribute, placeholder), .repeats = true});
  }
}

// A breadth-first walk over pairs of positions. From (i, j) both sides take one common byte; a step
// that repeats may stay, one that is optional may be passed.
std::optional<std::string> KeyShape::Meet(const Path& a, const Path& b) {
  struct Visit {
    std::int32_t from = -1;
    char byte = 0;
    bool seen = false;
  };
  const std::size_t width = b.size() + 1;
  std::vector<Visit> visits((a.size() + 1) * width);
  std::deque<std::size_t> queue;
  const auto reach = [&](std::size_t i, std::size_t j, std::int32_t from, char byte) {
    Visit& visit = visits[(i * width) + j];
    if (visit.seen) return;
    visit = {.from = from, .byte = byte, .seen = true};
    queue.push_back((i * width) + j);
  };
  reach(0, 0, -1, 0);
  while (!queue.empty()) {
    const std::size_t at = queue.front();
    queue.pop_front();
    const std::size_t i = at / width;
    const std::size_t j = at % width;
    const auto from = static_cast<std::int32_t>(at);
    if (i == a.size() && j == b.size()) {
      std::string text;
      for (std::int32_t k = from; k >= 0; k = visits[static_cast<std::size_t>(k)].from) {
        const char byte = visits[static_cast<std::size_t>(k)].byte;
        if (byte != 0) text.push_back(byte);
      }
      std::ranges::reverse(text);
      return text;
    }
    if (i < a.size() && a[i].optional) reach(i + 1, j, from, 0);
    if (j < b.size() && b[j].optional) reach(i, j + 1, from, 0);
    if (i == a.size() || j == b.size()) continue;
    const Bytes common = a[i].bytes & b[j].bytes;
    if (common.none()) continue;
    const char byte = ExampleByte(common);
    reach(i + 1, j + 1, from, byte);
    if (b[j].repeats) reach(i + 1, j, from, byte);
    if (a[i].repeats) reach(i, j + 1, from, byte);
    // If both repeat, this leads back to (i, j).
  }
  return std::nullopt;
}

std::optional<std::string> CommonText(const KeyShape& a, const KeyShape& b) {
  for (const KeyShape::Path& left : a.paths_) {
    for (const KeyShape::Path& right : b.paths_) {
      if (std::optional<std::string> text = KeyShape::Meet(left, right)) return text;
    }
  }
  return std::nullopt;
}

KeyShape ShapeOf(const Entity& entity, const KeyTemplate& key) {
  KeyShape shape;
  for (const TemplatePart& part : key.parts) {
    if (part.is_placeholder) {
      shape.AppendValue(entity.FindAttribute(part.text), part);
    } else {
      shape.AppendText(part.text);
    }
  }
  return shape;
}

bool StartsAgree(std::string_view a, std::string_view b) {
  return a.starts_with(b) || b.starts_with(a);
}

}  // namespace stator::model
