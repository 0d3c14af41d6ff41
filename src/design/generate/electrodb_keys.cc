#include "generate/electrodb_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "generate/electrodb_attributes.h"
#include "generate/identifiers.h"
#include "generate/table_shape.h"
#include "generate/typescript.h"
#include "model/keys/derive.h"
#include "model/keys/key_access.h"
#include "model/names.h"

namespace stator::model {
namespace {

bool IsElectroName(std::string_view name) {
  return !name.empty() && !(name[0] >= '0' && name[0] <= '9') &&
         std::ranges::all_of(name, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_';
         });
}

bool UsesShard(const Entity& entity, const Table& table, const Index& index) {
  return std::ranges::any_of(KeySchemaOf(table, index), [&](const KeyElement& element) {
    const KeyTemplate* key = entity.FindKey(element.attribute.name);
    return key != nullptr && key->Uses(kShard);
  });
}

}  // namespace

ElectroKeys::ElectroKeys(const EntityNames& names)
    : names_(names), entity_(*names.entity), table_(*names.table) {
  NameSet taken;
  for (const Attribute* attribute : names.attributes) {
    attributes_[attribute->name] =
        taken.Add(IsElectroName(attribute->name) ? attribute->name : CamelName(attribute->name));
  }
  for (const Index& index : table_.indexes) {
    if (!index.shards || !UsesShard(entity_, table_, index)) continue;
    shards_[&index] = taken.Add(CamelName(index.name) + "Shard");
  }
  FindPadding();
  for (const KeyTemplate& key : entity_.keys) {
    if (!key.IsDerived() || !IsComputed(key)) continue;
    computed_[key.attribute] = taken.Add(CamelName(key.attribute) + "Key");
  }
}

const std::string& ElectroKeys::NameOf(std::string_view attribute) const {
  static const std::string kNone;
  const auto it = attributes_.find(attribute);
  return it == attributes_.end() ? kNone : it->second;
}

int ElectroKeys::PaddingOf(std::string_view attribute) const {
  const auto it = padding_.find(attribute);
  return it == padding_.end() ? 0 : it->second;
}

const std::string* ElectroKeys::ShardName(const Index& index) const {
  const auto it = shards_.find(&index);
  return it == shards_.end() ? nullptr : &it->second;
}

// ElectroDB pads an attribute in every key or in none, and never one that is a key itself.
void ElectroKeys::FindPadding() {
  std::map<std::string, std::set<int>> used;
  for (const KeyTemplate& key : entity_.keys) {
    if (!key.IsDerived() || TypeOfKey(table_, key.attribute) != Type::kS) continue;
    for (const TemplatePart& part : key.parts) {
      if (part.is_placeholder) used[part.text].insert(part.padded_digits);
    }
  }
  const std::vector<KeyAttribute> keys = AttributeDefinitionsOf(table_);
  for (const auto& [name, digits] : used) {
    const bool is_key = std::ranges::count(keys, name, &KeyAttribute::name) > 0;
    if (digits.size() == 1 && *digits.begin() > 0 && !is_key) padding_[name] = *digits.begin();
  }
}

bool ElectroKeys::IsComputed(const KeyTemplate& key) const {
  if (TypeOfKey(table_, key.attribute) != Type::kS) return false;
  const Index* index = IndexOfKey(table_, key);
  if (index != nullptr && !IndexObstacle(*index).empty()) return true;
  return std::ranges::any_of(key.parts, [&](const TemplatePart& part) {
    if (!part.is_placeholder) return part.text.find("${") != std::string::npos;
    return part.padded_digits > 0 && !padding_.contains(part.text);
  });
}

bool ElectroKeys::MayBeAbsent(std::string_view name) const {
  const Attribute* attribute = entity_.FindAttribute(name);
  return attribute == nullptr || attribute->optional || attribute->nullable;
}

std::vector<std::string> ElectroKeys::SourcesOf(const Index& index) const {
  std::vector<std::string> sources;
  for (const KeyElement& element : KeySchemaOf(table_, index)) {
    const KeyTemplate made = BaseTemplateFor(entity_, element.attribute.name);
    for (const std::string& source : made.Sources()) AddOnce(sources, source);
    if (made.Uses(kShard) && index.shards && !index.shards->by.empty()) {
      AddOnce(sources, index.shards->by);
    }
  }
  return sources;
}

std::string ElectroKeys::Obstacle() const {
  for (const Attribute* attribute : names_.attributes) {
    if (IsInheritedName(attribute->name)) {
      return fmt::format("ElectroDB takes no attribute called {}", attribute->name);
    }
  }
  for (const KeyElement& element : KeySchemaOf(table_)) {
    const std::string& name = element.attribute.name;
    if (!Key(element.attribute, nullptr) || computed_.contains(name)) {
      return fmt::format("ElectroDB cannot write the key {}", name);
    }
  }
  return "";
}

