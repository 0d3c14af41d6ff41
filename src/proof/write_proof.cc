// Writes: the item as it was is put, the write is made, and the units of the table and of every index
// are compared.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/try.h"
#include "model/item_size.h"
#include "model/plan_parts.h"
#include "proof/item_maker.h"
#include "proof/proof_parts.h"
#include "proof/scenario.h"
#include "proof/tables.h"

namespace stator::proof {
namespace {

using model::Plan;
using model::WriteKind;

// What one write needs: items that are there before, and what is done.
struct Steps {
  std::vector<std::pair<std::string, Item>> before;  // table and item
  std::vector<TransactWriteItem> writes;
  std::vector<TransactGetItem> gets;
  bool transaction = false;
  double failing_share = 0;  // of the requests whose condition fails
  std::string key;           // the partition key of the table
};

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

// True unless the index changes in one way in some runs, and in another or not at all in others.
bool IsCertain(const Plan& plan, const model::Index& index) {
  const auto ways = std::ranges::count(plan.effects, &index, &model::IndexEffect::index);
  return ways == 0 ||
         (ways == 1 &&
          std::ranges::find(plan.effects, &index, &model::IndexEffect::index)->share >= 1);
}

// Whether the item is in a sparse index before and after the write is for the plan to say.
void PlaceInSparseIndexes(const Plan& plan, const ItemMaker& maker, std::uint64_t number,
                          Values& before, Values& after) {
  using Kind = model::IndexEffect::Kind;
  for (const model::IndexEffect& effect : plan.effects) {
    if (!effect.index->sparse || !IsCertain(plan, *effect.index)) continue;
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
      // One key that is not there keeps it out.
      if (!is_in && !keys.empty()) values[keys.front().name] = ItemMaker::kAbsent;
    };
    enter(before, effect.kind != Kind::kPut);
    enter(after, effect.kind != Kind::kRemove);
  }
}

Images MakeImages(const model::Model& model, const Plan& plan, std::uint64_t number) {
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
  PlaceInSparseIndexes(plan, maker, number, before, after);
  return {maker.Make(number, before), maker.Make(number, after)};
}

TransactUpdate MakeUpdate(const model::Table& table, const Images& images) {
  TransactUpdate update{.table_name = NameOf(table), .key = KeyOf(table, images.before)};
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
  return {.table_name = NameOf(table), .key = KeyOf(table, item)};
}

// The item that keeps a value unique: nothing but a key of its own.
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
  const auto come = [&] {
    steps.writes.push_back({.put = MakePut(table, SentinelOf(table, next++))});
  };
  const auto go = [&] {
    const Item sentinel = SentinelOf(table, next++);
    steps.before.emplace_back(NameOf(table), sentinel);
    steps.writes.push_back({.delete_item = MakeDelete(table, sentinel)});
  };
  for (const std::vector<std::string>& unique : plan.entity->unique) {
    const bool sets = std::ranges::any_of(unique, [&](const std::string& name) {
      return std::ranges::find(write.sets, name) != write.sets.end();
    });
    if (write.kind == WriteKind::kCreate) come();
    if (write.kind == WriteKind::kDelete) go();
    if (sets && (write.kind == WriteKind::kUpdate || write.kind == WriteKind::kMove)) {
      come();
      go();
    }
  }
}

void AddWrite(const model::Model& model, const Plan& plan, std::uint64_t number, Steps& steps) {
  const model::Table& table = *plan.table;
  const Images images = MakeImages(model, plan, number);
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
  if (steps.writes.size() > had + 1) steps.transaction = true;
}

void AddGet(const model::Model& model, const Plan& plan, std::uint64_t number, Steps& steps) {
  const Item item = ItemMaker(model, *plan.entity, nullptr).Make(number, {});
  steps.before.emplace_back(NameOf(*plan.table), item);
  steps.gets.push_back(
      {.get = TransactGet{.table_name = NameOf(*plan.table), .key = KeyOf(*plan.table, item)}});
}

void Count(const ConsumedCapacity& consumed, Measure& measure) {
  measure.write_units += consumed.table_units.value_or(consumed.capacity_units);
  for (const IndexUnits* indexes :
       {&consumed.global_secondary_indexes, &consumed.local_secondary_indexes}) {
    for (const auto& [index, units] : *indexes) {
      if (units > 0) measure.index_write_units.emplace_back(index, units);
    }
  }
}

