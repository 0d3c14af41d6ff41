// Writes entities through the C++ entity layer, for languages_test.py to compare with what generated code writes.
//
//   entity_writer ENDPOINT MODEL…
//
// For each model, tables are made under the prefixes new-NAME-, cpp-NAME-, py-NAME-, ts-NAME- and edb-NAME-, and items of
// every entity are created in the first two. Each is printed as a line of JSON: {"model", "entity", "item"} with the
// attributes that were given, as DynamoDB writes them. With the model "languages" the scenario is played in cpp-.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <span>

#include "generate/table_shape.h"
#include "languages_scenario.h"
#include "model/keys/key_access.h"
#include "model/names.h"
#include "stator/client.h"
#include "stator/entity.h"
#include "value/item_json.h"
#include "value/json_writer.h"

namespace stator {
namespace {

using model::Attribute;
using model::Unit;

constexpr int kItemsPerEntity = 4;

std::string Allowed(const Attribute& attribute, std::string text) {
  std::erase_if(text, [&](char c) { return attribute.forbidden.find(c) != std::string::npos; });
  return text;
}

std::string TextFor(const Attribute& attribute, int number) {
  if (!attribute.values.empty()) {
    return attribute.values[static_cast<std::size_t>(number) % attribute.values.size()];
  }
  switch (attribute.unit) {
    case Unit::kDate:
      return fmt::format("2026-03-{:02d}", number + 1);
    case Unit::kIsoSeconds:
      return fmt::format("2026-03-01T08:00:{:02d}Z", number);
    case Unit::kIsoMilliseconds:
    case Unit::kIsoTime:
      return fmt::format("2026-03-01T08:00:{:02d}.120Z", number);
    case Unit::kUlid:
      return fmt::format("01ARZ3NDEKTSV4RRFFQ69G5FA{}", number);
    case Unit::kUuid:
      return fmt::format("123e4567-e89b-12d3-a456-42661417400{}", number);
    default:
      break;
  }
  // Letters that norm= changes, signs that sentinels and shells escape, letters beyond 16 bits.
  static const std::vector<std::string> kTexts = {"plain", " \u00c5sa-\u0130\u03a3 e\u0301\t",
                                                  "50%#\"'\\$", "\U0001F4E6\u00fc"};
  const std::string& odd = kTexts[static_cast<std::size_t>(number) % kTexts.size()];
  return Allowed(attribute, fmt::format("{}{}{}", odd, attribute.name.size(), number));
}

std::string NumberFor(const Attribute& attribute, int number) {
  if (attribute.range) {
    // Beyond 2^53 a double does not have every integer.
    const auto first = static_cast<std::int64_t>(attribute.range->first);
    return std::to_string(
        std::min(first + number, static_cast<std::int64_t>(attribute.range->second)));
  }
  switch (attribute.unit) {
    case Unit::kEpochSeconds:
      return std::to_string(1772300000 + number);
    case Unit::kEpochMilliseconds:
      return std::to_string(1772236800000 + number);
    case Unit::kInteger:
      return std::to_string(number == 3 ? 9007199254740991 : number * 40);
    default:
      return attribute.counter ? std::to_string(number) : fmt::format("{}.250", number * 40);
  }
}

AttributeValue ValueFor(const Attribute& attribute, int number) {
  const std::string text = fmt::format("member-{}", number);
  switch (attribute.type) {
    case Type::kN:
      return AttributeValue::Number(NumberFor(attribute, number));
    case Type::kBool:
      return AttributeValue::Bool(number % 2 == 1);
    case Type::kB:
      return AttributeValue::Binary(std::string("\0\xff", 2) + text);
    case Type::kSS:
      return AttributeValue::StringSet({text, "\u00e5", "b"});
    case Type::kNS:
      return AttributeValue::NumberSet({"1.5", "-3", std::to_string(number + 7)});
    case Type::kBS:
      return AttributeValue::BinarySet({text, std::string("\0", 1)});
    case Type::kL:
      return AttributeValue::List({AttributeValue(text), AttributeValue::Null()});
    case Type::kM:
      if (!attribute.counters.empty()) {
        return AttributeValue::Map({{attribute.counters.front(), AttributeValue(number)}});
      }
      return AttributeValue::Map(
          {{"x", AttributeValue(text)}, {"y", AttributeValue::Number("0.1")}});
    default:
      return AttributeValue(TextFor(attribute, number));
  }
}

// Item 0 has only what it must have, the others have everything.
Item ItemFor(const model::Entity& entity, int number) {
  Item item;
  for (const Attribute& attribute : entity.attributes) {
    if (model::IsDerived(entity, attribute.name) || attribute.name == entity.version) continue;
    const bool is_state = entity.machine && entity.machine->attribute == attribute.name;
    const bool needed = !attribute.optional && !attribute.nullable && !attribute.default_value &&
                        !attribute.counter && attribute.counters.empty();
    const bool is_new = attribute.default_value &&
                        attribute.default_value->kind == model::DefaultValue::Kind::kNewId;
    if (is_state) {
      // Where there is a choice it has to be made.
      const std::vector<std::string>& states = entity.machine->initial;
      if (states.size() > 1) {
        item.Set(attribute.name,
                 AttributeValue(states[static_cast<std::size_t>(number) % states.size()]));
      }
      continue;
    }
    if (number == 0 && !needed && !is_new) continue;
    item.Set(attribute.name, ValueFor(attribute, number));
  }
  return item;
}

// False if the key is the same for all: there can be one item.
bool HasSeveral(const model::Entity& entity) {
  return std::ranges::any_of(entity.keys, [](const model::KeyTemplate& key) {
    return key.IsPlain() || !key.Sources().empty();
  });
}

void Print(const std::string& model, const std::string& entity, const Item& item) {
  std::string line;
  JsonWriter json(line);
  json.BeginObject();
  json.Key("model").String(model);
  json.Key("entity").String(entity);
  json.Key("item");
  WriteItem(json, item.view());
  json.EndObject();
  std::puts(line.c_str());
}

bool Complain(const std::string& where, const EntityError& error) {
  fmt::print(stderr, "entity_writer: {}: {}\n", where, error.message);
  return false;
}

bool WriteModel(Endpoint& endpoint, const Clock& clock, const std::string& file) {
  const auto loaded = Model::Load(file);
  if (!loaded) {
    fmt::print(stderr, "{}\n", loaded.error());
    return false;
  }
  const std::filesystem::path path(file);
  const bool is_system = path.stem() == "model";
  const std::string name =
      is_system ? path.parent_path().filename().string() + "_system" : path.stem().string();
  std::vector<Entities> written;
  for (const char* prefix : {"new", "cpp", "py", "ts", "edb"}) {
    written.emplace_back(
        endpoint, *loaded,
        EntityOptions{
            .clock = &clock, .seed = 1, .table_prefix = fmt::format("{}-{}-", prefix, name)});
    const auto made = written.back().CreateTables();
    if (!made) return Complain(name, made.error());
  }
  for (const model::Entity& entity : loaded->values().entities) {
    for (int number = HasSeveral(entity) ? 0 : kItemsPerEntity - 1; number < kItemsPerEntity;
         ++number) {
      const Item item = ItemFor(entity, number);
      for (Entities& entities : std::span(written).first(2)) {
        const auto created = entities.Create(entity.name, item);
        if (!created) return Complain(name + "." + entity.name, created.error());
      }
      Print(name, entity.name, item);
    }
  }
  if (name != "languages") return true;
  const std::string problem = PlayScenario(written[1]);
  if (!problem.empty()) fmt::print(stderr, "entity_writer: {}\n", problem);
  return problem.empty();
}

}  // namespace
}  // namespace stator

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: entity_writer ENDPOINT MODEL…\n");
    return 2;
  }
  const auto client = stator::Client::Open({.endpoint = argv[1]});
  const stator::TurnableClock clock(*stator::ClockSetting::Parse("fixed:2026-02-28T12:34:56Z"));
  if (!client) return 1;
  for (int i = 2; i < argc; ++i) {
    if (!stator::WriteModel(**client, clock, argv[i])) return 1;
  }
  return 0;
}
