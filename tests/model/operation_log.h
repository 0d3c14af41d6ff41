// The operations of a run, so that a failure can tell how an item came to be what it is.
#ifndef STATOR_TESTS_MODEL_OPERATION_LOG_H_
#define STATOR_TESTS_MODEL_OPERATION_LOG_H_

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>

#include "tests/model/operation.h"

namespace stator::model_test {

class OperationLog {
 public:
  void Add(std::uint64_t number, const Operation& operation);

  // The newest operation, before it the last writes of `key`, before them the last index changes.
  std::string Tell(const std::optional<Key>& key) const;

 private:
  struct Entry {
    std::uint64_t number;
    Operation operation;
  };
  static void Keep(std::deque<Entry>& entries, std::size_t count_max);

  std::deque<Entry> newest_;
  std::deque<Entry> index_changes_;
  std::map<Key, std::deque<Entry>> writes_;
};

}  // namespace stator::model_test

#endif  // STATOR_TESTS_MODEL_OPERATION_LOG_H_
