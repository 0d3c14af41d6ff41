// Carries out operations on the database and compares every answer with the reference's.
#ifndef STATOR_TESTS_ORACLE_CHECKER_H_
#define STATOR_TESTS_ORACLE_CHECKER_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

#include "stator/database.h"
#include "tests/oracle/operation.h"
#include "tests/oracle/reference_table.h"
#include "tests/oracle/verdict.h"

namespace stator::oracle {

// The index that is added and dropped by a second thread while operations go on.

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

class Checker {
 public:
  Checker(Database& database, ReferenceTable& reference, LateIndex& late_index)
      : database_(database), reference_(reference), late_index_(late_index) {}

  Verdict Check(const RandomOperation& operation);
  const Reached& reached() const { return reached_; }

 private:
  Verdict CheckWrite(const WriteOperation& write);
  Verdict CheckBatchWrite(const BatchWriteOperation& batch);
  Verdict CheckGet(const GetOperation& get);
  Verdict CheckBatchGet(const GetOperation& get);
  Result<WriteItemResponse> Send(const WriteOperation& write);
  // Makes the reference know the late index exactly while it is ACTIVE.
  Verdict FollowLateIndex();

  Database& database_;
  ReferenceTable& reference_;
  LateIndex& late_index_;
  Reached reached_;
  std::string unjudged_index_;  // the late index while it is being added or dropped
};

}  // namespace stator::oracle

#endif  // STATOR_TESTS_ORACLE_CHECKER_H_
