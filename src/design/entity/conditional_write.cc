#include "entity/conditional_write.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/try.h"
#include "model/keys/derive.h"
#include "model/names.h"

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
Request RequestOf(const ConditionalWrite& write) {
  Request request;
  request.table_name = write.table_name;
  request.condition_expression = Given(write.condition);
  request.expression_attribute_names = write.expression.names();
  request.expression_attribute_values = write.expression.values();
  request.return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::kAllOld;
  return request;
}

template <class Request>
Request Single(const ConditionalWrite& write) {
  Request request = RequestOf<Request>(write);
  request.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
  return request;
}

Result<WriteItemResponse> SendAlone(Endpoint& endpoint, const ConditionalWrite& write) {
  switch (write.kind) {
    case ConditionalWrite::Kind::kPut: {
      auto request = Single<PutItemRequest>(write);
      request.item = write.item;
      return endpoint.PutItem(request);
    }
    case ConditionalWrite::Kind::kUpdate: {
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

TransactWriteItem InTransaction(const ConditionalWrite& write) {
  TransactWriteItem action;
  switch (write.kind) {
    case ConditionalWrite::Kind::kPut:
      action.put = RequestOf<TransactPut>(write);
      action.put->item = write.item;
      break;
    case ConditionalWrite::Kind::kUpdate:
      action.update = RequestOf<TransactUpdate>(write);
      action.update->key = write.key;
      action.update->update_expression = Given(write.update);
      break;
    case ConditionalWrite::Kind::kDelete:
      action.delete_item = RequestOf<TransactDelete>(write);
      action.delete_item->key = write.key;
      break;
    case ConditionalWrite::Kind::kCheck:
      action.condition_check = RequestOf<TransactConditionCheck>(write);
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

std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '#') {
      escaped += "%23";
    } else if (c == '%') {
      escaped += "%25";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

// nullopt: the item lacks one of the attributes, so there is nothing to keep unique.
std::optional<std::string> SentinelText(const model::Entity& entity,
                                        const std::vector<std::string>& attributes,
                                        const Item& item) {
  std::string text =
      fmt::format("{}{}#{}", model::kSentinelPrefix, entity.name, fmt::join(attributes, "+"));
  for (const std::string& attribute : attributes) {
    const std::optional<ValueView> value = item.Find(attribute);
    if (!value) return std::nullopt;
    if (value->type() != Type::kS && value->type() != Type::kN) return std::nullopt;
    text += "#" + Escaped(value->type() == Type::kN ? value->N() : std::string(value->S()));
  }
  return text;
}

Item SentinelKey(const model::Table& table, const std::string& text) {
  Item key{{table.partition->name, text}};
  if (table.sort) key.Set(table.sort->name, text);
  return key;
}

ConditionalWrite PutSentinel(const Home& home, const std::string& text, const Item& item,
                             const std::vector<std::string>& attributes) {
  ConditionalWrite write = PutNew(home, SentinelKey(home.table, text));
  // The sentinel expires when its item does.
  if (!home.entity.ttl.empty()) {
    if (const auto ttl = item.Find(home.entity.ttl)) {
      write.item.Set(home.entity.ttl, AttributeValue::FromView(*ttl));
    }
  }
  write.not_unique =
      fmt::format("another {} has this {}", home.entity.name, fmt::join(attributes, " and "));
  return write;
}

}  // namespace

ConditionalWrite PutNew(const Home& home, Item item) {
  ConditionalWrite write{.kind = ConditionalWrite::Kind::kPut, .table_name = home.table_name};
  write.item = std::move(item);
  write.condition =
      fmt::format("attribute_not_exists({})", write.expression.Name(home.table.partition->name));
  return write;
}

std::expected<std::optional<Item>, SendFailure> Send(Context& context,
                                                     const std::vector<ConditionalWrite>& writes,
                                                     std::string_view token) {
  if (writes.size() == 1 && token.empty() &&
      writes.front().kind != ConditionalWrite::Kind::kCheck) {
    auto answer = SendAlone(context.endpoint(), writes.front());
    if (!answer) {
      context.CountWrite(std::nullopt);
      return std::unexpected(FailureOf(answer.error()));
    }
    context.CountWrite(answer->consumed_capacity);
    if (writes.front().kind == ConditionalWrite::Kind::kPut) return writes.front().item;
    return std::move(answer->attributes);
  }
  TransactWriteItemsRequest request;
  request.transact_items.emplace();
  for (const ConditionalWrite& write : writes)
    request.transact_items->push_back(InTransaction(write));
  request.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
  if (!token.empty()) request.client_request_token = token;
  auto answer = context.endpoint().TransactWriteItems(request);
  if (!answer) {
    context.CountWrite(std::nullopt);
    return std::unexpected(FailureOf(answer.error()));
  }
  // One request, however many tables it wrote to.
  ConsumedCapacity sum;
  if (answer->consumed_capacity) {
    for (const ConsumedCapacity& consumed : *answer->consumed_capacity)
      sum.capacity_units += consumed.capacity_units;
  }
  context.CountWrite(sum);
  return std::nullopt;
}

bool TouchesUnique(const model::Entity& entity, const std::vector<std::string>& attributes) {
  return std::ranges::any_of(entity.unique, [&](const std::vector<std::string>& unique) {
    return std::ranges::any_of(
        unique, [&](const std::string& name) { return model::Contains(attributes, name); });
  });
}

EntityResult<void> AddSentinels(const Home& home, const Item* before, const Item* after,
                                std::vector<ConditionalWrite>& writes) {
  if (home.entity.unique.empty()) return {};
  if (home.table.partition->type != Type::kS ||
      (home.table.sort && home.table.sort->type != Type::kS)) {
    return Invalid(
        fmt::format("{} has unique attributes, but the key of table {} is not text: "
                    "there is no place for their sentinels",
                    home.entity.name, home.table.name));
  }
  for (const std::vector<std::string>& attributes : home.entity.unique) {
    const auto old_text =
        before == nullptr ? std::nullopt : SentinelText(home.entity, attributes, *before);
    const auto new_text =
        after == nullptr ? std::nullopt : SentinelText(home.entity, attributes, *after);
    if (old_text == new_text) continue;
    if (old_text) {
      writes.push_back({.kind = ConditionalWrite::Kind::kDelete,
                        .table_name = home.table_name,
                        .key = SentinelKey(home.table, *old_text)});
    }
    if (new_text) writes.push_back(PutSentinel(home, *new_text, *after, attributes));
  }
  return {};
}

}  // namespace stator::entity
