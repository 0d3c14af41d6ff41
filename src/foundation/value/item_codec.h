// Writes and checks the encoding of stator/item.h.
#ifndef STATOR_VALUE_ITEM_CODEC_H_
#define STATOR_VALUE_ITEM_CODEC_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stator/item.h"
#include "value/number.h"

namespace stator {

// A value may be wrapped in at most this many lists and maps.
inline constexpr int kMaxNesting = 31;

constexpr bool IsSetType(Type type) {
  return type == Type::kSS || type == Type::kNS || type == Type::kBS;
}
// The scalars that have an order, and so may be keys.
constexpr bool IsOrderedType(Type type) {
  return type == Type::kS || type == Type::kN || type == Type::kB;
}

void AppendVarint(std::string& out, std::uint64_t value);

// Scalars.
void AppendString(std::string& out, std::string_view text);
void AppendBinary(std::string& out, std::string_view bytes);
// Before `length` raw bytes that the caller appends.
void AppendBinaryHead(std::string& out, std::size_t length);
void AppendNumber(std::string& out, const Number& number);
void AppendNumberEncoded(std::string& out, std::string_view encoded);
void AppendBool(std::string& out, bool value);
void AppendNull(std::string& out);

// A set from its members: raw strings or binaries, or number encodings. REQUIRES: sorted, distinct.
void AppendSet(std::string& out, Type type, std::span<const std::string_view> members);

// Containers: Begin… reserves the size, which End… fills in.
std::size_t BeginContainer(std::string& out, Type list_or_map, std::size_t count);
// The same for a map whose encoded item, count included, the caller appends.
std::size_t BeginMapWithoutCount(std::string& out);
void EndContainer(std::string& out, std::size_t begun);

// A map from an encoded item.
void AppendMap(std::string& out, std::string_view encoded_item);

// One name of a map or item, before its value.
void AppendName(std::string& out, std::string_view name);

// Builds an item or map body from attributes in ascending name order.
//
//   ItemBuilder builder;
//   builder.Add("a", value); builder.Add("b", value);
//   std::string encoded = std::move(builder).Finish();
class ItemBuilder {
 public:
  // REQUIRES: names ascend.
  void Add(std::string_view name, ValueView value);
  std::string Finish() &&;

 private:
  std::string body_;
  std::size_t count_ = 0;
};

// Finds several attributes in one walk: found[i] is the value of names[i], if the item has it.
// REQUIRES: `names` sorted, and `found` as long as they are.
void FindSorted(ItemView item, std::span<const std::string_view> names,
                std::span<std::optional<ValueView>> found);

// The item that has only the named attributes. REQUIRES: `names` sorted. Missing ones are left out.
std::string ProjectTopLevel(ItemView item, std::span<const std::string> names);

// True if `bytes` is exactly one well-formed item. For bytes that come from outside the process.
bool IsWellFormedItem(std::string_view bytes);
bool IsWellFormedValue(std::string_view bytes);

// How many lists and maps are wrapped around the deepest scalar: 0 for a scalar.
int NestingDepth(ValueView value);

// The order of two numbers, strings or binaries: <0, 0, >0. REQUIRES: same scalar type S, N or B.
int CompareScalars(ValueView a, ValueView b);

}  // namespace stator

#endif  // STATOR_VALUE_ITEM_CODEC_H_
