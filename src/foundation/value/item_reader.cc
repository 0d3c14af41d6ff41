#include "value/item_reader.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <utility>

#include "value/base64.h"
#include "value/encoding.h"
#include "value/item_codec.h"
#include "value/number.h"
#include "value/number_codec.h"
#include "value/set_builder.h"

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
  const std::size_t size = name.size();
  const auto byte = [&](std::size_t index) {
    return std::uint64_t{static_cast<unsigned char>(name[index])} << (56 - 8 * index);
  };
  if (size >= 8) {
    std::uint64_t start;
    std::memcpy(&start, name.data(), sizeof start);
    return __builtin_bswap64(start);
  }
  // Two words or three bytes, which may overlap, cover a short name.
  if (size >= 4) {
    std::uint32_t first;
    std::uint32_t last;
    std::memcpy(&first, name.data(), sizeof first);
    std::memcpy(&last, name.data() + size - sizeof last, sizeof last);
    const std::uint64_t high = __builtin_bswap32(first);
    const std::uint64_t low = __builtin_bswap32(last);
    return high << 32 | low << (64 - 8 * size);
  }
  return size == 0 ? 0 : byte(0) | byte(size / 2) | byte(size - 1);
}

bool IsString(Element json) { return json.type() == element_type::STRING; }

// The count of the parser saturates; longer arrays are counted here.
std::size_t CountOf(simdjson::dom::array array) {
  constexpr std::size_t kSaturated = 0xFFFFFF;
  if (array.size() < kSaturated) return array.size();
  return static_cast<std::size_t>(std::distance(array.begin(), array.end()));
}

}  // namespace

bool ItemReader::IsLess(const Place& a, const Place& b) const {
  if (a.name_start != b.name_start) [[likely]]
    return a.name_start < b.name_start;
  return buffers_.attributes[a.attribute].name < buffers_.attributes[b.attribute].name;
}

bool ItemReader::Fail(Error error) {
  error_ = std::move(error);
  return false;
}

void ItemReader::Record(ValueProblem problem) {
  if (!problem_ && !inside_overridden_) problem_ = std::move(problem);
}

void ItemReader::RecordTooDeep(int depth) {
  too_many_levels_ = std::max(too_many_levels_, depth + 1);
  // A value that is too deep comes before a wrong name inside of it.
  if (inside_overridden_) return;
  if (std::exchange(problem_is_inner_name_, false)) problem_.reset();
  Record({.kind = Kind::kTooDeep});
}

// The empty name of an attribute comes before values that are too deep.
void ItemReader::RecordName(std::string_view name, int depth) {
  if (inside_overridden_) return;
  const Kind kind = name.empty() ? Kind::kEmptyName : Kind::kNameTooLong;
  const bool outranks = depth == 0 && problem_ && problem_->kind == Kind::kTooDeep;
  if (outranks && kind == Kind::kEmptyName) problem_.reset();
  problem_is_inner_name_ = problem_is_inner_name_ || (depth > 0 && !problem_);
  Record({.kind = kind});
}

void ItemReader::Refuse(std::size_t value_begin, ValueProblem problem) {
  Record(std::move(problem));
  out_.CutTo(value_begin);
  encoding::WriteTag(out_, encoding::kNull);
}

bool ItemReader::ReadMap(Element json, int depth) {
  auto& [out, attributes, places] = buffers_;
  const std::size_t first = attributes.size();
  encoding::WriteCount(out_, Collect(json));
  const std::size_t end = attributes.size();
  for (std::size_t i = first; i < end; ++i) {
    // Copied: what is nested inside may move the buffer.
    const Attribute attribute = attributes[order_ == Order::kByName ? places[i].attribute : i];
    if (!ReadAttribute(attribute, depth)) return false;
  }
  attributes.resize(first);
  places.resize(first);
  return true;
}

// Adds the attributes of a map to the buffers, and counts those that will be encoded.
std::size_t ItemReader::Collect(Element json) {
  auto& [out, attributes, places] = buffers_;
  const std::size_t first = attributes.size();
  std::size_t count = 0;
  bool ascend = true;
  for (const auto field : JsonAccess::Object(json)) {
    const std::string_view name = field.key;
    if (!name.empty() && !field.value.is_null()) ++count;
    places.push_back({StartOf(name), attributes.size()});
    attributes.push_back({name, field.value, false});
    ascend = ascend && (places.size() == first + 1 || IsLess(places.end()[-2], places.back()));
  }
  if (ascend) return count;
  reordered_ = true;
  const auto sorted = std::span(places).subspan(first);
  // Of equal names the one sent last comes last.
  std::ranges::sort(sorted, [this](const Place& a, const Place& b) {
    return IsLess(a, b) || (!IsLess(b, a) && a.attribute < b.attribute);
  });
  return count - MarkOverridden(sorted);
}

