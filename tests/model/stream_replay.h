// The stream as a second way to the table: who reads all records from the beginning and does what
// they say has the same items.
#ifndef STATOR_TESTS_MODEL_STREAM_REPLAY_H_
#define STATOR_TESTS_MODEL_STREAM_REPLAY_H_

#include "stator/database.h"
#include "tests/model/model.h"
#include "tests/model/verdict.h"

namespace stator::model_test {

// Reads the table's stream over all its shards, parents before their children, and compares what
// comes of it with the model. Each record must also fit what the records before it left.
Verdict CheckStream(Database& database, const Model& model);

}  // namespace stator::model_test

#endif  // STATOR_TESTS_MODEL_STREAM_REPLAY_H_
