// Values as DynamoDB shows them inside messages.
#include <string>

#include "value/base64.h"
#include "value/item_json.h"
#include "value/number.h"

namespace stator {
namespace {

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

std::string DebugText(ValueView value) {
  std::string text;
  AppendDebugText(text, value);
  return text;
}

}  // namespace stator
