// Stored bytes to DynamoDB JSON, written straight into the output buffer.
//
// The Write functions read what stands at `at` and return its end.
#include "value/base64.h"
#include "value/encoding.h"
#include "value/item_json.h"
#include "value/json_text.h"
#include "value/number_text.h"

namespace stator {
namespace {

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

// The members behind the size of a set, and its brackets' end.
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

}  // namespace

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

}  // namespace stator
