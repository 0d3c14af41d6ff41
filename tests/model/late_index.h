// The index that is added and dropped by a second thread while operations go on.
#ifndef STATOR_TESTS_MODEL_LATE_INDEX_H_
#define STATOR_TESTS_MODEL_LATE_INDEX_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

#include "stator/database.h"

namespace stator::model_test {

class LateIndex {
 public:
  enum class State : std::uint8_t { kAbsent, kChanging, kActive, kFailed };

  explicit LateIndex(Database& database) : database_(database) {}
  ~LateIndex() { Settle(); }
  LateIndex(const LateIndex&) = delete;
  LateIndex& operator=(const LateIndex&) = delete;

  State state() const { return state_; }
  // Why the state is kFailed.
  const std::string& problem() const { return problem_; }

  // Begins to add the index if it is absent, to drop it if it is there. Does nothing while it is
  // changing.
  void Change();
  // Waits for the change that is under way.
  void Settle();

 private:
  void Add();
  void Drop();
  void Fail(std::string problem);

  Database& database_;
  std::atomic<State> state_ = State::kAbsent;
  std::string problem_;
  std::thread thread_;
};

}  // namespace stator::model_test

#endif  // STATOR_TESTS_MODEL_LATE_INDEX_H_
