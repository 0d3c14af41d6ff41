// ItemWrite: one change of one item that a request asks for, and its outcome.
#ifndef STATOR_ENGINE_WRITE_ITEM_WRITE_H_
#define STATOR_ENGINE_WRITE_ITEM_WRITE_H_

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/catalog/table.h"
#include "expr/condition.h"
#include "expr/update.h"
#include "stator/item.h"
#include "stator/result.h"

namespace stator {

// Who asks for a change. Streams tell deletes of expired items from those of clients.
enum class ChangeOrigin : std::uint8_t { kClient, kTimeToLive };

struct ItemWrite {
  // kCheck evaluates the condition and leaves the item as it is.
  enum class Kind : std::uint8_t { kPut, kUpdate, kDelete, kCheck };

  Kind kind = Kind::kPut;
  TablePtr table;
  Item item;                           // kPut: the whole item; otherwise its key attributes
  std::optional<Update> update;        // kUpdate: absent only creates the item if it does not exist
  std::optional<Condition> condition;  // on the item as it is; absent: always true
  // What the outcome carries besides success.
  bool want_before = false;
  bool want_after = false;
  bool want_units = false;
  bool want_item_on_failure = false;  // the stored item goes into ConditionalCheckFailed
  // kUpdate: refused if the statement alone is larger than an item may be (behaviour.md §6.3).
  bool size_statement = true;
  ChangeOrigin origin = ChangeOrigin::kClient;
};

// Units charged for a write, by table and index.
struct WriteUnits {
  double table = 0;
  std::vector<std::pair<std::string, double>> global_indexes;  // only those written, in table order
  std::vector<std::pair<std::string, double>> local_indexes;
};

struct WriteOutcome {
  std::optional<Item> before;  // if wanted and the item existed
  std::optional<Item> after;   // if wanted and the item exists
  WriteUnits units;            // if wanted
};

using OneWriteCallback = std::move_only_function<void(Result<WriteOutcome>)>;
using WriteCallback = std::move_only_function<void(Result<std::vector<WriteOutcome>>)>;

}  // namespace stator

#endif  // STATOR_ENGINE_WRITE_ITEM_WRITE_H_
