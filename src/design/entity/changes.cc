#include "entity/changes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/try.h"
#include "entity/item_values.h"
#include "model/keys/key_access.h"
#include "model/names.h"
#include "value/item_codec.h"
#include "value/number.h"

namespace stator::entity {
namespace {

using model::Contains;

std::string WhyFixed(const Home& home, std::string_view name, bool may_rekey) {
  if (!may_rekey && Contains(KeySources(home), name)) {
    return fmt::format("{}.{} is part of the primary key: use Rekey", home.entity.name, name);
  }
  if (home.entity.machine && home.entity.machine->attribute == name) {
    return fmt::format("{}.{} is the state of a machine: use Move", home.entity.name, name);
  }
  return {};
}

EntityResult<void> CheckCounter(const Home& home, std::string_view path) {
  const auto [name, member] = SplitPath(path);
  const model::Attribute* attribute = home.entity.FindAttribute(name);
  if (attribute == nullptr || IsManaged(home.entity, name)) {
    return Invalid(fmt::format("entity `{}` has no counter `{}`", home.entity.name, path));
  }
  const Type wanted = member.empty() ? Type::kN : Type::kM;
  if (attribute->type != wanted) {
    return Invalid(fmt::format("{}.{} is of type {}, which cannot be added to", home.entity.name,
                               path, TypeName(attribute->type)));
  }
  if (!attribute->counters.empty() && !Contains(attribute->counters, member)) {
    return Invalid(fmt::format("{}.{} has no counter `{}`", home.entity.name, name, member));
  }
  return {};
}

EntityResult<void> CheckSet(const Home& home, std::string_view name, const AttributeValue& value) {
  const model::Attribute* attribute = home.entity.FindAttribute(name);
  const bool is_set =
      value.type() == Type::kSS || value.type() == Type::kNS || value.type() == Type::kBS;
  if (attribute == nullptr || !is_set || attribute->type != value.type()) {
    return Invalid(fmt::format("{}.{} is not a set of this type", home.entity.name, name));
  }
  return {};
}

AttributeValue Sum(std::optional<ValueView> value, std::int64_t more) {
  Number before;
  if (value && value->type() == Type::kN) before = Number::Decode(value->number());
  const auto sum = Add(before, Number::FromInt64(more));
  return AttributeValue::Number(sum ? sum->ToString() : "0");
}

void AddTo(Item& item, std::string_view path, std::int64_t more) {
  const auto [name, member] = SplitPath(path);
  const std::optional<ValueView> value = item.Find(name);
  if (member.empty()) {
    item.Set(name, Sum(value, more));
    return;
  }
  Item map;
  if (value && value->type() == Type::kM) map = Item::FromView(value->Map());
  map.Set(member, Sum(map.Find(member), more));
  std::vector<std::pair<std::string, AttributeValue>> entries;
  for (const auto& [key, entry] : map) entries.emplace_back(key, AttributeValue::FromView(entry));
  item.Set(name, AttributeValue::Map(entries));
}

// The set with the members of `change` added or taken out; nullopt when none is left.
std::optional<AttributeValue> ChangedSet(std::optional<ValueView> stored, ValueView change,
                                         bool add) {
  std::vector<std::string> members;
  const auto take = [&](ValueView set) {
    for (const std::string_view member : set.Set().Members()) {
      std::string text(member);
      if (set.type() == Type::kNS) text = Number::Decode(member).ToString();
      const auto at = std::ranges::find(members, text);
      if (at == members.end()) members.push_back(std::move(text));
    }
  };
  if (stored && stored->type() == change.type()) take(*stored);
  if (add) {
    take(change);
  } else {
    std::erase_if(members, [&](const std::string& member) {
      if (change.type() != Type::kNS) return change.Set().Contains(member);
      std::string encoded;
      Number::Parse(member)->AppendEncoded(encoded);
      return change.Set().Contains(encoded);
    });
  }
  if (members.empty()) return std::nullopt;
  if (change.type() == Type::kNS) return AttributeValue::NumberSet(members);
  if (change.type() == Type::kBS) return AttributeValue::BinarySet(members);
  return AttributeValue::StringSet(members);
}

}  // namespace

std::pair<std::string_view, std::string_view> SplitPath(std::string_view path) {
  const std::size_t dot = path.find('.');
  if (dot == std::string_view::npos) return {path, {}};
  return {path.substr(0, dot), path.substr(dot + 1)};
}

EntityResult<void> CheckNotEmptyKey(const Home& home, std::string_view name, ValueView value) {
  const bool empty = (value.type() == Type::kS && value.S().empty()) ||
                     (value.type() == Type::kB && value.B().empty());
  if (!empty) return {};
  if (model::IsKeyOf(home.table, name)) {
    return Invalid(
        fmt::format("{}.{} is empty: it is a key of {}", home.entity.name, name, home.table.name));
  }
  for (const model::Index& index : home.table.indexes) {
    if (!model::IsKeyOf(index, name)) continue;
    return Invalid(
        fmt::format("{}.{} is empty: it is a key of {}", home.entity.name, name, index.name));
  }
  return {};
}

EntityResult<Change> CheckedChange(const Home& home, const Change& change, bool may_rekey) {
  Change checked = change;
  for (auto& [name, value] : checked.set) {
    if (std::string why = WhyFixed(home, name, may_rekey); !why.empty()) return Invalid(why);
    ASSIGN_OR_RETURN(value, CheckedValue(home.entity, name, value));
    RETURN_IF_ERROR(CheckNotEmptyKey(home, name, value.view()));
  }
  for (const std::string& name : checked.remove) {
    if (std::string why = WhyFixed(home, name, false); !why.empty()) return Invalid(why);
    const model::Attribute* attribute = home.entity.FindAttribute(name);
    if (attribute == nullptr || IsManaged(home.entity, name)) {
      return Invalid(
          fmt::format("entity `{}` has no attribute `{}` to remove", home.entity.name, name));
    }
    if (!attribute->optional) {
      return Invalid(
          fmt::format("{}.{} is not optional and cannot be removed", home.entity.name, name));
    }
  }
  for (const auto& [path, more] : checked.add) RETURN_IF_ERROR(CheckCounter(home, path));
  for (const auto& [name, value] : checked.add_to_set) RETURN_IF_ERROR(CheckSet(home, name, value));
  for (const auto& [name, value] : checked.remove_from_set) {
    RETURN_IF_ERROR(CheckSet(home, name, value));
  }
  std::vector<std::string> touched = TouchedAttributes(checked);
  std::ranges::sort(touched);
  for (std::size_t i = 1; i < touched.size(); ++i) {
    const bool twice = touched[i] == touched[i - 1];
    const bool counters = std::ranges::count_if(checked.add, [&](const auto& add) {
                            return SplitPath(add.first).first == touched[i];
                          }) == std::ranges::count(touched, touched[i]);
    if (twice && !counters) {
      return Invalid(fmt::format("{}.{} is changed twice", home.entity.name, touched[i]));
    }
  }
  return checked;
}

std::vector<std::string> TouchedAttributes(const Change& change) {
  std::vector<std::string> names;
  for (const auto& [name, value] : change.set) names.push_back(name);
  for (const std::string& name : change.remove) names.push_back(name);
  for (const auto& [path, more] : change.add) names.emplace_back(SplitPath(path).first);
  for (const auto& [name, value] : change.add_to_set) names.push_back(name);
  for (const auto& [name, value] : change.remove_from_set) names.push_back(name);
  return names;
}

Item Changed(const Item& before, const Change& change) {
  Item item = before;
  for (const auto& [name, value] : change.set) item.Set(name, value);
  for (const std::string& name : change.remove) item.Remove(name);
  for (const auto& [path, more] : change.add) AddTo(item, path, more);
  for (const auto& [name, members] : change.add_to_set) {
    item.Set(name, *ChangedSet(item.Find(name), members.view(), true));
  }
  for (const auto& [name, members] : change.remove_from_set) {
    const auto left = ChangedSet(item.Find(name), members.view(), false);
    if (left) {
      item.Set(name, *left);
    } else {
      item.Remove(name);
    }
  }
  return item;
}

}  // namespace stator::entity
