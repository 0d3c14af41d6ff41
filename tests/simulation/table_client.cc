#include "tests/simulation/table_client.h"

#include <fmt/format.h>

namespace stator::simulation {
namespace {

bool IsFailure(const Error& error) { return error.code() == ErrorCode::kInternalServerError; }

// The keys of which one has another item than the other, or none.
std::vector<std::string> Differing(const Items& one, const Items& other) {
  std::vector<std::string> keys;
  for (const auto& [key, item] : one) {
    const auto found = other.find(key);
    if (found == other.end() || found->second != item) keys.push_back(key);
  }
  for (const auto& [key, item] : other) {
    if (!one.contains(key)) keys.push_back(key);
  }
  return keys;
}

}  // namespace

template <class T>
bool TableClient::Accept(const Result<T>& answer) {
  if (answer) return true;
  if (!IsFailure(answer.error())) problem_ = "unexpected answer: " + answer.error().message();
  return false;
}

bool TableClient::Step(OpenDatabase& database) {
  const std::uint64_t dice = random_.Below(10);
  Items after = states_.back();
  transaction_.reset();
  bool succeeded = false;
  if (dice < 3) {
    Item item = AnyItem(AnyKey());
    after.insert_or_assign(KeyText(item.view()), item);
    succeeded = Accept(database.Call(kPutItem, {.table_name = kTable, .item = std::move(item)}));
  } else if (dice < 4) {
    const Item key = AnyKey();
    after.erase(KeyText(key.view()));
    succeeded = Accept(database.Call(kDeleteItem, {.table_name = kTable, .key = key}));
  } else if (dice < 7) {
    succeeded = Accept(database.Call(kUpdateItem, AnyUpdate(after)));
  } else if (dice < 8) {
    succeeded = Accept(database.Call(kBatchWriteItem, AnyBatch(after)));
  } else {
    transaction_ = AnyTransaction(after);
    succeeded = Accept(database.Call(kTransactWriteItems, *transaction_));
  }
  if (succeeded) {
    states_.push_back(std::move(after));
  } else {
    pending_ = std::move(after);
  }
  return succeeded;
}

Items TableClient::OwnOf(const Items& all) const {
  Items own;
  for (const auto& [key, item] : all) {
    if (key.starts_with(partition_ + "/")) own.emplace(key, item);
  }
  return own;
}

Problem TableClient::Judge(const Items& all, bool keeps_all) const {
  const Items own = OwnOf(all);
  if (own == states_.back() || (pending_ && own == *pending_)) return std::nullopt;
  if (!keeps_all) {
    for (const Items& state : states_) {
      if (own == state) return std::nullopt;
    }
  }
  std::string differences;
  for (const Items& state : states_) {
    differences += fmt::format(" {}", fmt::join(Differing(own, state), "+"));
  }
  return fmt::format(
      "partition {} has {} items that are not those after request {}{}; from what each left "
      "differ:{}",
      partition_, own.size(), states_.size() - 1, pending_ ? ", nor those after the next" : "",
      differences);
}

Problem TableClient::SendAgain(OpenDatabase& database, Items& all, bool& was_answered) {
  was_answered = true;
  if (!pending_ || !transaction_) return std::nullopt;
  const auto answer = database.Call(kTransactWriteItems, *transaction_);
  if (!answer) {
    was_answered = false;
    return IsFailure(answer.error())
               ? std::nullopt
               : Problem("a transaction sent again: " + answer.error().message());
  }
  const Result<Items> now = ReadItems(database, kTable);
  if (!now) {
    was_answered = false;
    return std::nullopt;
  }
  if (OwnOf(*now) != *pending_) return "a transaction sent again did not happen exactly once";
  before_sent_again_ = OwnOf(all);
  all = *now;
  return std::nullopt;
}

bool TableClient::Settle(const Items& all) {
  const Items own = OwnOf(all);
  const bool took_effect = pending_ && own == *pending_ && own != states_.back();
  states_.clear();
  if (before_sent_again_) states_.push_back(*std::exchange(before_sent_again_, std::nullopt));
  states_.push_back(own);
  pending_.reset();
  transaction_.reset();
  return took_effect;
}

Item TableClient::AnyItem(Item item) {
  item.Set("v", ++version_);
  item.Set("text", std::string(random_.Below(random_.Chance(5) ? 30'000 : 300), 'x'));
  if (random_.Chance(70)) item.Set("color", random_.Chance(50) ? "red" : "blue");
  if (random_.Chance(70)) item.Set("score", random_.Below(5));
  if (random_.Chance(30)) item.Set("flag", "on");
  return item;
}

UpdateItemRequest TableClient::AnyUpdate(Items& after) {
  const Item key = AnyKey();
  UpdateItemRequest request{.table_name = kTable, .key = key};
  const std::string color = random_.Chance(50) ? "green" : "red";
  request.update_expression = "SET v = :v, color = :c REMOVE flag ADD n :one";
  request.expression_attribute_values = ValueMap{{":v", ++version_}, {":c", color}, {":one", 1}};
  Item& item = after.try_emplace(KeyText(key.view()), key).first->second;
  const std::optional<ValueView> count = item.Find("n");
  const std::int64_t now = (count ? count->AsInt64().value_or(0) : 0) + 1;
  item.Set("v", version_);
  item.Set("color", color);
  item.Remove("flag");
  item.Set("n", now);
  return request;
}

BatchWriteItemRequest TableClient::AnyBatch(Items& after) {
  std::vector<WriteRequest> writes;
  const std::uint64_t first = random_.Below(15);
  const std::uint64_t count = random_.Between(2, 5);
  for (std::uint64_t i = 0; i < count; ++i) {
    const Item key{{"pk", partition_}, {"sk", first + i}};
    if (random_.Chance(30)) {
      after.erase(KeyText(key.view()));
      writes.push_back({.delete_key = key});
    } else {
      Item item = AnyItem(key);
      after.insert_or_assign(KeyText(key.view()), item);
      writes.push_back({.put_item = std::move(item)});
    }
  }
  return {.request_items = BatchWriteMap{{kTable, std::move(writes)}}};
}

TransactWriteItemsRequest TableClient::AnyTransaction(Items& after) {
  std::vector<TransactWriteItem> actions;
  // Every update is of another item, or none of them would be carried out.
  UpdateItemRequest update = AnyUpdate(after);
  const std::string updated = KeyText(update.key->view());
  actions.push_back({.update = TransactUpdate{
                         .table_name = kTable,
                         .key = update.key,
                         .update_expression = update.update_expression,
                         .expression_attribute_values = update.expression_attribute_values}});
  Item put = AnyItem(AnyKey());
  if (KeyText(put.view()) != updated) {
    after.insert_or_assign(KeyText(put.view()), put);
    actions.push_back({.put = TransactPut{.table_name = kTable, .item = put}});
  }
  const Item removed = AnyKey();
  if (KeyText(removed.view()) != updated && KeyText(removed.view()) != KeyText(put.view())) {
    after.erase(KeyText(removed.view()));
    actions.push_back({.delete_item = TransactDelete{.table_name = kTable, .key = removed}});
  }
  return {.transact_items = std::move(actions),
          .client_request_token = fmt::format("{}-{}", partition_, version_)};
}

}  // namespace stator::simulation
