#include "entity/item_write.h"

namespace stator::entity {
namespace {

std::optional<std::string> Given(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

std::optional<Item> DecodedItem(const std::string& encoded) {
  return encoded.empty() ? std::nullopt : std::optional(Item::FromEncoded(encoded));
}

// What all requests that write have.
template <class Request>
Request Base(const ItemWrite& write) {
  Request request;
  request.table_name = write.table_name;
  request.condition_expression = Given(write.condition);
  request.expression_attribute_names = write.expression.names();
  request.expression_attribute_values = write.expression.values();
  request.return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::kAllOld;
  return request;
}

template <class Request>
Request Single(const ItemWrite& write) {
  Request request = Base<Request>(write);
  request.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
  return request;
}

Result<WriteItemResponse> SendAlone(Endpoint& endpoint, const ItemWrite& write) {
  switch (write.kind) {
    case ItemWrite::Kind::kPut: {
      auto request = Single<PutItemRequest>(write);
      request.item = write.item;
      return endpoint.PutItem(request);
    }
    case ItemWrite::Kind::kUpdate: {
      auto request = Single<UpdateItemRequest>(write);
      request.key = write.key;
      request.update_expression = Given(write.update);
      request.return_values = ReturnValues::kAllNew;
      return endpoint.UpdateItem(request);
    }
    default: {
      auto request = Single<DeleteItemRequest>(write);
      request.key = write.key;
      request.return_values = ReturnValues::kAllOld;
      return endpoint.DeleteItem(request);
    }
  }
}

TransactWriteItem InTransaction(const ItemWrite& write) {
  TransactWriteItem action;
  switch (write.kind) {
    case ItemWrite::Kind::kPut:
      action.put = Base<TransactPut>(write);
      action.put->item = write.item;
      break;
    case ItemWrite::Kind::kUpdate:
      action.update = Base<TransactUpdate>(write);
      action.update->key = write.key;
      action.update->update_expression = Given(write.update);
      break;
    case ItemWrite::Kind::kDelete:
      action.delete_item = Base<TransactDelete>(write);
      action.delete_item->key = write.key;
      break;
    case ItemWrite::Kind::kCheck:
      action.condition_check = Base<TransactConditionCheck>(write);
      action.condition_check->key = write.key;
      break;
  }
  return action;
}

SendFailure FailureOf(const Error& error) {
  SendFailure failure;
  if (error.code() == ErrorCode::kConditionalCheckFailed) {
    failure.condition = FailedCondition{.index = 0, .item = DecodedItem(error.item())};
    return failure;
  }
  if (error.code() == ErrorCode::kTransactionCanceled) {
    const auto& reasons = error.cancellation_reasons();
    for (std::size_t i = 0; i < reasons.size(); ++i) {
      if (reasons[i].code != "ConditionalCheckFailed") continue;
      failure.condition = FailedCondition{.index = i, .item = DecodedItem(reasons[i].item)};
      return failure;
    }
    for (const CancellationReason& reason : reasons) {
      failure.contended |= reason.code == "TransactionConflict";
    }
  }
  failure.contended |= error.code() == ErrorCode::kTransactionConflict ||
                       error.code() == ErrorCode::kTransactionInProgress;
  failure.error = error;
  return failure;
}

}  // namespace

std::expected<std::optional<Item>, SendFailure> Send(Context& context,
                                                     const std::vector<ItemWrite>& writes,
                                                     std::string_view token) {
  if (writes.size() == 1 && token.empty() && writes.front().kind != ItemWrite::Kind::kCheck) {
    auto answer = SendAlone(context.endpoint(), writes.front());
    if (!answer) {
      context.CountWrite(std::nullopt);
      return std::unexpected(FailureOf(answer.error()));
    }
    context.CountWrite(answer->consumed_capacity);
    if (writes.front().kind == ItemWrite::Kind::kPut) return writes.front().item;
    return std::move(answer->attributes);
  }
  TransactWriteItemsRequest request;
  request.transact_items.emplace();
  for (const ItemWrite& write : writes) request.transact_items->push_back(InTransaction(write));
  request.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
  if (!token.empty()) request.client_request_token = token;
  auto answer = context.endpoint().TransactWriteItems(request);
  if (!answer) {
    context.CountWrite(std::nullopt);
    return std::unexpected(FailureOf(answer.error()));
  }
  if (answer->consumed_capacity) {
    for (const ConsumedCapacity& consumed : *answer->consumed_capacity)
      context.CountWrite(consumed);
  }
  return std::nullopt;
}

}  // namespace stator::entity
