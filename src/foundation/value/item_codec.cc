#include "value/item_codec.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "base/check.h"
#include "value/encoding_output.h"

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
  // Short ones, which are nearly all, look at the capacity once.
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

namespace {

std::size_t BeginSized(std::string& out, char tag) {
  out.push_back(tag);
  const std::size_t begun = out.size();
  out.append(encoding::kSizeBytes, '\0');
  return begun;
}

}  // namespace

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

}  // namespace stator
