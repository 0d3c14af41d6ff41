// Counts what requests consume, for a database that was asked to.
//
// Every request is then carried out as if it had asked for INDEXES; what it did not ask for is taken
// out of the answer again.
#ifndef STATOR_API_UNIT_COUNTING_H_
#define STATOR_API_UNIT_COUNTING_H_

#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "stator/operations.h"
#include "stator/result.h"

namespace stator {

template <class Request>
concept Charged = requires(Request& request) {
  request.return_consumed_capacity = ReturnConsumedCapacity::kIndexes;
};

// What a request asked for before it was made to ask for more. `counts` null: nothing is counted.
struct OriginalCapacity {
  UnitCounts* counts = nullptr;
  ReturnConsumedCapacity mode = ReturnConsumedCapacity::kNone;
  UnitCounts::Kind kind = UnitCounts::Kind::kWrite;
};

// A statement that reads is a SELECT.
UnitCounts::Kind KindOfStatement(const std::optional<std::string>& statement);

template <class Request>
UnitCounts::Kind KindOf(const Request& request) {
  if constexpr (requires { request.statement; }) {
    return KindOfStatement(request.statement);
  } else if constexpr (requires { request.statements; }) {
    // A batch either reads or writes; what cannot be parsed is charged nothing.
    for (std::size_t i = 0; request.statements && i < request.statements->size(); ++i) {
      const UnitCounts::Kind kind = KindOfStatement((*request.statements)[i].statement);
      if (kind == UnitCounts::Kind::kRead) return kind;
    }
    return UnitCounts::Kind::kWrite;
  } else if constexpr (requires { request.consistent_read; } ||
                       std::is_same_v<Request, BatchGetItemRequest>) {
    return UnitCounts::Kind::kRead;
  } else {
    return UnitCounts::Kind::kWrite;
  }
}

template <class Request>
OriginalCapacity AskForAllUnits(UnitCounts* counts, Request& request) {
  if (counts == nullptr) return {};
  auto& asked = request.return_consumed_capacity;
  if (asked && !asked->is_known()) return {};  // validation will name it
  const OriginalCapacity before{.counts = counts,
                                .mode = asked ? asked->value() : ReturnConsumedCapacity::kNone,
                                .kind = KindOf(request)};
  asked = ReturnConsumedCapacity::kIndexes;
  return before;
}

// Counts one table's share, and leaves in it what `mode` shows.
void CountUnits(const OriginalCapacity& asked, ConsumedCapacity& consumed);

template <class Response>
void CountConsumed(const OriginalCapacity& asked, Result<Response>& response) {
  if (asked.counts == nullptr || !response) return;
  auto& consumed = response->consumed_capacity;
  if (!consumed) return;
  if constexpr (std::is_same_v<std::decay_t<decltype(*consumed)>, ConsumedCapacity>) {
    CountUnits(asked, *consumed);
  } else {
    for (ConsumedCapacity& one : *consumed) CountUnits(asked, one);
  }
  if (asked.mode == ReturnConsumedCapacity::kNone) consumed.reset();
}

}  // namespace stator

#endif  // STATOR_API_UNIT_COUNTING_H_
