#include "proof/write_steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "entity/item_values.h"
#include "model/estimate/item_size.h"
#include "model/plan/write_effects.h"
#include "proof/item_maker.h"
#include "proof/proof_parts.h"

namespace stator::proof {
namespace {

using model::Plan;
using model::WriteKind;

constexpr std::uint64_t kReadNumbers = 500;  // from here on, after those that are written

// Another value of the same size.
std::string ChangedText(const model::Attribute& attribute, std::uint64_t number) {
  if (attribute.values.size() > 1) return attribute.values[1];
  if (attribute.type == Type::kBool) return "true";
  return ValueText(attribute, number + 1);
}

struct Images {
  Item before;
  Item after;
};

// The effects say whether the item is in a sparse index before and after the write.
void PlaceInSparseIndexes(const Plan& plan, const std::vector<model::IndexEffect>& effects,
                          const ItemMaker& maker, std::uint64_t number, Values& before,
                          Values& after) {
  using Kind = model::IndexEffect::Kind;
  for (const model::IndexEffect& effect : effects) {
    if (!effect.index->sparse) continue;
    std::vector<model::KeyAttribute> keys = effect.index->partition;
    keys.insert(keys.end(), effect.index->sort.begin(), effect.index->sort.end());
    std::erase_if(keys, [&](const auto& key) { return model::IsKeyOf(*plan.table, key.name); });
    const auto enter = [&](Values& values, bool is_in) {
      Values texts;
      for (const model::KeyAttribute& key : keys) {
        const model::KeyTemplate* form = plan.entity->FindKey(key.name);
        const model::Attribute* attribute = plan.entity->FindAttribute(key.name);
        if (form != nullptr) {
          texts[key.name] = maker.KeyText(*form, number, values);
        } else if (attribute != nullptr) {
          texts[key.name] = ValueText(*attribute, number);
        }
      }
      for (auto& [name, text] : texts) values.try_emplace(name, std::move(text));
      // One missing key keeps the item out.
      if (!is_in && !keys.empty()) values[keys.front().name] = ItemMaker::kAbsent;
    };
    enter(before, effect.kind != Kind::kPut && effect.kind != Kind::kNone);
    enter(after, effect.kind != Kind::kRemove && effect.kind != Kind::kNone);
  }
}

Images MakeImages(const model::Model& model, const Plan& plan, std::uint64_t number,
                  const std::vector<model::IndexEffect>& effects) {
  const model::Entity& entity = *plan.entity;
  const model::WriteDetail& write = plan.pattern->write;
  const ItemMaker maker(model, entity, nullptr);
  Values before;
  Values after;
  const auto change = [&](const std::string& name) {
    const model::Attribute* attribute = entity.FindAttribute(name);
    if (attribute != nullptr) after[name] = ChangedText(*attribute, number);
  };
  if (!model::WritesWholeItem(*plan.pattern)) {
    for (const std::string& name : model::ChangedAttributes(entity, *plan.pattern)) change(name);
  }
  if (write.kind == WriteKind::kMove && entity.machine) {
    const model::Move* move = entity.machine->FindMove(write.move);
    const std::string& attribute = entity.machine->attribute;
    if (move != nullptr && !move->from.empty()) before[attribute] = move->from.front();
    if (move != nullptr && !move->to.empty()) after[attribute] = move->to.front();
  }
  for (const std::string& name : write.removes) {
    const model::Attribute* attribute = entity.FindAttribute(name);
    if (attribute != nullptr) before.try_emplace(name, ValueText(*attribute, number));
    after[name] = ItemMaker::kAbsent;
    for (const model::KeyTemplate& key : entity.keys) {
      if (key.Uses(name)) after[key.attribute] = ItemMaker::kAbsent;
    }
  }
  for (const auto& [name, text] : before) after.try_emplace(name, text);
  if (write.derives) {
    for (const model::KeyTemplate& key : entity.keys) {
      const bool derived = std::ranges::find(*write.derives, key.attribute) != write.derives->end();
      if (!derived && !key.IsPlain()) after[key.attribute] = maker.KeyText(key, number, before);
    }
  }
  PlaceInSparseIndexes(plan, effects, maker, number, before, after);
  return {maker.Make(number, before), maker.Make(number, after)};
}

TransactUpdate MakeUpdate(const model::Table& table, const Images& images) {
  TransactUpdate update{.table_name = NameOf(table),
                        .key = entity::StoredKey(table, images.before.view())};
  NameMap names;
  ValueMap values;
  std::string sets;
  std::string removes;
  const auto name_of = [&](std::string_view attribute) {
    names.emplace_back(fmt::format("#n{}", names.size()), attribute);
    return names.back().first;
  };
  for (const auto& [name, value] : images.after.view()) {
    if (model::IsKeyOf(table, name)) continue;
    const auto old = images.before.Find(name);
    if (old && *old == value) continue;
    values.emplace_back(fmt::format(":v{}", values.size()), AttributeValue::FromView(value));
    sets +=
        fmt::format("{}{} = {}", sets.empty() ? "SET " : ", ", name_of(name), values.back().first);
  }
  for (const auto& [name, value] : images.before.view()) {
    if (images.after.Find(name) || model::IsKeyOf(table, name)) continue;
    removes += fmt::format("{}{}", removes.empty() ? " REMOVE " : ", ", name_of(name));
  }
  update.update_expression = sets + removes;
  update.condition_expression = "attribute_exists(#pk)";
  names.emplace_back("#pk", table.partition->name);
  update.expression_attribute_names = std::move(names);
  if (!values.empty()) update.expression_attribute_values = std::move(values);
  return update;
}

TransactPut MakePut(const model::Table& table, Item item) {
  return {.table_name = NameOf(table), .item = std::move(item)};
}

TransactDelete MakeDelete(const model::Table& table, const Item& item) {
  return {.table_name = NameOf(table), .key = entity::StoredKey(table, item.view())};
}

// The item that keeps a value unique: nothing but a key.
Item SentinelOf(const model::Table& table, std::uint64_t number) {
  Item item;
  const auto set = [&](const model::KeyAttribute& key) {
    const std::uint64_t unlike = 900000 + number;
    item.Set(key.name, key.type == Type::kN ? AttributeValue(unlike)
                                            : AttributeValue(fmt::format("unique#{}", unlike)));
  };
  set(*table.partition);
  if (table.sort) set(*table.sort);
  return item;
}

void AddSentinels(const Plan& plan, std::uint64_t number, Steps& steps) {
  const model::Table& table = *plan.table;
  const model::WriteDetail& write = plan.pattern->write;
  std::uint64_t next = number * 100;
  const auto add = [&] {
    steps.writes.push_back({.put = MakePut(table, SentinelOf(table, next++))});
  };
  const auto remove = [&] {
    const Item sentinel = SentinelOf(table, next++);
    steps.before.emplace_back(NameOf(table), sentinel);
    steps.writes.push_back({.delete_item = MakeDelete(table, sentinel)});
  };
  for (const std::vector<std::string>& unique : plan.entity->unique) {
    const bool sets = std::ranges::any_of(unique, [&](const std::string& name) {
      return std::ranges::find(write.sets, name) != write.sets.end();
    });
    if (write.kind == WriteKind::kCreate) add();
    if (write.kind == WriteKind::kDelete) remove();
    if (sets && (write.kind == WriteKind::kUpdate || write.kind == WriteKind::kMove)) {
      add();
      remove();
    }
  }
}

// The item that is read is another one of the same size, so that it does not disturb the write.
void AddReadFirst(const model::Model& model, const Plan& plan, std::uint64_t number, Steps& steps) {
  using ReadFirst = model::WriteDetail::ReadFirst;
  const ReadFirst read = plan.pattern->write.read_first;
  if (read == ReadFirst::kNo) return;
  const Item item = ItemMaker(model, *plan.entity, nullptr).Make(number + kReadNumbers, {});
  const std::string table = NameOf(*plan.table);
  steps.before.emplace_back(table, item);
  steps.reads_first.push_back({.table_name = table,
                               .key = entity::StoredKey(*plan.table, item.view()),
                               .consistent_read = read == ReadFirst::kStrong,
                               .return_consumed_capacity = ReturnConsumedCapacity::kTotal});
}

}  // namespace

std::vector<model::IndexEffect> IndexChangesOf(const Plan& plan) {
  if (plan.pattern->write.kind != WriteKind::kRekey || plan.parts.empty()) return plan.effects;
  // The old item is deleted and a new one put, in the index as in the table.
  std::vector<model::IndexEffect> effects = plan.parts.front().effects;
  for (model::IndexEffect& effect : effects) effect.kind = model::IndexEffect::Kind::kMove;
  return effects;
}

bool IsCertain(const Plan& plan, const model::Index& index) {
  double share = 0;
  int ways = 0;
  for (const model::IndexEffect& effect : IndexChangesOf(plan)) {
    if (effect.index != &index) continue;
    share = effect.share;
    ++ways;
  }
  return ways == 0 || (ways == 1 && share >= 1);
}

void AddWrite(const model::Model& model, const Plan& plan, std::uint64_t number,
              const std::vector<model::IndexEffect>& effects, Steps& steps) {
  const model::Table& table = *plan.table;
  const Images images = MakeImages(model, plan, number, effects);
  const std::size_t had = steps.writes.size();
  switch (plan.pattern->write.kind) {
    case WriteKind::kCreate:
    case WriteKind::kPut:
      steps.writes.push_back({.put = MakePut(table, images.after)});
      break;
    case WriteKind::kDelete:
      steps.before.emplace_back(NameOf(table), images.before);
      steps.writes.push_back({.delete_item = MakeDelete(table, images.before)});
      break;
    case WriteKind::kRekey:
      steps.before.emplace_back(NameOf(table), images.before);
      steps.writes.push_back({.put = MakePut(table, images.after)});
      steps.writes.push_back({.delete_item = MakeDelete(table, images.before)});
      break;
    default:
      steps.before.emplace_back(NameOf(table), images.before);
      steps.writes.push_back({.update = MakeUpdate(table, images)});
  }
  AddSentinels(plan, number, steps);
  AddReadFirst(model, plan, number, steps);
  if (steps.writes.size() > had + 1) steps.transaction = true;
}

void AddGet(const model::Model& model, const Plan& plan, std::uint64_t number, Steps& steps) {
  const Item item = ItemMaker(model, *plan.entity, nullptr).Make(number, {});
  steps.before.emplace_back(NameOf(*plan.table), item);
  steps.gets.push_back({.get = TransactGet{.table_name = NameOf(*plan.table),
                                           .key = entity::StoredKey(*plan.table, item.view())}});
}

}  // namespace stator::proof