// Returns how many of those marked were counted as attributes to encode.
std::size_t ItemReader::MarkOverridden(std::span<const Place> places) {
  std::size_t marked = 0;
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (IsLess(places[i - 1], places[i])) continue;
    Attribute& attribute = buffers_.attributes[places[i - 1].attribute];
    attribute.overridden = true;
    if (!attribute.name.empty() && !attribute.value.is_null()) ++marked;
  }
  return marked;
}

bool ItemReader::ReadAttribute(const Attribute& attribute, int depth) {
  if (attribute.value.is_null()) return true;
  if (attribute.overridden) [[unlikely]]
    return ReadOverridden(attribute.value, depth);
  const std::size_t begin = out_.size();
  // One comparison for both: an empty name wraps around.
  if (attribute.name.size() - 1 >= kMaxNameBytes) [[unlikely]]
    RecordName(attribute.name, depth);
  encoding::WriteBytes(out_, attribute.name);
  if (!ReadValue(attribute.value, ValuePlace::kElement, depth)) return false;
  if (attribute.name.empty()) [[unlikely]]
    out_.CutTo(begin);
  return true;
}

// Only its shape matters.
bool ItemReader::ReadOverridden(Element json, int depth) {
  const std::size_t begin = out_.size();
  const bool outer = std::exchange(inside_overridden_, true);
  if (!ReadValue(json, ValuePlace::kElement, depth)) return false;
  inside_overridden_ = outer;
  out_.CutTo(begin);
  return true;
}

bool ItemReader::ReadValue(Element json, ValuePlace place, int depth) {
  if (json.type() != element_type::OBJECT) [[unlikely]] {
    if (!json.is_null()) return Fail(NotAnAttributeValue(JsonAccess::Make(json), place));
    Refuse(out_.size(), {.kind = Kind::kNoType});
    return true;
  }
  const simdjson::dom::object object = JsonAccess::Object(json);
  if (object.size() != 1) [[unlikely]]
    return ReadSeveralMembers(json, depth);
  const auto member = *object.begin();
  const std::optional<Type> type = TypeOfMember(member.key);
  if (!type || member.value.is_null()) [[unlikely]] {
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
    out_.CutTo(begin);
    if (!ReadContent(type, *member, depth)) return false;
  }
  if (count == 0) Refuse(begin, {.kind = Kind::kNoType});
  if (count > 1) Refuse(begin, {.kind = Kind::kSeveralTypes});
  return true;
}

bool ItemReader::ReadContent(Type type, Element json, int depth) {
  switch (type) {
    case Type::kS:
      return ReadString(json);
    case Type::kN:
      return ReadNumber(json);
    case Type::kB:
      return ReadBinary(json);
    case Type::kBool:
      return ReadBool(json);
    case Type::kNull:
      return ReadNull(json);
    case Type::kSS:
    case Type::kNS:
    case Type::kBS:
      return ReadSet(type, json);
    case Type::kL:
      return ReadList(json, depth);
    case Type::kM:
      return ReadNestedMap(json, depth);
  }
  return true;
}

bool ItemReader::ReadString(Element json) {
  if (!IsString(json)) return Fail(NotAString(JsonAccess::Make(json)));
  encoding::WriteString(out_, JsonAccess::String(json));
  return true;
}

bool ItemReader::ReadNumber(Element json) {
  if (!IsString(json)) return Fail(NotAString(JsonAccess::Make(json)));
  const std::string_view text = JsonAccess::String(json);
  char* const to = out_.Room(2 + kMaxNumberEncoding);
  to[0] = encoding::kNumber;
  const auto end = EncodeNumber(to + 2, text, wording_);
  if (!end) [[unlikely]] {
    Refuse(out_.size(), NumberProblemOf(end.error(), text));
    return true;
  }
  to[1] = static_cast<char>(*end - to - 2);
  out_.MoveTo(*end);
  return true;
}

bool ItemReader::ReadBinary(Element json) {
  if (!IsString(json)) return Fail(NotABlob(JsonAccess::Make(json)));
  const std::string_view text = JsonAccess::String(json);
  const std::size_t length = Base64DecodedLength(text);
  char* to = out_.Room(1 + encoding::kMaxVarintBytes + length);
  *to++ = encoding::kBinary;
  to = encoding::WriteVarint(to, length);
  const Base64Status status = DecodeBase64(to, text);
  if (status != Base64Status::kOk) return Fail(NotBase64(status, text));
  out_.MoveTo(to + length);
  return true;
}