constexpr auto kIndexes = ReturnConsumedCapacity::kIndexes;

Result<WriteItemResponse> WriteOne(Database& database, const TransactWriteItem& write) {
  if (write.put) {
    return database.PutItem({.table_name = write.put->table_name,
                             .item = write.put->item,
                             .return_consumed_capacity = kIndexes,
                             .condition_expression = write.put->condition_expression,
                             .expression_attribute_names = write.put->expression_attribute_names});
  }
  if (write.update) {
    return database.UpdateItem(
        {.table_name = write.update->table_name,
         .key = write.update->key,
         .return_consumed_capacity = kIndexes,
         .update_expression = write.update->update_expression,
         .condition_expression = write.update->condition_expression,
         .expression_attribute_names = write.update->expression_attribute_names,
         .expression_attribute_values = write.update->expression_attribute_values});
  }
  return database.DeleteItem(
      {.table_name = write.delete_item->table_name,
       .key = write.delete_item->key,
       .return_consumed_capacity = kIndexes,
       .condition_expression = write.delete_item->condition_expression,
       .expression_attribute_names = write.delete_item->expression_attribute_names});
}

double CountedWrites(const Database& database) {
  double units = 0;
  for (const Database::ConsumedUnits& place : database.GetStats().consumed_units) {
    units += place.writes;
  }
  return units;
}

// The write with a condition that does not hold. The error tells no units; the database counts them.
// REQUIRES: the item is there.
Result<double> FailOnce(Database& database, TransactWriteItem write, const std::string& key) {
  const auto forbid = [&](auto& one) {
    one->condition_expression = "attribute_not_exists(#key)";
    if (!one->expression_attribute_names) one->expression_attribute_names.emplace();
    one->expression_attribute_names->emplace_back("#key", key);
    std::erase_if(*one->expression_attribute_names,
                  [](const auto& name) { return name.first == "#pk"; });
  };
  if (write.put) forbid(write.put);
  if (write.update) forbid(write.update);
  if (write.delete_item) forbid(write.delete_item);
  const double before = CountedWrites(database);
  const Result<WriteItemResponse> response = WriteOne(database, write);
  if (response) return std::unexpected(Error::Validation("a condition that must fail held"));
  if (response.error().code() != ErrorCode::kConditionalCheckFailed) {
    return std::unexpected(response.error());
  }
  return CountedWrites(database) - before;
}

Result<void> WriteAlone(Database& database, const Steps& steps, Measure& measure) {
  const TransactWriteItem& write = steps.writes.front();
  const bool fails = steps.failing_share > 0;
  double failed_units = 0;
  if (fails && !steps.before.empty()) {
    ASSIGN_OR_RETURN(failed_units, FailOnce(database, write, steps.key));
  }
  ASSIGN_OR_RETURN(const WriteItemResponse response, WriteOne(database, write));
  Count(*response.consumed_capacity, measure);
  if (fails && steps.before.empty()) {
    ASSIGN_OR_RETURN(failed_units, FailOnce(database, write, steps.key));
  }
  const double happens = 1 - steps.failing_share;
  measure.write_units = happens * measure.write_units + steps.failing_share * failed_units;
  for (auto& [index, units] : measure.index_write_units) units *= happens;
  return {};
}

Result<void> RunSteps(Database& database, const Steps& steps, Measure& measure) {
  for (const auto& [table, item] : steps.before) {
    RETURN_IF_ERROR(database.PutItem({.table_name = table, .item = item}));
  }
  if (!steps.gets.empty()) {
    ASSIGN_OR_RETURN(const TransactGetItemsResponse got,
                     database.TransactGetItems(
                         {.transact_items = steps.gets, .return_consumed_capacity = kIndexes}));
    for (const ConsumedCapacity& consumed : *got.consumed_capacity) {
      measure.read_units += consumed.capacity_units;
    }
    measure.items_read = measure.items_returned = static_cast<double>(steps.gets.size());
  }
  if (steps.writes.empty()) return {};
  if (!steps.transaction) return WriteAlone(database, steps, measure);
  ASSIGN_OR_RETURN(const TransactWriteItemsResponse written,
                   database.TransactWriteItems(
                       {.transact_items = steps.writes, .return_consumed_capacity = kIndexes}));
  for (const ConsumedCapacity& consumed : *written.consumed_capacity) Count(consumed, measure);
  return {};
}

