// BatchWriteAll and BatchGetAll (stator/paging.h): a queue of what is still to be done, from which
// every call takes as much as DynamoDB allows and to which its leftovers return.
#include <algorithm>
#include <deque>

#include "base/try.h"
#include "client/request_sender.h"
#include "stator/paging.h"

namespace stator {
namespace {

constexpr std::size_t kWritesOfACall = 25;
constexpr std::size_t kKeysOfACall = 100;

// A table's name and one of its writes or keys.
template <class Element>
using Queue = std::deque<std::pair<std::string, Element>>;

// What one call asks of one table.
template <class Element>
std::vector<Element>& OfTable(std::vector<std::pair<std::string, std::vector<Element>>>& map,
                              const std::string& table) {
  const auto found = std::ranges::find(map, table, [](const auto& entry) { return entry.first; });
  if (found != map.end()) return found->second;
  return map.emplace_back(table, std::vector<Element>()).second;
}

template <class Element>
std::vector<std::pair<std::string, std::vector<Element>>> TakeCall(Queue<Element>& queue,
                                                                   std::size_t count_max) {
  std::vector<std::pair<std::string, std::vector<Element>>> call;
  for (std::size_t i = 0; i < count_max && !queue.empty(); ++i) {
    OfTable(call, queue.front().first).push_back(std::move(queue.front().second));
    queue.pop_front();
  }
  return call;
}

// Counts calls that left everything over, and waits after any that left something.
class Patience {
 public:
  explicit Patience(BatchOptions options) : max_attempts_(options.max_attempts) {
    means_ = Backoff::OfSystem();
    if (options.sleep) means_.sleep = std::move(options.sleep);
    if (options.random) means_.random = std::move(options.random);
  }

  Result<void> AfterCall(std::size_t asked, std::size_t left_over) {
    if (left_over == 0) {
      calls_with_leftovers_ = 0;
      calls_without_progress_ = 0;
      return {};
    }
    calls_without_progress_ = left_over < asked ? 0 : calls_without_progress_ + 1;
    if (calls_without_progress_ >= max_attempts_) {
      return std::unexpected(Error::FromWire(
          {.name = ErrorName(ErrorCode::kProvisionedThroughputExceeded),
           .message = "the batch was not carried out, whole or in part, however often it was sent",
           .item = {},
           .reasons = {}}));
    }
    Backoff(means_).Wait(++calls_with_leftovers_);
    return {};
  }

 private:
  const int max_attempts_;
  Backoff::Means means_;
  int calls_with_leftovers_ = 0;
  int calls_without_progress_ = 0;
};

// Keys of one table share everything but the key itself.
KeysAndAttributes WithoutKeys(const KeysAndAttributes& keys) {
  KeysAndAttributes rest = keys;
  rest.keys.reset();
  return rest;
}

void Merge(std::vector<std::pair<std::string, ItemList>>& all, const std::string& table,
           const ItemList& items) {
  auto found = std::ranges::find(all, table, [](const auto& entry) { return entry.first; });
  if (found == all.end()) found = all.emplace(all.end(), table, ItemList());
  for (std::size_t i = 0; i < items.size(); ++i) found->second.Append(items[i]);
}

}  // namespace

Result<void> BatchWriteAll(Endpoint& endpoint, BatchWriteMap writes, BatchOptions options) {
  Queue<WriteRequest> queue;
  for (auto& [table, list] : writes) {
    for (WriteRequest& write : list) queue.emplace_back(table, std::move(write));
  }
  Patience patience(std::move(options));
  while (!queue.empty()) {
    const std::size_t asked = std::min(queue.size(), kWritesOfACall);
    ASSIGN_OR_RETURN(BatchWriteItemResponse response,
                     endpoint.BatchWriteItem({.request_items = TakeCall(queue, kWritesOfACall)}));
    std::size_t left_over = 0;
    for (auto& [table, list] : response.unprocessed_items) {
      left_over += list.size();
      for (WriteRequest& write : list) queue.emplace_back(table, std::move(write));
    }
    RETURN_IF_ERROR(patience.AfterCall(asked, left_over));
  }
  return {};
}

Result<std::vector<std::pair<std::string, ItemList>>> BatchGetAll(Endpoint& endpoint,
                                                                  BatchGetMap keys,
                                                                  BatchOptions options) {
  Queue<Item> queue;
  for (auto& [table, wanted] : keys) {
    if (!wanted.keys) continue;
    for (Item& key : *wanted.keys) queue.emplace_back(table, std::move(key));
  }
  std::vector<std::pair<std::string, ItemList>> all;
  Patience patience(std::move(options));
  while (!queue.empty()) {
    const std::size_t asked = std::min(queue.size(), kKeysOfACall);
    BatchGetMap call;
    for (auto& [table, list] : TakeCall(queue, kKeysOfACall)) {
      const auto wanted =
          std::ranges::find(keys, table, [](const auto& entry) { return entry.first; });
      call.emplace_back(table, WithoutKeys(wanted->second)).second.keys = std::move(list);
    }
    ASSIGN_OR_RETURN(BatchGetItemResponse response,
                     endpoint.BatchGetItem({.request_items = std::move(call)}));
    for (const auto& [table, items] : response.responses) Merge(all, table, items);
    std::size_t left_over = 0;
    for (auto& [table, rest] : response.unprocessed_keys) {
      if (!rest.keys) continue;
      left_over += rest.keys->size();
      for (Item& key : *rest.keys) queue.emplace_back(table, std::move(key));
    }
    RETURN_IF_ERROR(patience.AfterCall(asked, left_over));
  }
  return all;
}

}  // namespace stator
