#include "entity/item_values.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "base/try.h"
#include "model/keys/derive.h"

namespace stator::entity {
namespace {

std::string Mapped(std::string_view text, int options) {
  utf8proc_uint8_t* out = nullptr;
  const utf8proc_ssize_t length = utf8proc_map(
      reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
      static_cast<utf8proc_ssize_t>(text.size()), &out, static_cast<utf8proc_option_t>(options));
  const std::unique_ptr<utf8proc_uint8_t, void (*)(void*)> owned(out, std::free);
  if (length < 0) return std::string(text);  // not UTF-8: DynamoDB itself will refuse it
  return {reinterpret_cast<const char*>(out), static_cast<std::size_t>(length)};
}

std::string LowerCase(std::string_view text) {
  std::string lower;
  const auto* at = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  auto left = static_cast<utf8proc_ssize_t>(text.size());
  while (left > 0) {
    utf8proc_int32_t codepoint = 0;
    const utf8proc_ssize_t used = utf8proc_iterate(at, left, &codepoint);
    if (used <= 0) return std::string(text);
    utf8proc_uint8_t bytes[4];
    const utf8proc_ssize_t made = utf8proc_encode_char(utf8proc_tolower(codepoint), bytes);
    lower.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(made));
    at += used;
    left -= used;
  }
  return lower;
}

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::string NumberProblem(const model::Attribute& attribute, ValueView value) {
  const double number = std::strtod(value.N().c_str(), nullptr);
  if (attribute.range && (number < attribute.range->first || number > attribute.range->second)) {
    return fmt::format("is {}, outside {}..{}", value.N(), attribute.range->first,
                       attribute.range->second);
  }
  if (attribute.unit == model::Unit::kEpochSeconds && number >= kLatestSeconds) {
    return fmt::format("is {}: milliseconds, where the model has seconds", value.N());
  }
  if (attribute.unit == model::Unit::kEpochMilliseconds && number >= kEarliestSeconds &&
      number < kLatestSeconds) {
    return fmt::format("is {}: seconds, where the model has milliseconds", value.N());
  }
  if (attribute.unit == model::Unit::kEpochMilliseconds && number < 0) {
    return fmt::format("is {}: a time before 1970", value.N());
  }
  return {};
}

std::string TextProblem(const model::Attribute& attribute, std::string_view text) {
  if (!attribute.values.empty() &&
      std::ranges::find(attribute.values, text) == attribute.values.end()) {
    return fmt::format("is `{}`, which is none of {}", text, fmt::join(attribute.values, ", "));
  }
  const std::size_t bad = text.find_first_of(attribute.forbidden);
  if (bad != std::string_view::npos) {
    return fmt::format("contains '{}', which the model forbids: it separates the parts of a key",
                       text[bad]);
  }
  return {};
}

std::string Problem(const model::Attribute& attribute, ValueView value) {
  if (value.type() == Type::kNull && attribute.nullable) return {};
  if (value.type() != attribute.type) {
    return fmt::format("is of type {}, the model says {}", TypeName(value.type()),
                       TypeName(attribute.type));
  }
  if (value.type() == Type::kN) return NumberProblem(attribute, value);
  if (value.type() == Type::kS) return TextProblem(attribute, value.S());
  return {};
}

EntityResult<AttributeValue> KeyPart(const Home& home, const model::KeyAttribute& attribute,
                                     const Item& known) {
  const model::KeyTemplate* key = home.entity.FindKey(attribute.name);
  if (key == nullptr || !key->IsDerived()) {
    const std::optional<ValueView> value = known.Find(attribute.name);
    if (value) return AttributeValue::FromView(*value);
    return Invalid(fmt::format("the key of {} needs `{}`", home.entity.name, attribute.name));
  }
  const auto text = model::RenderTemplate(home.entity, *key, known.view(), 0);
  if (!text) return Invalid(fmt::format("the key of {}: {}", home.entity.name, text.error()));
  if (!*text) {
    return Invalid(
        fmt::format("the key of {} needs {}", home.entity.name, fmt::join(key->Sources(), ", ")));
  }
  return model::KeyValue(attribute.type, **text);
}

}  // namespace

