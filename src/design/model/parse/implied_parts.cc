#include "model/parse/implied_parts.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "model/parse/attribute_size.h"
#include "model/parse/nearest_name.h"

namespace stator::model {
namespace {

// The type that the table or one of its indexes gives to the name.
Type KeyTypeOf(const Table* table, std::string_view name) {
  if (table == nullptr) return Type::kS;
  if (table->partition && table->partition->name == name) return table->partition->type;
  if (table->sort && table->sort->name == name) return table->sort->type;
  for (const Index& index : table->indexes) {
    for (const KeyAttribute& key : index.partition) {
      if (key.name == name) return key.type;
    }
    for (const KeyAttribute& key : index.sort) {
      if (key.name == name) return key.type;
    }
  }
  return Type::kS;
}

Attribute SourceOf(const TemplatePart& part, const Table* table, bool plain) {
  static constexpr std::pair<std::string_view, Unit> kFormats[] = {
      {"ulid", Unit::kUlid},   {"uuid", Unit::kUuid},        {"date", Unit::kDate},
      {"iso", Unit::kIsoTime}, {"iso_s", Unit::kIsoSeconds}, {"iso_ms", Unit::kIsoMilliseconds},
  };
  Attribute source{.name = part.text};
  if (plain) source.type = KeyTypeOf(table, part.text);
  for (const auto& [format, unit] : kFormats) {
    if (part.format == format) source.unit = unit;
  }
  if (part.padded_digits > 0) {
    source.type = Type::kN;
    source.unit = Unit::kInteger;
  }
  return source;
}

constexpr std::size_t kMostAttributes = 2000;

// Completes one entity.
class Completion {
 public:
  Completion(Problems& problems, const Table* table, Entity& entity)
      : problems_(problems), table_(table), entity_(entity) {
    for (const Attribute& attribute : entity.attributes) known_.insert(attribute.name);
  }

  void Run() {
    SetTimeToLive();
    AddMachineAttributes();
    const auto number = [](const std::string& name, Unit unit) {
      return Attribute{.name = name, .type = Type::kN, .unit = unit};
    };
    Add(number(entity_.version, Unit::kInteger), entity_.place);
    Add(number(entity_.ttl, Unit::kEpochSeconds), entity_.place);
    if (table_ != nullptr) AddPlainKeys();
    AddSources();
  }

 private:
  void Add(Attribute attribute, Place place) {
    if (attribute.name.empty() || known_.contains(attribute.name)) return;
    if (IsSlip(attribute.name, place)) return;
    known_.insert(attribute.name);
    if (known_.size() == kMostAttributes) {
      problems_.Add(place,
                    fmt::format("{} has more than {} attributes", entity_.name, kMostAttributes));
    }
    if (known_.size() >= kMostAttributes) return;
    attribute.implicit = true;
    attribute.place = place;
    SetDefaultSize(attribute);
    entity_.attributes.push_back(std::move(attribute));
  }

  // One letter from a name that is declared: more probably a slip than another attribute.
  bool IsSlip(std::string_view name, Place place) {
    if (name.size() < 5) return false;
    for (const Attribute& attribute : entity_.attributes) {
      if (attribute.implicit || !OneEditApart(name, attribute.name)) continue;
      problems_.Add(place, fmt::format("unknown attribute of {} `{}`", entity_.name, name),
                    fmt::format("did you mean `{}`?", attribute.name));
      return true;
    }
    return false;
  }

  void SetTimeToLive() {
    if (entity_.ttl == "none") {
      entity_.ttl.clear();
    } else if (entity_.ttl.empty() && table_ != nullptr && known_.contains(table_->ttl)) {
      entity_.ttl = table_->ttl;
    }
  }

  void AddMachineAttributes() {
    if (!entity_.machine) return;
    const Machine& machine = *entity_.machine;
    Attribute status{.name = machine.attribute};
    for (const State& state : machine.states) status.values.push_back(state.name);
    for (Attribute& declared : entity_.attributes) {
      if (declared.name != machine.attribute || !declared.values.empty()) continue;
      if (declared.type != Type::kS) continue;
      declared.values = status.values;
      if (!declared.size_stated) SetDefaultSize(declared);
    }
    Add(std::move(status), machine.place);
    Add({.name = machine.stamp, .type = KeyTypeOf(table_, machine.stamp)}, machine.place);
    for (const Move& move : machine.moves) {
      for (const std::string& name : move.sets) {
        Add({.name = name, .type = KeyTypeOf(table_, name), .optional = true}, move.place);
      }
    }
  }

  void AddPlainKeys() {
    if (table_->partition) AddPlainKey(*table_->partition);
    if (table_->sort) AddPlainKey(*table_->sort);
    for (const Index& index : table_->indexes) {
      for (const auto* keys : {&index.partition, &index.sort}) {
        for (const KeyAttribute& key : *keys) {
          if (known_.contains(key.name)) AddPlainKey(key);
        }
      }
    }
  }

  void AddPlainKey(const KeyAttribute& key) {
    if (entity_.FindKey(key.name) != nullptr) return;
    KeyTemplate plain{.attribute = key.name, .text = fmt::format("{{{}}}", key.name)};
    plain.parts.push_back({.is_placeholder = true, .text = key.name});
    plain.place = entity_.place;
    entity_.keys.push_back(std::move(plain));
  }

  void AddSources() {
    for (const KeyTemplate& key : entity_.keys) {
      for (const TemplatePart& part : key.parts) {
        if (!part.is_placeholder || part.text == "shard") continue;
        Add(SourceOf(part, table_, key.IsPlain()), key.place);
      }
    }
  }

  Problems& problems_;
  const Table* table_;
  Entity& entity_;
  std::unordered_set<std::string> known_;
};

}  // namespace

void AddImpliedParts(Problems& problems, Model& model) {
  for (Entity& entity : model.entities) {
    Completion(problems, model.FindTable(entity.table), entity).Run();
  }
}

}  // namespace stator::model
