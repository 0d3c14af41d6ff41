// One random operation, in the reference's own terms.
#ifndef STATOR_TESTS_ORACLE_OPERATION_H_
#define STATOR_TESTS_ORACLE_OPERATION_H_

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "stator/operations.h"
#include "tests/oracle/expressions.h"
#include "tests/oracle/schema.h"
#include "tests/oracle/value.h"

namespace stator::oracle {

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

using RandomOperation =
    std::variant<WriteOperation, BatchWriteOperation, GetOperation, PageOperation, IndexChange>;

// For the log of a failure.
std::string Show(const RandomOperation& operation);
// The keys that it writes.
std::vector<Key> WrittenKeys(const RandomOperation& operation);

// The operations of a run, so that a failure can tell how an item came to be what it is.

class OperationLog {
 public:
  void Add(std::uint64_t number, const RandomOperation& operation);

  // The newest operation, before it the last writes of `key`, before them the last index changes.
  std::string Tell(const std::optional<Key>& key) const;

 private:
  struct Entry {
    std::uint64_t number;
    RandomOperation operation;
  };
  static void Keep(std::deque<Entry>& entries, std::size_t count_max);

  std::deque<Entry> newest_;
  std::deque<Entry> index_changes_;
  std::map<Key, std::deque<Entry>> writes_;
};

}  // namespace stator::oracle

#endif  // STATOR_TESTS_ORACLE_OPERATION_H_
