// One random operation, in the model's own terms.
#ifndef STATOR_TESTS_MODEL_OPERATION_H_
#define STATOR_TESTS_MODEL_OPERATION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "stator/operations.h"
#include "tests/model/condition.h"
#include "tests/model/path.h"
#include "tests/model/schema.h"
#include "tests/model/update.h"

namespace stator::model_test {

struct WriteOperation {
  enum class Form : std::uint8_t { kPut, kUpdate, kDelete };
  Form form = Form::kPut;
  Key key;
  Attributes item;  // kPut: the whole item
  Update update;    // kUpdate: empty touches the item
  std::optional<Condition> condition;
  ReturnValues returned = ReturnValues::kNone;
  bool item_on_failure = false;
  bool metrics = false;
  ReturnConsumedCapacity capacity = ReturnConsumedCapacity::kNone;
};

struct BatchWriteOperation {
  // Distinct keys; an absent item deletes.
  std::vector<std::pair<Key, std::optional<Attributes>>> writes;
  ReturnConsumedCapacity capacity = ReturnConsumedCapacity::kNone;
};

struct GetOperation {
  std::vector<Key> keys;  // distinct
  bool batch = false;     // otherwise one key
  std::vector<Path> projection;
  bool consistent = false;
  ReturnConsumedCapacity capacity = ReturnConsumedCapacity::kNone;
};

// A condition on one range attribute: a comparator, "BETWEEN" or "begins_with".
struct SortTerm {
  std::string comparator;
  std::vector<Value> values;
};

// A Query or a Scan, read to its end page by page.
struct PageOperation {
  bool query = false;
  std::optional<std::string> index;
  std::vector<Value> partition;  // query: one a hash attribute
  std::vector<SortTerm> sort;    // query: a prefix of the range attributes
  bool forward = true;
  std::optional<std::int64_t> limit;
  std::optional<Condition> filter;
  std::optional<Select> select;
  std::vector<Path> projection;
  bool consistent = false;
  ReturnConsumedCapacity capacity = ReturnConsumedCapacity::kNone;
  // Begin behind this part of what there is to read.
  std::optional<double> start_fraction;
  // Begin at a key of the table that need not exist.
  std::optional<Key> start_key;
  // Scan: segments to cut the table into, and the one to read in the way asked for.
  std::optional<std::int64_t> total_segments;
  std::int64_t segment = 0;
};

// Adds the late index when it is not there, drops it when it is.
struct IndexChange {};

using Operation =
    std::variant<WriteOperation, BatchWriteOperation, GetOperation, PageOperation, IndexChange>;

// For the log of a failure.
std::string Show(const Operation& operation);
// The keys that it writes.
std::vector<Key> WrittenKeys(const Operation& operation);

}  // namespace stator::model_test

#endif  // STATOR_TESTS_MODEL_OPERATION_H_
