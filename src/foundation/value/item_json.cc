#include "value/item_json.h"

#include <string>
#include <utility>

#include "value/base64.h"
#include "value/encoding.h"
#include "value/item_reader.h"
#include "value/json_text.h"
#include "value/number.h"
#include "value/number_codec.h"

namespace stator {
namespace {

// A thread keeps its buffers, unless a request made them unusually large.
constexpr std::size_t kKeptBytes = 1 << 20;

ItemReader::Buffers& ThreadBuffers() {
  thread_local ItemReader::Buffers buffers;
  const std::size_t vector_bytes = buffers.attributes.capacity() * sizeof(buffers.attributes[0]);
  if (buffers.out.capacity() > kKeptBytes || vector_bytes > kKeptBytes) buffers = {};
  buffers.out.clear();
  buffers.attributes.clear();
  buffers.places.clear();
  return buffers;
}

template <class Owner>
Result<Owner> RefusedRead(ItemReader& reader, std::string encoded) {
  if (reader.error()) return std::unexpected(*std::move(reader.error()));
  ValueProblem& problem = *reader.problem();
  problem.is_for_classic = reader.too_many_levels() > kMaxCurrentNesting;
  return Owner::WithProblem(std::move(problem), std::move(encoded));
}

// Owner is Item or AttributeValue; `read` runs the reader over the whole of it.
template <class Owner, class Read>
Result<Owner> ReadWhole(Wording wording, Read read) {
  std::string encoded;
  {
    ItemReader reader(ThreadBuffers(), wording, ItemReader::Order::kByName);
    const bool complete = read(reader);
    encoded = reader.encoded();
    if (complete && !reader.problem()) [[likely]]
      return Owner::FromEncoded(std::move(encoded));
    if (!reader.reordered()) return RefusedRead<Owner>(reader, std::move(encoded));
  }
  // Something is wrong. The first problem in the order of the request is reported.
  ItemReader reader(ThreadBuffers(), wording, ItemReader::Order::kAsSent);
  read(reader);
  return RefusedRead<Owner>(reader, std::move(encoded));
}

// Stored bytes to DynamoDB JSON, straight into the output buffer. The Write functions read what
// stands at `at` and return its end.

const char* WriteAttributes(OutputCursor& out, const char* at);

template <std::size_t kSize>
void Write(OutputCursor& out, const char (&literal)[kSize]) {
  char* const to = out.Room(kSize - 1);
  std::memcpy(to, literal, kSize - 1);
  out.MoveTo(to + kSize - 1);
}

template <std::size_t kBefore, std::size_t kAfter>
void WriteNumber(OutputCursor& out, const char (&before)[kBefore], std::string_view number,
                 const char (&after)[kAfter]) {
  char* to = out.Room(kBefore - 1 + kNumberTextRoom + kAfter - 1);
  std::memcpy(to, before, kBefore - 1);
  to = WriteNumberText(to + kBefore - 1, number);
  std::memcpy(to, after, kAfter - 1);
  out.MoveTo(to + kAfter - 1);
}

template <std::size_t kBefore, std::size_t kAfter>
void WriteBinary(OutputCursor& out, const char (&before)[kBefore], std::string_view bytes,
                 const char (&after)[kAfter]) {
  const std::size_t length = Base64Length(bytes.size());
  char* to = out.Room(kBefore - 1 + length + kAfter - 1);
  std::memcpy(to, before, kBefore - 1);
  to += kBefore - 1;
  WriteBase64(to, bytes);
  to += length;
  std::memcpy(to, after, kAfter - 1);
  out.MoveTo(to + kAfter - 1);
}

const char* WriteMember(OutputCursor& out, char set_tag, const char* at) {
  switch (set_tag) {
    case encoding::kStringSet:
      WriteJsonText(out, "\"", encoding::ReadBytes(at), "\"");
      return at;
    case encoding::kNumberSet:
      WriteNumber(out, "\"", encoding::ReadNumber(at), "\"");
      return at;
    default:
      WriteBinary(out, "\"", encoding::ReadBytes(at), "\"");
      return at;
  }
}

// The members behind the size of a set, and the closing brackets.
const char* WriteMembers(OutputCursor& out, char set_tag, const char* at) {
  at += encoding::kSizeBytes;
  const std::size_t count = encoding::ReadVarint(at);
  for (std::size_t i = 0; i < count; ++i) {
    if (i != 0) Write(out, ",");
    at = WriteMember(out, set_tag, at);
  }
  Write(out, "]}");
  return at;
}

const char* WriteValue(OutputCursor& out, const char* at) {
  const char tag = *at++;
  switch (tag) {
    case encoding::kString:
      WriteJsonText(out, "{\"S\":\"", encoding::ReadBytes(at), "\"}");
      return at;
    case encoding::kNumber:
      WriteNumber(out, "{\"N\":\"", encoding::ReadNumber(at), "\"}");
      return at;
    case encoding::kBinary:
      WriteBinary(out, "{\"B\":\"", encoding::ReadBytes(at), "\"}");
      return at;
    case encoding::kTrue:
      Write(out, "{\"BOOL\":true}");
      return at;
    case encoding::kFalse:
      Write(out, "{\"BOOL\":false}");
      return at;
    case encoding::kStringSet:
      Write(out, "{\"SS\":[");
      return WriteMembers(out, tag, at);
    case encoding::kNumberSet:
      Write(out, "{\"NS\":[");
      return WriteMembers(out, tag, at);
    case encoding::kBinarySet:
      Write(out, "{\"BS\":[");
      return WriteMembers(out, tag, at);
    case encoding::kList: {
      at += encoding::kSizeBytes;
      const std::size_t count = encoding::ReadVarint(at);
      Write(out, "{\"L\":[");
      for (std::size_t i = 0; i < count; ++i) {
        if (i != 0) Write(out, ",");
        at = WriteValue(out, at);
      }
      Write(out, "]}");
      return at;
    }
    case encoding::kMap:
      Write(out, "{\"M\":");
      at = WriteAttributes(out, at + encoding::kSizeBytes);
      Write(out, "}");
      return at;
    default:
      Write(out, "{\"NULL\":true}");
      return at;
  }
}

const char* WriteAttributes(OutputCursor& out, const char* at) {
  const std::size_t count = encoding::ReadVarint(at);
  if (count == 0) {
    Write(out, "{}");
    return at;
  }
  char before[] = "{\"";
  for (std::size_t left = count; left != 0; --left) {
    WriteJsonText(out, before, encoding::ReadBytes(at), "\":");
    at = WriteValue(out, at);
    before[0] = ',';
  }
  Write(out, "}");
  return at;
}

// Values as DynamoDB shows them inside messages.

void AppendDebugText(std::string& out, ValueView value);

void AppendMember(std::string& out, Type set_type, std::string_view member) {
  switch (set_type) {
    case Type::kSS:
      out.append(member);
      break;
    case Type::kNS:
      AppendNumberText(out, member);
      break;
    default:
      AppendBase64(out, member);
  }
}

// Writes [a, b, c].
template <class Range, class Append>
void AppendJoined(std::string& out, const Range& range, char open, char close, Append append) {
  out.push_back(open);
  bool first = true;
  for (const auto& element : range) {
    if (!first) out.append(", ");
    first = false;
    append(element);
  }
  out.push_back(close);
}

void AppendContent(std::string& out, ValueView value) {
  switch (value.type()) {
    case Type::kS:
      out.append(value.S());
      break;
    case Type::kN:
      AppendNumberText(out, value.number());
      break;
    case Type::kB:
      AppendBase64(out, value.B());
      break;
    case Type::kBool:
      out.append(value.Bool() ? "true" : "false");
      break;
    case Type::kNull:
      out.append("true");
      break;
    case Type::kSS:
    case Type::kNS:
    case Type::kBS:
      AppendJoined(out, value.Set().Members(), '[', ']',
                   [&](std::string_view member) { AppendMember(out, value.type(), member); });
      break;
    case Type::kL:
      AppendJoined(out, value.List(), '[', ']',
                   [&](ValueView element) { AppendDebugText(out, element); });
      break;
    case Type::kM:
      AppendJoined(out, value.Map(), '{', '}', [&](const ItemView::Attribute& attribute) {
        out.append(attribute.first).push_back('=');
        AppendDebugText(out, attribute.second);
      });
      break;
  }
}

void AppendDebugText(std::string& out, ValueView value) {
  out.push_back('{');
  out.append(TypeName(value.type())).push_back(':');
  AppendContent(out, value);
  out.push_back('}');
}

}  // namespace

Result<Item> ReadItem(JsonValue json, Wording wording) {
  if (json.kind() != JsonKind::kObject) return std::unexpected(NotAMapOfAttributeValues(json));
  return ReadWhole<Item>(
      wording, [&](ItemReader& reader) { return reader.ReadMap(JsonAccess::Get(json), 0); });
}

Result<AttributeValue> ReadAttributeValue(JsonValue json, Wording wording, ValuePlace place) {
  return ReadWhole<AttributeValue>(wording, [&](ItemReader& reader) {
    return reader.ReadValue(JsonAccess::Get(json), place, 0);
  });
}

void WriteAttributeValue(JsonWriter& out, ValueView value) {
  OutputCursor cursor(out.BeginValue());
  WriteValue(cursor, value.encoded().data());
}

void WriteItem(JsonWriter& out, ItemView item) {
  OutputCursor cursor(out.BeginValue());
  // The usual item fits without growing again: an attribute's JSON has about ten bytes of
  // punctuation.
  cursor.Room(item.encoded().size() * 9 / 8 + item.size() * 10 + kNumberTextRoom);
  WriteAttributes(cursor, item.encoded().data());
}

std::string DebugText(ValueView value) {
  std::string text;
  AppendDebugText(text, value);
  return text;
}

}  // namespace stator