std::optional<bool> ItemReader::Boolean(Element json) {
  std::optional<bool> value;
  if (json.type() == element_type::BOOL) return json.get_bool().value_unsafe();
  if (IsString(json)) value = BooleanFromText(JsonAccess::String(json));
  if (!value) Fail(NotABoolean(JsonAccess::Make(json)));
  return value;
}

bool ItemReader::ReadBool(Element json) {
  const std::optional<bool> value = Boolean(json);
  if (!value) return false;
  encoding::WriteTag(out_, *value ? encoding::kTrue : encoding::kFalse);
  return true;
}

bool ItemReader::ReadNull(Element json) {
  const std::optional<bool> value = Boolean(json);
  if (!value) return false;
  if (*value) {
    encoding::WriteTag(out_, encoding::kNull);
  } else {
    Refuse(out_.size(), {.kind = Kind::kNullFalse});
  }
  return true;
}

bool ItemReader::ReadSet(Type type, Element json) {
  if (json.type() != element_type::ARRAY) return Fail(NotAList(JsonAccess::Make(json)));
  if (type == Type::kSS && ReadAscendingStrings(json)) return true;
  SetBuilder builder(type, wording_, JsonAccess::Array(json).size());
  bool has_null = false;
  for (const auto member : JsonAccess::Array(json)) {
    if (member.is_null()) {
      has_null = true;
      continue;
    }
    if (!IsString(member)) {
      const JsonValue wrong = JsonAccess::Make(member);
      return Fail(type == Type::kBS ? NotABlob(wrong) : NotAString(wrong));
    }
    const std::string_view text = JsonAccess::String(member);
    if (type != Type::kBS) {
      builder.Add(text);
    } else if (const auto status = builder.AddBase64(text); status != Base64Status::kOk) {
      return Fail(NotBase64(status, text));
    }
  }
  const std::size_t begin = out_.size();
  if (has_null) {
    Refuse(begin, {.kind = Kind::kNoType});
  } else if (auto problem = builder.Finish(out_)) {
    Refuse(begin, *std::move(problem));
  }
  return true;
}

// Sets come back from this service sorted, so they are often sent sorted, and strings can then be
// written as they come. False if this set is not sorted; nothing is written then.
bool ItemReader::ReadAscendingStrings(Element json) {
  const simdjson::dom::array array = JsonAccess::Array(json);
  const std::size_t value_begin = out_.size();
  const std::size_t begun = encoding::BeginSized(out_, encoding::kStringSet);
  encoding::WriteCount(out_, CountOf(array));
  std::optional<std::string_view> previous;
  for (const auto member : array) {
    const bool is_string = IsString(member);
    const std::string_view text = is_string ? JsonAccess::String(member) : std::string_view();
    if (!is_string || (previous && text <= *previous)) {
      out_.CutTo(value_begin);
      return false;
    }
    encoding::WriteBytes(out_, text);
    previous = text;
  }
  if (!previous) {
    out_.CutTo(value_begin);
    return false;
  }
  encoding::EndSized(out_, begun);
  return true;
}

bool ItemReader::ReadList(Element json, int depth) {
  if (json.type() != element_type::ARRAY) return Fail(NotAList(JsonAccess::Make(json)));
  const std::size_t value_begin = out_.size();
  const bool too_deep = depth >= kMaxNesting;
  if (too_deep) RecordTooDeep(depth);
  const simdjson::dom::array array = JsonAccess::Array(json);
  const std::size_t begun = encoding::BeginSized(out_, encoding::kList);
  encoding::WriteCount(out_, CountOf(array));
  for (const auto element : array) {
    if (!ReadValue(element, ValuePlace::kElement, depth + 1)) return false;
  }
  encoding::EndSized(out_, begun);
  if (too_deep) Refuse(value_begin, {.kind = Kind::kTooDeep});
  return true;
}

bool ItemReader::ReadNestedMap(Element json, int depth) {
  if (json.type() != element_type::OBJECT) {
    return Fail(NotAMapOfAttributeValues(JsonAccess::Make(json)));
  }
  const std::size_t value_begin = out_.size();
  const bool too_deep = depth >= kMaxNesting;
  // Recorded before what is wrong further inside; the inside is still read, for its JSON shape.
  if (too_deep) RecordTooDeep(depth);
  const std::size_t begun = encoding::BeginSized(out_, encoding::kMap);
  if (!ReadMap(json, depth + 1)) return false;
  encoding::EndSized(out_, begun);
  if (too_deep) Refuse(value_begin, {.kind = Kind::kTooDeep});
  return true;
}

}  // namespace stator
