#include "value/item_reader.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>

#include "value/item_codec.h"

namespace stator {
namespace {

using Element = JsonAccess::Element;
using Kind = ValueProblem::Kind;
using simdjson::dom::element_type;

// The order of the members of AttributeValue in the service's model.
constexpr std::array kModelOrder = {Type::kS,  Type::kN, Type::kB, Type::kSS,   Type::kNS,
                                    Type::kBS, Type::kM, Type::kL, Type::kNull, Type::kBool};

std::optional<Type> TypeOfMember(std::string_view name) {
  switch (name.size()) {
    case 1:
      switch (name[0]) {
        case 'S':
          return Type::kS;
        case 'N':
          return Type::kN;
        case 'B':
          return Type::kB;
        case 'L':
          return Type::kL;
        case 'M':
          return Type::kM;
        default:
          return std::nullopt;
      }
    case 2:
      if (name == "SS") return Type::kSS;
      if (name == "NS") return Type::kNS;
      if (name == "BS") return Type::kBS;
      return std::nullopt;
    case 4:
      if (name == "BOOL") return Type::kBool;
      if (name == "NULL") return Type::kNull;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

// The first eight bytes as an integer that compares like them; shorter names are padded with zeros.
std::uint64_t StartOf(std::string_view name) {
  std::uint64_t start = 0;
  if (name.size() >= sizeof start) {
    std::memcpy(&start, name.data(), sizeof start);
    return __builtin_bswap64(start);
  }
  for (std::size_t i = 0; i < sizeof start; ++i) {
    start = start << 8 | (i < name.size() ? static_cast<unsigned char>(name[i]) : 0U);
  }
  return start;
}

using Attribute = ItemReader::Buffers::Attribute;

bool IsNameLess(const Attribute& a, const Attribute& b) {
  if (a.name_start != b.name_start) return a.name_start < b.name_start;
  return a.name < b.name;
}

}  // namespace

bool ItemReader::Fail(Error error) {
  error_ = std::move(error);
  return false;
}

void ItemReader::Record(ValueProblem problem) {
  if (!problem_) problem_ = std::move(problem);
}

void ItemReader::Refuse(std::size_t value_begin, ValueProblem problem) {
  Record(std::move(problem));
  out_.resize(value_begin);
  AppendNull(out_);
}

bool ItemReader::ReadMap(Element json, int depth) {
  const simdjson::dom::object object = JsonAccess::Object(json);
  auto& attributes = buffers_.attributes;
  const std::size_t map_begin = out_.size();
  const std::size_t first = attributes.size();
  // Right if the names come in order, none twice and none null; otherwise PutInOrder writes it
  // anew.
  AppendVarint(out_, object.size());
  if (skip_overridden_) {
    for (const auto& [name, member] : JsonAccess::Make(json).Members()) {
      if (!ReadAttribute(name, JsonAccess::Get(member), depth)) return false;
    }
  } else {
    for (const auto field : object) {
      if (!ReadAttribute(field.key, field.value, depth)) return false;
    }
  }
  bool in_order = attributes.size() - first == object.size();
  for (std::size_t i = first; in_order && i < attributes.size(); ++i) {
    in_order = attributes[i].begin != attributes[i].end &&
               (i == first || IsNameLess(attributes[i - 1], attributes[i]));
  }
  if (!in_order) PutInOrder(map_begin, first);
  attributes.resize(first);
  return true;
}

bool ItemReader::ReadAttribute(std::string_view name, Element json, int depth) {
  const std::size_t begin = out_.size();
  if (!json.is_null()) {
    if (name.empty()) [[unlikely]]
      Record({.kind = Kind::kEmptyName});
    AppendName(out_, name);
    if (!ReadValue(json, ValuePlace::kElement, depth)) return false;
    if (name.empty()) [[unlikely]]
      out_.resize(begin);
  }
  buffers_.attributes.push_back({name, StartOf(name), begin, out_.size()});
  return true;
}

void ItemReader::PutInOrder(std::size_t map_begin, std::size_t first_attribute) {
  const auto attributes = std::span(buffers_.attributes).subspan(first_attribute);
  // Of equal names the one sent last comes last.
  std::ranges::sort(attributes, [](const Attribute& a, const Attribute& b) {
    if (a.name_start != b.name_start) return a.name_start < b.name_start;
    const int order = a.name.compare(b.name);
    return order != 0 ? order < 0 : a.begin < b.begin;
  });
  std::string& ordered = buffers_.ordered;
  ordered.clear();
  std::size_t count = 0;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    const auto& attribute = attributes[i];
    if (i + 1 < attributes.size() && attribute.name == attributes[i + 1].name) {
      saw_repeated_names_ = true;
      continue;
    }
    if (attribute.begin == attribute.end) continue;
    ordered.append(out_, attribute.begin, attribute.end - attribute.begin);
    ++count;
  }
  out_.resize(map_begin);
  AppendVarint(out_, count);
  out_.append(ordered);
}

bool ItemReader::ReadValue(Element json, ValuePlace place, int depth) {
  if (json.type() != element_type::OBJECT) [[unlikely]] {
    if (!json.is_null()) return Fail(NotAnAttributeValue(JsonAccess::Make(json), place));
    Refuse(out_.size(), {.kind = Kind::kNoType});
    return true;
  }
  if (JsonAccess::Object(json).size() == 1) [[likely]]
    return ReadOnlyMember(json, depth);
  return ReadSeveralMembers(json, depth);
}

bool ItemReader::ReadOnlyMember(Element object, int depth) {
  const auto member = *JsonAccess::Object(object).begin();
  const std::optional<Type> type = TypeOfMember(member.key);
  if (!type || member.value.is_null()) {
    Refuse(out_.size(), {.kind = Kind::kNoType});
    return true;
  }
  return ReadContent(*type, member.value, depth);
}

bool ItemReader::ReadSeveralMembers(Element object, int depth) {
  std::array<std::optional<Element>, kModelOrder.size()> members;
  for (const auto member : JsonAccess::Object(object)) {
    const std::optional<Type> type = TypeOfMember(member.key);
    if (!type) continue;
    auto& slot = members[static_cast<std::size_t>(*type)];
    slot = member.value.is_null() ? std::nullopt : std::optional(member.value);
  }
  const std::size_t begin = out_.size();
  int count = 0;
  for (const Type type : kModelOrder) {
    const auto& member = members[static_cast<std::size_t>(type)];
    if (!member) continue;
    ++count;
    out_.resize(begin);
    if (!ReadContent(type, *member, depth)) return false;
  }
  if (count == 0) Refuse(begin, {.kind = Kind::kNoType});
  if (count > 1) Refuse(begin, {.kind = Kind::kSeveralTypes});
  return true;
}

}  // namespace stator
