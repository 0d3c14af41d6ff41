#include "live/item_flaws.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "live/mend.h"
#include "model/keys/derive.h"
#include "value/item_json.h"
#include "value/number.h"

namespace stator::live {
namespace {

// Between these a number of seconds is a time of our days; a thousand times as much is one in
// milliseconds.
constexpr double kEarliestSeconds = 1e8;
constexpr double kLatestSeconds = 1e11;

std::optional<ItemFlaw> NumberFlaw(const model::Attribute& attribute, ValueView value,
                                   const std::string& subject) {
  const double number = std::strtod(value.N().c_str(), nullptr);
  if (attribute.unit == model::Unit::kEpochSeconds && number >= kLatestSeconds) {
    return ItemFlaw{Flaw::kWrongUnit, subject, value.N() + " is in milliseconds, not seconds"};
  }
  if (attribute.unit == model::Unit::kEpochMilliseconds && number >= kEarliestSeconds &&
      number < kLatestSeconds) {
    return ItemFlaw{Flaw::kWrongUnit, subject, value.N() + " is in seconds, not milliseconds"};
  }
  if (attribute.range && (number < attribute.range->first || number > attribute.range->second)) {
    return ItemFlaw{Flaw::kUnknownValue, subject, value.N() + " is out of range"};
  }
  return std::nullopt;
}

std::optional<ItemFlaw> TextFlaw(const model::Attribute& attribute, std::string_view text,
                                 const std::string& subject) {
  if (!attribute.values.empty() &&
      std::ranges::find(attribute.values, text) == attribute.values.end()) {
    return ItemFlaw{Flaw::kUnknownValue, subject,
                    fmt::format("`{}` is none of {}", text, fmt::join(attribute.values, ", "))};
  }
  if (text.find_first_of(attribute.forbidden) != std::string_view::npos) {
    return ItemFlaw{Flaw::kForbidden, subject,
                    fmt::format("`{}` contains one of {}", text, attribute.forbidden)};
  }
  return std::nullopt;
}

std::optional<ItemFlaw> AttributeFlaw(const model::Entity& entity,
                                      const model::Attribute& attribute, ItemView item) {
  const std::string subject = entity.name + "." + attribute.name;
  const std::optional<ValueView> value = item.Find(attribute.name);
  const model::KeyTemplate* key = entity.FindKey(attribute.name);
  if (!value) {
    const bool derived = key != nullptr && key->IsDerived();
    if (attribute.optional || attribute.implicit || derived) return std::nullopt;
    return ItemFlaw{Flaw::kAttributeMissing, subject, "is not there"};
  }
  if (value->type() == Type::kNull && attribute.nullable) return std::nullopt;
  if (value->type() != attribute.type) {
    if (attribute.type == Type::kN && value->type() == Type::kS &&
        Number::Parse(value->S()).has_value()) {
      return ItemFlaw{Flaw::kNumberAsText, subject,
                      fmt::format("the number {} is stored as text", value->S())};
    }
    return ItemFlaw{
        Flaw::kWrongType, subject,
        fmt::format("is {}, the model says {}", DebugText(*value), TypeName(attribute.type))};
  }
  if (value->type() == Type::kN) return NumberFlaw(attribute, *value, subject);
  if (value->type() == Type::kS) return TextFlaw(attribute, value->S(), subject);
  return std::nullopt;
}

std::string ShownValue(const std::optional<AttributeValue>& value) {
  return value ? DebugText(value->view()) : "absent";
}

ItemFlaw KeyFlaw(const model::Entity& entity, const WrongKey& key, ItemView item) {
  const std::string& name = key.wanted.key->attribute;
  const auto stored = item.Find(name);
  Flaw flaw = Flaw::kKeyWrong;
  if (!key.is_there) flaw = Flaw::kKeyMissing;
  if (!key.wanted.value) flaw = Flaw::kKeyLeftBehind;
  return {flaw, entity.name + "." + name,
          fmt::format("is {}, must be {}", stored ? DebugText(*stored) : "absent",
                      ShownValue(key.wanted.value))};
}

bool IsMade(const model::Entity& entity, const model::KeyAttribute& attribute) {
  const model::KeyTemplate* key = entity.FindKey(attribute.name);
  return key != nullptr && key->IsDerived();
}

// A sparse index over attributes of their own: nothing is derived, so the item leaves it only when
// somebody takes one of them away.
void AddLeftEntries(const model::Table& table, const model::Entity& entity, ItemView item,
                    TimeMs now, std::vector<ItemFlaw>& flaws) {
  for (const model::Index& index : table.indexes) {
    if (index.local || !index.sparse || !index.sparse->when) continue;
    std::vector<model::KeyAttribute> keys = index.partition;
    keys.insert(keys.end(), index.sort.begin(), index.sort.end());
    const bool enters = std::ranges::all_of(keys, [&](const model::KeyAttribute& key) {
      const auto value = item.Find(key.name);
      return value && value->type() == key.type && !IsMade(entity, key);
    });
    if (!enters || model::Holds(*index.sparse->when, entity, item, now)) continue;
    flaws.push_back({Flaw::kKeyLeftBehind, entity.name + "." + keys.front().name,
                     fmt::format("is there, which keeps the item in {}, although not {}",
                                 index.name, index.sparse->when->text)});
  }
}

}  // namespace

std::vector<ItemFlaw> AttributeFlaws(const model::Entity& entity, ItemView item) {
  std::vector<ItemFlaw> flaws;
  for (const model::Attribute& attribute : entity.attributes) {
    if (std::optional<ItemFlaw> flaw = AttributeFlaw(entity, attribute, item)) {
      flaws.push_back(*std::move(flaw));
    }
  }
  return flaws;
}

std::vector<ItemFlaw> KeyFlaws(const model::Model& model, const model::Table& table,
                               const model::Entity& entity, ItemView item, TimeMs now) {
  const auto wrong = FindWrongKeys(model, table, entity, nullptr, item, now);
  if (!wrong) return {{Flaw::kKeyImpossible, entity.name, wrong.error()}};
  std::vector<ItemFlaw> flaws;
  for (const WrongKey& key : *wrong) flaws.push_back(KeyFlaw(entity, key, item));
  AddLeftEntries(table, entity, item, now, flaws);
  // The table's own key cannot be mended in place, but it can be wrong.
  const auto derived = model::DeriveKeys(model, entity, item, now, nullptr);
  for (const model::DerivedKey& key : *derived) {
    const std::string& name = key.key->attribute;
    const bool is_base = table.partition->name == name || (table.sort && table.sort->name == name);
    const auto stored = item.Find(name);
    if (is_base && key.value && stored && *stored != key.value->view()) {
      flaws.push_back(KeyFlaw(entity, {.wanted = key, .is_there = true}, item));
    }
  }
  return flaws;
}

}  // namespace stator::live
