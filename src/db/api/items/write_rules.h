// What PutItem, UpdateItem and DeleteItem have in common: conditional parameters and the shape of
// the answer. Their requests spell these members alike, so the rules are templates over the
// request.
#ifndef STATOR_API_ITEMS_WRITE_RULES_H_
#define STATOR_API_ITEMS_WRITE_RULES_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/constraints.h"
#include "api/consumed_capacity.h"
#include "api/operation.h"
#include "api/request_rules.h"
#include "base/try.h"
#include "engine/write/item_write.h"
#include "expr/condition.h"
#include "expr/placeholders.h"
#include "stator/operations.h"

namespace stator {

// What the answer shall hold.
struct WriteAnswer {
  std::string table_reference;  // as sent
  ReturnValues return_values = ReturnValues::kNone;
  ReturnConsumedCapacity capacity = ReturnConsumedCapacity::kNone;
  bool collection_metrics = false;
};

// A checked write, ready for its table.
struct WritePlan {
  std::string table_name;
  ItemWrite write;  // all but the table
  WriteAnswer answer;
};

// The words of an enumeration in the current wording differ from the set that is meant (sic).
void ConstrainReturnValues(Constraints& check, const std::optional<Choice<ReturnValues>>& member,
                           Wording wording);
void ConstrainConditionalOperator(Constraints& check,
                                  const std::optional<Choice<ConditionalOperator>>& member,
                                  Wording wording);
void ConstrainExpected(Constraints& check, const std::optional<ExpectedMap>& expected);

// PutItem and DeleteItem: how conditional parameters may be combined.
template <class Request>
Result<void> CheckConditionalParameters(const Request& request, Wording wording) {
  const bool has_expression = request.condition_expression.has_value();
  RETURN_IF_ERROR(CheckNotMixed({{"Expected", request.expected.has_value()},
                                 {"ConditionalOperator", request.conditional_operator.has_value()}},
                                {{"ConditionExpression", has_expression}}));
  RETURN_IF_ERROR(
      CheckNamesHaveExpression(request.expression_attribute_names.has_value(), has_expression));
  return CheckValuesHaveExpression(request.expression_attribute_values.has_value(), has_expression,
                                   wording, {"ConditionExpression"});
}

// Names and values inside Expected, values inside AttributeUpdates. Their errors are complete: some kinds are never
// enveloped.
Result<void> CheckExpectedValues(const ExpectedMap& expected, Wording wording);
Result<void> CheckUpdateValues(const AttributeUpdateMap& updates, Wording wording);

// Expected (or its absence) as a condition; the rule for ConditionalOperator included. Errors are
// complete.
template <class Request>
Result<std::optional<Condition>> LegacyConditionOf(const Request& request, Wording wording) {
  const std::size_t conditions = request.expected ? request.expected->size() : 0;
  RETURN_IF_ERROR(InEnvelope(
      wording, CheckConditionalOperator(request.conditional_operator.has_value(), conditions)));
  if (conditions == 0) return std::nullopt;
  RETURN_IF_ERROR(CheckExpectedValues(*request.expected, wording));
  const ConditionalOperator joined = request.conditional_operator
                                         ? request.conditional_operator->value()
                                         : ConditionalOperator::kAnd;
  ASSIGN_OR_RETURN(
      Condition condition,
      InEnvelope(wording, Condition::FromExpected(*request.expected, joined, wording)));
  return condition;
}

// ConditionExpression, when there is one.
template <class Request>
Result<std::optional<Condition>> ConditionOf(const Request& request, Placeholders& placeholders) {
  if (!request.condition_expression) return std::nullopt;
  ASSIGN_OR_RETURN(Condition condition, Condition::Parse(*request.condition_expression,
                                                         ExpressionKind::kCondition, placeholders));
  return condition;
}

template <class Request>
Placeholders PlaceholdersOf(const Request& request, Wording wording) {
  return Placeholders(
      request.expression_attribute_names ? &*request.expression_attribute_names : nullptr,
      request.expression_attribute_values ? &*request.expression_attribute_values : nullptr,
      wording);
}

// Lets the outcome of the write carry what ReturnValues needs.
void WantReturned(ReturnValues wanted, ItemWrite& write);
// The part of the answer that ReturnValues asks for; absent when there is nothing to show. `update`
// is that of the write, for UPDATED_OLD and UPDATED_NEW.
std::optional<Item> ReturnedAttributes(ReturnValues wanted, const std::optional<Update>& update,
                                       WriteOutcome& outcome);

// Members that only say what the answer shall hold.
template <class Request>
void PlanAnswer(Request& request, WritePlan& plan) {
  WriteAnswer& answer = plan.answer;
  answer.table_reference = *std::move(request.table_name);
  if (request.return_values) answer.return_values = request.return_values->value();
  answer.capacity = CapacityMode(request.return_consumed_capacity);
  answer.collection_metrics =
      request.return_item_collection_metrics &&
      request.return_item_collection_metrics->value() == ReturnItemCollectionMetrics::kSize;
  plan.write.want_units = answer.capacity != ReturnConsumedCapacity::kNone;
  WantReturned(answer.return_values, plan.write);
  plan.write.want_item_on_failure = request.return_values_on_condition_check_failure &&
                                    request.return_values_on_condition_check_failure->value() ==
                                        ReturnValuesOnConditionCheckFailure::kAllOld;
}

// PutItem and DeleteItem give back the old item or nothing.
Result<void> CheckOnlyOldValues(const std::optional<Choice<ReturnValues>>& member, Wording wording);

// Hands the write to the engine and shapes the answer.
void Commit(Engine& engine, WritePlan&& plan, Reply<WriteItemResponse> reply);

}  // namespace stator

#endif  // STATOR_API_ITEMS_WRITE_RULES_H_
