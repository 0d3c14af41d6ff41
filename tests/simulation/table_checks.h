// A database on a simulated disk, and what must be true of its table whatever happened.
#ifndef STATOR_TESTS_SIMULATION_TABLE_CHECKS_H_
#define STATOR_TESTS_SIMULATION_TABLE_CHECKS_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/operations.h"
#include "base/clock.h"
#include "stator/item.h"
#include "storage/store.h"
#include "tests/simulation/simulation.h"

namespace stator::simulation {

inline constexpr const char* kTable = "Main";
inline constexpr const char* kLateIndex = "late";

// An engine on a store. The operations are those of the public library.
class OpenDatabase {
 public:
  static Result<std::unique_ptr<OpenDatabase>> Open(std::unique_ptr<Store> store);

  template <class Request, class Response>
  Result<Response> Call(const ApiOperation<Request, Response>& operation, Request request) {
    return operation.call(*engine_, Wording::kClassic, std::move(request));
  }
  template <class Request, class Response>
  Result<std::string> CallJson(const ApiOperation<Request, Response>& operation,
                               std::string_view json);
  void WaitForBackgroundWork() { engine_->background().WaitUntilIdle(); }

 private:
  SystemClock clock_;
  std::unique_ptr<Engine> engine_;
};

template <class Request, class Response>
Result<std::string> OpenDatabase::CallJson(const ApiOperation<Request, Response>& operation,
                                           std::string_view json) {
  JsonDocument document;
  if (!document.Parse(json)) return std::unexpected(Error::Serialization());
  ReplyWaiter<std::string> waiter;
  operation.run_json(*engine_, Wording::kClassic, document.root(), waiter.Callback());
  return waiter.Take();
}

// Creates the table with its indexes and its stream: by_color (all attributes), by_flag (sparse, keys
// only), by_score (local).
Result<std::string> CreateMainTable(OpenDatabase& database);
// The index that comes and goes.
Result<std::string> AddLateIndex(OpenDatabase& database);
Result<std::string> DropLateIndex(OpenDatabase& database);

// By primary key.
using Items = std::map<std::string, Item>;
std::string KeyText(ItemView item);

// What a scan of the table or index returns. An entry that is there twice is a problem.
Result<Items> ReadItems(OpenDatabase& database, const std::string& table,
                        const std::optional<std::string>& index = {});

struct Checked {
  Problem problem;
  bool is_read = true;  // false: an operation failed, nothing is known
  std::string failure;  // of the operation
};
// Every index is the projection of these items; and the records of the stream, one after the other,
// give them.
Checked CheckIndexes(OpenDatabase& database, const Items& items, bool has_late_index);
Checked CheckStream(OpenDatabase& database, const Items& items);

}  // namespace stator::simulation

#endif  // STATOR_TESTS_SIMULATION_TABLE_CHECKS_H_
