#include "model/parse/implied.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "model/keys/key_access.h"
#include "model/names.h"
#include "model/parse/fields.h"

namespace stator::model {
namespace {

constexpr double kGuessedDigits = 6;
constexpr double kCounterDigits = 4;
constexpr double kGuessedTextBytes = 20;
constexpr double kGuessedDocumentBytes = 100;

Amount Exactly(double bytes) { return {bytes, bytes}; }

double DigitsOf(double number) {
  const double magnitude = std::floor(std::abs(number));
  return magnitude < 10 ? 1 : std::floor(std::log10(magnitude)) + 1;
}

Amount EnumBytes(const Attribute& attribute) {
  Amount bytes;
  for (const std::string& value : attribute.values) {
    const auto length = static_cast<double>(value.size());
    const double size = attribute.type == Type::kN ? NumberBytes(length) : length;
    bytes.typical += size / static_cast<double>(attribute.values.size());
    bytes.max = std::max(bytes.max, size);
  }
  return bytes;
}

// A map takes 3 bytes, and each entry 1 byte more than its name and value.
Amount CountersBytes(const Attribute& attribute) {
  double bytes = 3;
  for (const std::string& name : attribute.counters) {
    bytes += 1 + static_cast<double>(name.size()) + NumberBytes(kCounterDigits);
  }
  return Exactly(bytes);
}

// Zero if the unit does not say.
Amount UnitBytes(Unit unit) {
  switch (unit) {
    case Unit::kDate:
      return Exactly(10);
    case Unit::kIsoSeconds:
      return Exactly(20);
    case Unit::kIsoMilliseconds:
      return Exactly(24);
    case Unit::kIsoTime:
      return {24, 29};
    case Unit::kUlid:
      return Exactly(26);
    case Unit::kUuid:
      return Exactly(36);
    case Unit::kEpochSeconds:
      return Exactly(NumberBytes(10));
    case Unit::kEpochMilliseconds:
      return Exactly(NumberBytes(13));
    case Unit::kInteger:
    case Unit::kNone:
      return {};
  }
  return {};
}

Amount GuessedBytes(const Attribute& attribute) {
  switch (attribute.type) {
    case Type::kN:
      return Exactly(NumberBytes(attribute.counter ? kCounterDigits : kGuessedDigits));
    case Type::kS:
    case Type::kB:
      return Exactly(kGuessedTextBytes);
    default:
      return Exactly(kGuessedDocumentBytes);
  }
}

Type TypeOf(const Table* table, std::string_view key) {
  return table == nullptr ? Type::kS : TypeOfKey(*table, key);
}

Attribute SourceOf(const TemplatePart& part, const Table* table, bool plain) {
  static constexpr std::pair<std::string_view, Unit> kUnitOfFormat[] = {
      {"ulid", Unit::kUlid},   {"uuid", Unit::kUuid},        {"date", Unit::kDate},
      {"iso", Unit::kIsoTime}, {"iso_s", Unit::kIsoSeconds}, {"iso_ms", Unit::kIsoMilliseconds},
  };
  Attribute source{.name = part.text};
  if (plain) source.type = TypeOf(table, part.text);
  for (const auto& [format, unit] : kUnitOfFormat) {
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

  // One edit from a declared name: more likely a slip than another attribute.
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
    Add({.name = machine.stamp, .type = TypeOf(table_, machine.stamp)}, machine.place);
    for (const Move& move : machine.moves) {
      for (const std::string& name : move.sets) {
        Add({.name = name, .type = TypeOf(table_, name), .optional = true}, move.place);
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
    KeyTemplate plain = KeyTemplate::Plain(key.name);
    plain.place = entity_.place;
    entity_.keys.push_back(std::move(plain));
  }

  void AddSources() {
    for (const KeyTemplate& key : entity_.keys) {
      for (const TemplatePart& part : key.parts) {
        if (!part.is_placeholder || part.text == kShard) continue;
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

double NumberBytes(double digits) { return 1 + std::ceil(std::min(digits, 38.0) / 2); }

void SetDefaultSize(Attribute& attribute) {
  attribute.size_stated = true;
  if (attribute.type == Type::kBool || attribute.type == Type::kNull) {
    attribute.bytes = Exactly(1);
  } else if (!attribute.values.empty()) {
    attribute.bytes = EnumBytes(attribute);
  } else if (!attribute.counters.empty()) {
    attribute.bytes = CountersBytes(attribute);
  } else if (const Amount bytes = UnitBytes(attribute.unit); bytes.max > 0) {
    attribute.bytes = bytes;
  } else if (attribute.type == Type::kN && attribute.range) {
    const auto& [low, high] = *attribute.range;
    attribute.bytes = Exactly(NumberBytes(std::max(DigitsOf(low), DigitsOf(high))));
  } else {
    attribute.bytes = GuessedBytes(attribute);
    attribute.size_stated = false;
  }
}

void AddImpliedParts(Problems& problems, Model& model) {
  for (Entity& entity : model.entities) {
    Completion(problems, model.FindTable(entity.table), entity).Run();
  }
}

}  // namespace stator::model