std::string NormalizedText(const std::vector<std::string>& normalizers, std::string_view text) {
  std::string normal(text);
  for (const std::string& step : normalizers) {
    if (step == "nfc") normal = Mapped(normal, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    if (step == "lower") normal = LowerCase(normal);
    if (step == "trim") normal = std::string(Trimmed(normal));
  }
  return normal;
}

AttributeValue NormalizedValue(const model::Attribute& attribute, const AttributeValue& value) {
  if (attribute.normalizers.empty() || value.type() != Type::kS) return value;
  return AttributeValue(NormalizedText(attribute.normalizers, value.view().S()));
}

bool IsManaged(const model::Entity& entity, std::string_view name) {
  if (name == entity.version) return true;
  const model::KeyTemplate* key = entity.FindKey(name);
  return key != nullptr && key->IsDerived();
}

EntityResult<AttributeValue> CheckedValue(const model::Entity& entity, std::string_view name,
                                          const AttributeValue& value) {
  if (IsManaged(entity, name)) {
    return Invalid(fmt::format("{}.{} is kept by the model and cannot be set", entity.name, name));
  }
  const model::Attribute* attribute = entity.FindAttribute(name);
  if (attribute == nullptr) {
    return Invalid(fmt::format("entity `{}` has no attribute `{}`", entity.name, name));
  }
  AttributeValue normal = NormalizedValue(*attribute, value);
  if (const std::string problem = Problem(*attribute, normal.view()); !problem.empty()) {
    return Invalid(fmt::format("{}.{} {}", entity.name, name, problem));
  }
  return normal;
}

EntityResult<Item> CheckedItem(const model::Entity& entity, const Item& item) {
  Item checked;
  for (const auto& [name, value] : item) {
    ASSIGN_OR_RETURN(const AttributeValue normal,
                     CheckedValue(entity, name, AttributeValue::FromView(value)));
    checked.Set(name, normal);
  }
  return checked;
}

std::optional<AttributeValue> DefaultOf(Context& context, const model::Attribute& attribute) {
  if (!attribute.default_value) return std::nullopt;
  const model::DefaultValue& value = *attribute.default_value;
  switch (value.kind) {
    case model::DefaultValue::Kind::kNow:
      return model::TimeValue(attribute, context.Now() + value.offset);
    case model::DefaultValue::Kind::kNewId:
      return AttributeValue(context.NewId(attribute.unit));
    case model::DefaultValue::Kind::kLiteral:
      break;
  }
  if (attribute.type == Type::kN) return AttributeValue::Number(value.text);
  if (attribute.type == Type::kBool) return AttributeValue::Bool(value.text == "true");
  return AttributeValue(value.text);
}

void RaiseVersion(const model::Entity& entity, const Item& before, Item& after) {
  if (entity.version.empty()) return;
  const auto stored = before.Find(entity.version);
  after.Set(entity.version, AttributeValue(stored ? stored->AsInt64().value_or(0) + 1 : 1));
}

EntityResult<Item> ItemKey(const Home& home, const Item& known) {
  Item key;
  ASSIGN_OR_RETURN(const AttributeValue partition, KeyPart(home, *home.table.partition, known));
  key.Set(home.table.partition->name, partition);
  if (home.table.sort) {
    ASSIGN_OR_RETURN(const AttributeValue sort, KeyPart(home, *home.table.sort, known));
    key.Set(home.table.sort->name, sort);
  }
  return key;
}

EntityResult<Item> GivenSources(const Home& home, const Item& given) {
  Item sources;
  for (const std::string& name : KeySources(home)) {
    const std::optional<ValueView> value = given.Find(name);
    if (!value) continue;
    ASSIGN_OR_RETURN(const AttributeValue checked,
                     CheckedValue(home.entity, name, AttributeValue::FromView(*value)));
    sources.Set(name, checked);
  }
  return sources;
}

EntityResult<Item> KeyFrom(const Home& home, const Item& given) {
  ASSIGN_OR_RETURN(const Item known, GivenSources(home, given));
  return ItemKey(home, known);
}

Item StoredKey(const model::Table& table, ItemView item) {
  Item key;
  const auto copy = [&](const std::string& name) {
    if (const auto value = item.Find(name)) key.Set(name, AttributeValue::FromView(*value));
  };
  if (table.partition) copy(table.partition->name);
  if (table.sort) copy(table.sort->name);
  return key;
}

std::vector<std::string> KeySources(const Home& home) {
  std::vector<std::string> sources;
  const auto add = [&](const model::KeyAttribute& attribute) {
    const model::KeyTemplate* key = home.entity.FindKey(attribute.name);
    if (key == nullptr || !key->IsDerived()) {
      sources.push_back(attribute.name);
      return;
    }
    for (std::string& source : key->Sources()) sources.push_back(std::move(source));
  };
  add(*home.table.partition);
  if (home.table.sort) add(*home.table.sort);
  return sources;
}

}  // namespace stator::entity
