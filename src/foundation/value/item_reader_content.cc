// ItemReader: what stands behind the type of an attribute value.
#include <iterator>
#include <utility>

#include "value/base64.h"
#include "value/encoding_output.h"
#include "value/item_codec.h"
#include "value/item_reader.h"
#include "value/number.h"
#include "value/number_text.h"
#include "value/set_builder.h"

namespace stator {
namespace {

using Element = JsonAccess::Element;
using Kind = ValueProblem::Kind;
using simdjson::dom::element_type;

bool IsString(Element json) { return json.type() == element_type::STRING; }

// The parser's count saturates; a longer array is counted here.
std::size_t CountOf(simdjson::dom::array array) {
  constexpr std::size_t kSaturated = 0xFFFFFF;
  if (array.size() < kSaturated) return array.size();
  return static_cast<std::size_t>(std::distance(array.begin(), array.end()));
}

}  // namespace

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
// written as they come. False if this is no such set; nothing is written then.
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
  if (too_deep) Record({.kind = Kind::kTooDeep});
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
  if (too_deep) Record({.kind = Kind::kTooDeep});
  const std::size_t begun = encoding::BeginSized(out_, encoding::kMap);
  if (!ReadMap(json, depth + 1)) return false;
  encoding::EndSized(out_, begun);
  if (too_deep) Refuse(value_begin, {.kind = Kind::kTooDeep});
  return true;
}

}  // namespace stator
