// Stored bytes to DynamoDB JSON, written straight into the output buffer.
#include <algorithm>

#include "value/base64.h"
#include "value/encoding.h"
#include "value/item_json.h"
#include "value/json_text.h"
#include "value/number.h"

namespace stator {
namespace {

void AppendItem(std::string& out, ItemView item);
void AppendValue(std::string& out, ValueView value);

void AppendMember(std::string& out, Type set_type, std::string_view member) {
  if (set_type == Type::kSS) {
    AppendJsonText(out, "\"", member, "\"");
    return;
  }
  out.push_back('"');
  if (set_type == Type::kNS) {
    AppendNumberText(out, member);
  } else {
    AppendBase64(out, member);
  }
  out.push_back('"');
}

void AppendSetMembers(std::string& out, ValueView value) {
  const Type type = value.type();
  std::string_view body = value.encoded().substr(1 + encoding::kSizeBytes);
  const std::size_t count = encoding::ReadVarint(body);
  for (std::size_t i = 0; i < count; ++i) {
    if (i != 0) out.push_back(',');
    AppendMember(out, type, encoding::ReadMember(type, body));
  }
}

void AppendList(std::string& out, ListView list) {
  bool first = true;
  for (const ValueView element : list) {
    if (!first) out.push_back(',');
    first = false;
    AppendValue(out, element);
  }
}

void AppendValue(std::string& out, ValueView value) {
  switch (value.encoded().front()) {
    case encoding::kString:
      AppendJsonText(out, "{\"S\":\"", value.S(), "\"}");
      return;
    case encoding::kNumber:
      out.append("{\"N\":\"");
      AppendNumberText(out, value.number());
      out.append("\"}");
      return;
    case encoding::kBinary:
      out.append("{\"B\":\"");
      AppendBase64(out, value.B());
      out.append("\"}");
      return;
    case encoding::kTrue:
      out.append("{\"BOOL\":true}");
      return;
    case encoding::kFalse:
      out.append("{\"BOOL\":false}");
      return;
    case encoding::kStringSet:
      out.append("{\"SS\":[");
      break;
    case encoding::kNumberSet:
      out.append("{\"NS\":[");
      break;
    case encoding::kBinarySet:
      out.append("{\"BS\":[");
      break;
    case encoding::kList:
      out.append("{\"L\":[");
      AppendList(out, value.List());
      out.append("]}");
      return;
    case encoding::kMap:
      out.append("{\"M\":");
      AppendItem(out, value.Map());
      out.push_back('}');
      return;
    default:
      out.append("{\"NULL\":true}");
      return;
  }
  AppendSetMembers(out, value);
  out.append("]}");
}

void AppendItem(std::string& out, ItemView item) {
  std::string_view rest = item.encoded();
  const std::size_t count = encoding::ReadVarint(rest);
  out.push_back('{');
  for (std::size_t i = 0; i < count; ++i) {
    if (i != 0) out.push_back(',');
    AppendJsonText(out, "\"", encoding::ReadBytes(rest), "\":");
    AppendValue(out, encoding::ReadValue(rest));
  }
  out.push_back('}');
}

}  // namespace

void WriteAttributeValue(JsonWriter& out, ValueView value) { AppendValue(out.BeginValue(), value); }

void WriteItem(JsonWriter& out, ItemView item) {
  std::string& text = out.BeginValue();
  // The usual item fits without growing again: an attribute's JSON has about ten bytes of
  // punctuation.
  const std::size_t wanted = text.size() + item.encoded().size() * 9 / 8 + item.size() * 10 + 64;
  if (text.capacity() < wanted) text.reserve(std::max(wanted, 2 * text.capacity()));
  AppendItem(text, item);
}

}  // namespace stator
