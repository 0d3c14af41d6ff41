// Carries out operations on the database and compares every answer with the model's.
#ifndef STATOR_TESTS_MODEL_CHECKER_H_
#define STATOR_TESTS_MODEL_CHECKER_H_

#include <string>

#include "stator/database.h"
#include "tests/model/late_index.h"
#include "tests/model/model.h"
#include "tests/model/operation.h"
#include "tests/model/reached.h"
#include "tests/model/verdict.h"

namespace stator::model_test {

class Checker {
 public:
  Checker(Database& database, Model& model, LateIndex& late_index)
      : database_(database), model_(model), late_index_(late_index) {}

  Verdict Check(const Operation& operation);
  const Reached& reached() const { return reached_; }

 private:
  Verdict CheckWrite(const WriteOperation& write);
  Verdict CheckBatchWrite(const BatchWriteOperation& batch);
  Verdict CheckGet(const GetOperation& get);
  Verdict CheckBatchGet(const GetOperation& get);
  Result<WriteItemResponse> Send(const WriteOperation& write);
  // Makes the model know the late index exactly while it is ACTIVE.
  Verdict FollowLateIndex();

  Database& database_;
  Model& model_;
  LateIndex& late_index_;
  Reached reached_;
  std::string unjudged_index_;  // the late index while it is being added or dropped
};

}  // namespace stator::model_test

#endif  // STATOR_TESTS_MODEL_CHECKER_H_
