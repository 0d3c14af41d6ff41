// What must be true of a table whatever happened to it: each index is the projection of the table,
// once an item, in order; the segments of a parallel scan partition it; and its counts are those of
// its items.
#ifndef STATOR_TESTS_MODEL_INVARIANTS_H_
#define STATOR_TESTS_MODEL_INVARIANTS_H_

#include "stator/database.h"
#include "tests/model/model.h"
#include "tests/model/verdict.h"

namespace stator::model_test {

// Looks at the table and at those of its indexes that the model knows.
Verdict CheckInvariants(Database& database, const Model& model);

}  // namespace stator::model_test

#endif  // STATOR_TESTS_MODEL_INVARIANTS_H_