std::string ElectroKeys::IndexObstacle(const Index& index) const {
  std::vector<std::string> partition;
  std::vector<std::string> sort;
  for (const KeyElement& element : KeySchemaOf(table_, index)) {
    const std::optional<ElectroKey> key = Key(element.attribute, &index);
    if (!key) return fmt::format("it has no keys like {}", element.attribute.name);
    for (const std::string& name : key->composite)
      (element.sorts ? sort : partition).push_back(name);
  }
  const bool twice =
      std::ranges::any_of(sort, [&](const std::string& name) { return Contains(partition, name); });
  if (twice && sort.size() > 1) return "it takes an attribute in one of two keys only";
  const std::vector<std::string> sources = SourcesOf(index);
  const bool some_absent =
      std::ranges::any_of(sources, [&](const std::string& source) { return MayBeAbsent(source); });
  if (some_absent && sources.size() > 1 && !HasSeveralAttributes(index)) {
    return "it takes no item with only some of the attributes of an index";
  }
  return "";
}

std::string ElectroKeys::Code(const KeyAttribute& key, const std::vector<std::string>& composite,
                              const std::string& text) {
  return fmt::format("{{ field: {}, composite: {}, template: {}, casing: \"none\"{} }}",
                     JsonText(key.name), ListText(composite, JsonText), JsonText(text),
                     key.type == Type::kS ? ", cast: \"string\"" : "");
}

std::optional<ElectroKey> ElectroKeys::Key(const KeyAttribute& key, const Index* index) const {
  if (key.type == Type::kB) return std::nullopt;
  const auto itself = [&](const std::string& name) {
    return ElectroKey{{name}, Code(key, {name}, "${" + name + "}")};
  };
  const KeyTemplate* made = entity_.FindKey(key.name);
  if (made == nullptr || !made->IsDerived()) {
    if (NameOf(key.name).empty()) return std::nullopt;
    return itself(NameOf(key.name));
  }
  if (const auto name = computed_.find(key.name); name != computed_.end()) {
    return itself(name->second);
  }
  if (key.type == Type::kN && (made->parts.size() != 1 || made->parts[0].padded_digits != 0)) {
    return std::nullopt;
  }
  ElectroKey out;
  std::string text;
  for (const TemplatePart& part : made->parts) {
    if (!part.is_placeholder) {
      text += part.text;
      continue;
    }
    const bool is_shard = part.text == kShard && index != nullptr && ShardName(*index) != nullptr;
    const std::string& name = is_shard ? *ShardName(*index) : NameOf(part.text);
    if (name.empty()) return std::nullopt;
    out.composite.push_back(name);
    text += "${" + name + "}";
  }
  out.code = Code(key, out.composite, text);
  return out;
}

std::string ElectroKeys::TermCode(const Term& term) const {
  const std::string& name = NameOf(term.attribute);
  if (name.empty()) return "false";
  const std::string value = fmt::format("item[{}]", JsonText(name));
  if (term.comparison == Comparison::kExists) return value + " !== undefined";
  if (term.comparison == Comparison::kMissing) return value + " === undefined";
  const Attribute* attribute = entity_.FindAttribute(term.attribute);
  std::vector<std::string> operands;
  for (const Operand& operand : term.operands) {
    const bool bare = operand.kind == Operand::Kind::kBool ||
                      (operand.kind == Operand::Kind::kNumber && attribute->type == Type::kN);
    if (operand.kind == Operand::Kind::kParameter) return "false";
    operands.push_back(operand.kind == Operand::Kind::kNow
                           ? ElectroNow(*attribute, operand.offset.count())
                           : (bare ? operand.text : JsonText(operand.text)));
  }
  switch (term.comparison) {
    case Comparison::kEqual:
      return fmt::format("{} === {}", value, operands[0]);
    case Comparison::kNotEqual:
      return fmt::format("{} !== {}", value, operands[0]);
    case Comparison::kIn:
      return fmt::format("([{}] as unknown[]).includes({})", fmt::join(operands, ", "), value);
    case Comparison::kBetween:
      return fmt::format("compare({0}, {1}) >= 0 && compare({0}, {2}) <= 0", value, operands[0],
                         operands[1]);
    case Comparison::kBeginsWith:
      return fmt::format("String({}).startsWith({})", value, operands[0]);
    case Comparison::kContains:
      return fmt::format("String({}).includes({})", value, operands[0]);
    default:
      return fmt::format("compare({}, {}) {} 0", value, operands[0],
                         ComparisonText(term.comparison));
  }
}

std::string ElectroKeys::Condition(const Index& index) const {
  std::vector<std::string> all;
  for (const std::string& source : SourcesOf(index)) {
    if (!MayBeAbsent(source)) continue;
    all.push_back(fmt::format("item[{}] !== undefined", JsonText(NameOf(source))));
  }
  if (index.sparse && index.sparse->when) {
    std::vector<std::string> any_of;
    for (const auto& terms : index.sparse->when->any_of) {
      std::vector<std::string> all_of;
      for (const Term& term : terms) all_of.push_back(TermCode(term));
      any_of.push_back(fmt::format("({})", fmt::join(all_of, " && ")));
    }
    all.push_back(fmt::format("({})", fmt::join(any_of, " || ")));
  }
  return fmt::format("{}", fmt::join(all, " && "));
}

}  // namespace stator::model
