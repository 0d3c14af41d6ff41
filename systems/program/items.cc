#include "systems/program/items.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <cstdlib>
#include <vector>

#include "systems/program/text.h"

namespace stator::systems {
namespace {

std::optional<ValueView> FindOfType(ItemView item, std::string_view name, Type type) {
  const auto value = item.Find(name);
  return value && value->type() == type ? value : std::nullopt;
}

constexpr int kDepthMax = 32;

Fallible<AttributeValue> ValueOf(simdjson::dom::element json, int depth);

Fallible<std::vector<std::pair<std::string, AttributeValue>>> EntriesOf(
    simdjson::dom::object object, int depth) {
  std::vector<std::pair<std::string, AttributeValue>> entries;
  for (const auto& field : object) {
    auto value = ValueOf(field.value, depth + 1);
    if (!value) return std::unexpected(std::move(value).error());
    entries.emplace_back(field.key, *std::move(value));
  }
  return entries;
}

Fallible<AttributeValue> ValueOf(simdjson::dom::element json, int depth) {
  if (depth > kDepthMax) return std::unexpected("it is nested too deep");
  switch (json.type()) {
    case simdjson::dom::element_type::STRING:
      return AttributeValue(std::string_view(json.get_string().value()));
    case simdjson::dom::element_type::INT64:
      return AttributeValue(json.get_int64().value());
    case simdjson::dom::element_type::UINT64:
      return AttributeValue(json.get_uint64().value());
    case simdjson::dom::element_type::DOUBLE:
      return AttributeValue::Number(fmt::format("{}", json.get_double().value()));
    case simdjson::dom::element_type::BOOL:
      return AttributeValue::Bool(json.get_bool().value());
    case simdjson::dom::element_type::NULL_VALUE:
      return AttributeValue::Null();
    case simdjson::dom::element_type::ARRAY: {
      std::vector<AttributeValue> elements;
      const simdjson::dom::array array = json.get_array();
      for (const simdjson::dom::element element : array) {
        auto value = ValueOf(element, depth + 1);
        if (!value) return value;
        elements.push_back(*std::move(value));
      }
      return AttributeValue::List(elements);
    }
    case simdjson::dom::element_type::OBJECT: {
      auto entries = EntriesOf(json.get_object().value(), depth);
      if (!entries) return std::unexpected(std::move(entries).error());
      return AttributeValue::Map(*entries);
    }
  }
  return std::unexpected("it has a value of an unknown type");
}

// A member of a number set as text. Sets hold the encodings of their numbers alone, which ValueView
// reads behind two bytes: the type and the length.
std::string NumberText(std::string_view encoded) {
  static const char kType = AttributeValue(0).view().encoded().front();
  std::string value{kType, static_cast<char>(encoded.size())};
  value += encoded;
  return ValueView(value).N();
}

template <class Range, class Append>
void AppendArray(std::string& out, const Range& range, const Append& append) {
  out += '[';
  bool first = true;
  for (const auto& element : range) {
    if (!first) out += ',';
    first = false;
    append(element);
  }
  out += ']';
}

void AppendValue(std::string& out, ValueView value);

void AppendMap(std::string& out, ItemView map) {
  out += '{';
  bool first = true;
  for (const auto& [name, value] : map) {
    if (!first) out += ',';
    first = false;
    out += JsonText(name) + ":";
    AppendValue(out, value);
  }
  out += '}';
}

void AppendValue(std::string& out, ValueView value) {
  switch (value.type()) {
    case Type::kS:
      out += JsonText(value.S());
      return;
    case Type::kN:
      out += value.N();
      return;
    case Type::kBool:
      out += value.Bool() ? "true" : "false";
      return;
    case Type::kM:
      AppendMap(out, value.Map());
      return;
    case Type::kB:
      out += JsonText(Base64(value.B()));
      return;
    case Type::kSS:
      AppendArray(out, value.Set().Members(),
                  [&](std::string_view member) { out += JsonText(member); });
      return;
    case Type::kNS:
      AppendArray(out, value.Set().Members(),
                  [&](std::string_view member) { out += NumberText(member); });
      return;
    case Type::kBS:
      AppendArray(out, value.Set().Members(),
                  [&](std::string_view member) { out += JsonText(Base64(member)); });
      return;
    case Type::kL:
      AppendArray(out, value.List(), [&](ValueView element) { AppendValue(out, element); });
      return;
    case Type::kNull:
      out += "null";
      return;
  }
}

}  // namespace

std::string TextOf(ItemView item, std::string_view name) {
  const auto value = FindOfType(item, name, Type::kS);
  return value ? std::string(value->S()) : std::string();
}

std::int64_t NumberOf(ItemView item, std::string_view name) {
  const auto value = FindOfType(item, name, Type::kN);
  return value ? value->AsInt64().value_or(0) : 0;
}

double RealOf(ItemView item, std::string_view name) {
  const auto value = FindOfType(item, name, Type::kN);
  return value ? std::strtod(value->N().c_str(), nullptr) : 0;
}

std::set<std::string> SetOf(ItemView item, std::string_view name) {
  std::set<std::string> members;
  const auto value = FindOfType(item, name, Type::kSS);
  if (!value) return members;
  for (const std::string_view member : value->Set().Members()) members.emplace(member);
  return members;
}

AttributeValue SetValue(const std::set<std::string>& members) {
  return AttributeValue::StringSet({members.begin(), members.end()});
}

std::int64_t MillisecondsOf(TimeMs time) { return time.time_since_epoch().count(); }

std::int64_t SecondsOf(TimeMs time) {
  return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}

Fallible<Item> ItemOfJson(std::string_view json) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (const auto failed = parser.parse(simdjson::padded_string(json)).get(root); failed) {
    return std::unexpected(std::string("it is not JSON: ") + simdjson::error_message(failed));
  }
  if (root.type() != simdjson::dom::element_type::OBJECT) {
    return std::unexpected("it is not a JSON object");
  }
  auto entries = EntriesOf(root.get_object().value(), 0);
  if (!entries) return std::unexpected(std::move(entries).error());
  return Item(*entries);
}

std::string JsonOfItem(ItemView item) {
  std::string out;
  AppendMap(out, item);
  return out;
}

std::string JsonText(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace stator::systems