// What depends on shares cannot be seen in one run: those indexes are not compared.
void Predict(const model::Estimate& estimate, const std::vector<const Plan*>& plans, Proof& proof) {
  proof.predicted.write_units = estimate.write_units.typical;
  proof.predicted.items_read = estimate.items_read.typical;
  proof.predicted.items_returned = estimate.items_returned.typical;
  proof.predicted.read_units = estimate.read_units.typical;
  for (const auto& [index, amount] : estimate.index_write_units) {
    const bool is_certain =
        std::ranges::all_of(plans, [&](const Plan* plan) { return IsCertain(*plan, *index); });
    if (is_certain) {
      proof.predicted.index_write_units.emplace_back(index->name, amount.typical);
      continue;
    }
    proof.note += fmt::format("{}{} changes in a share of the runs only: not compared",
                              proof.note.empty() ? "" : "; ", index->name);
    std::erase_if(proof.measured.index_write_units,
                  [&](const auto& one) { return one.first == index->name; });
  }
}

bool ChangesBaseKey(const Plan& plan) {
  if (model::WritesWholeItem(*plan.pattern) || plan.pattern->write.kind == WriteKind::kRekey ||
      plan.pattern->write.kind == WriteKind::kDelete) {
    return false;
  }
  const auto changed = model::ChangedAttributes(*plan.entity, *plan.pattern);
  return std::ranges::any_of(plan.entity->keys, [&](const model::KeyTemplate& key) {
    return model::IsKeyOf(*plan.table, key.attribute) &&
           std::ranges::any_of(changed, [&](const std::string& name) { return key.Uses(name); });
  });
}

}  // namespace

void ProveWrite(model::Model& model, const std::string& name, Proof& proof) {
  const model::WriteDetail asked = model.FindPattern(name)->write;
  Plan plan = model::ResolvePattern(model, *model.FindPattern(name));
  const bool alone = plan.operation != model::Operation::kTransactWriteItems;
  for (model::Pattern& pattern : model.patterns) {
    if (!alone) pattern.write.duplicate_share = 0;  // one that is cancelled tells no units
    pattern.write.read_first = model::WriteDetail::ReadFirst::kNo;
  }
  const auto add_note = [&](const char* text) {
    proof.note += (proof.note.empty() ? "" : "; ") + std::string(text);
  };
  if (asked.read_first != model::WriteDetail::ReadFirst::kNo) {
    add_note("the read that comes first is left out");
  }
  if (asked.duplicate_share > 0) {
    add_note(alone ? "with the share of failed conditions"
                   : "failed conditions are left out: a cancelled transaction tells no units");
  }
  std::vector<const Plan*> plans;
  const bool together = plan.pattern->kind == model::PatternKind::kTransaction;
  if (!together) {
    plans.push_back(&plan);
  } else {
    for (const Plan& part : plan.parts) plans.push_back(&part);
  }
  Steps steps;
  steps.transaction = together;
  if (alone && !together) {
    steps.failing_share = asked.duplicate_share;
    if (plan.table != nullptr && plan.table->partition) steps.key = plan.table->partition->name;
  }
  std::uint64_t number = kFirstNumber;
  for (const Plan* part : plans) {
    if (part->entity == nullptr || part->table == nullptr || !part->table->partition) {
      proof.note = "not run: no entity or no key";
      return;
    }
    if (part->pattern->kind == model::PatternKind::kWrite && ChangesBaseKey(*part)) {
      proof.note = "not run: it changes the key of the table";
      return;
    }
    if (part->pattern->kind == model::PatternKind::kWrite) {
      AddWrite(model, *part, number++, steps);
    } else {
      AddGet(model, *part, number++, steps);
    }
  }
  proof.ran = true;
  Result<std::unique_ptr<Database>> database = OpenFor(model);
  Result<void> result = database ? RunSteps(**database, steps, proof.measured)
                                 : Result<void>(std::unexpected(database.error()));
  if (!result) {
    proof.difference = result.error().message();
    return;
  }
  const std::vector<Plan> single = {plan};
  Predict(model::EstimatePlans(model, single).front(), plans, proof);
}

}  // namespace stator::proof
