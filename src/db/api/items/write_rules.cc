#include "api/items/write_rules.h"

#include "expr/legacy_comparison.h"
#include "value/item_json.h"
#include "value/value_problem.h"

namespace stator {
namespace {

// In the current wording DynamoDB names neither the value nor the member.
void FailUnnamed(Constraints& check, std::string_view set) {
  check.Add("Failed to satisfy constraint: " + Constraints::EnumConstraint(set));
}

Result<void> CheckValue(const AttributeValue& value, Wording wording) {
  if (value.problem() == nullptr) return {};
  return std::unexpected(ProblemError(*value.problem(), wording));
}

}  // namespace

void WantReturned(ReturnValues wanted, ItemWrite& write) {
  write.want_before = wanted == ReturnValues::kAllOld || wanted == ReturnValues::kUpdatedOld;
  write.want_after = wanted == ReturnValues::kAllNew || wanted == ReturnValues::kUpdatedNew;
}

std::optional<Item> ReturnedAttributes(ReturnValues wanted, const std::optional<Update>& update,
                                       WriteOutcome& outcome) {
  const auto targets_of = [&](const std::optional<Item>& item) -> std::optional<Item> {
    if (!item || !update) return std::nullopt;
    Item selected = update->SelectTargets(item->view());
    if (selected.empty()) return std::nullopt;
    return selected;
  };
  switch (wanted) {
    case ReturnValues::kNone:
      return std::nullopt;
    case ReturnValues::kAllOld:
      return std::move(outcome.before);
    case ReturnValues::kAllNew:
      return std::move(outcome.after);
    case ReturnValues::kUpdatedOld:
      return targets_of(outcome.before);
    case ReturnValues::kUpdatedNew:
      return targets_of(outcome.after);
  }
  return std::nullopt;
}

void ConstrainReturnValues(Constraints& check, const std::optional<Choice<ReturnValues>>& member,
                           Wording wording) {
  if (!IsCurrent(wording)) return check.Enum("returnValues", member);
  if (member && !member->is_known()) {
    FailUnnamed(check, "[ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]");
  }
}

void ConstrainConditionalOperator(Constraints& check,
                                  const std::optional<Choice<ConditionalOperator>>& member,
                                  Wording wording) {
  if (!IsCurrent(wording)) return check.Enum("conditionalOperator", member);
  if (member && !member->is_known()) FailUnnamed(check, "[ALL, OR]");
}

void ConstrainExpected(Constraints& check, const std::optional<ExpectedMap>& expected) {
  if (!expected) return;
  for (const auto& [name, attribute] : *expected) {
    check.Enum("expected." + name + ".member.comparisonOperator", attribute.comparison_operator);
  }
}

Result<void> CheckExpectedValues(const ExpectedMap& expected, Wording wording) {
  for (const auto& [name, attribute] : expected) {
    RETURN_IF_ERROR(CheckAttributeName(name));
    if (attribute.value) RETURN_IF_ERROR(CheckValue(*attribute.value, wording));
    if (!attribute.attribute_value_list) continue;
    for (const AttributeValue& value : *attribute.attribute_value_list) {
      RETURN_IF_ERROR(CheckValue(value, wording));
    }
  }
  return {};
}

Result<void> CheckUpdateValues(const AttributeUpdateMap& updates, Wording wording) {
  for (const auto& [name, update] : updates) {
    if (update.value) RETURN_IF_ERROR(CheckValue(*update.value, wording));
  }
  return {};
}

Result<void> CheckOnlyOldValues(const std::optional<Choice<ReturnValues>>& member,
                                Wording wording) {
  if (!member || member->value() == ReturnValues::kNone ||
      member->value() == ReturnValues::kAllOld) {
    return {};
  }
  return Invalid(Envelope(wording, "ReturnValues can only be ALL_OLD or NONE"));
}

void Commit(Engine& engine, WritePlan&& plan, Reply<WriteItemResponse> reply) {
  const ReturnValues values = plan.answer.return_values;
  std::optional<Update> update;
  if (values == ReturnValues::kUpdatedOld || values == ReturnValues::kUpdatedNew) {
    update = plan.write.update;
  }
  std::optional<ItemCollectionMetrics> metrics;
  if (plan.answer.collection_metrics) {
    metrics = CollectionMetrics(*plan.write.table, plan.write.item.view());
  }
  engine.WriteItem(
      std::move(plan.write),
      [answer = std::move(plan.answer), update = std::move(update), metrics = std::move(metrics),
       reply = std::move(reply)](Result<WriteOutcome> outcome) mutable {
        if (!outcome) return reply(std::unexpected(std::move(outcome).error()));
        WriteItemResponse response;
        response.attributes = ReturnedAttributes(answer.return_values, update, *outcome);
        if (answer.capacity != ReturnConsumedCapacity::kNone) {
          response.consumed_capacity =
              WriteCapacity(std::move(answer.table_reference), outcome->units, answer.capacity);
        }
        response.item_collection_metrics = std::move(metrics);
        reply(std::move(response));
      });
}

}  // namespace stator
