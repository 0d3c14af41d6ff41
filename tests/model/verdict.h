// What a check found.
#ifndef STATOR_TESTS_MODEL_VERDICT_H_
#define STATOR_TESTS_MODEL_VERDICT_H_

#include <optional>
#include <string>

#include "tests/model/schema.h"

namespace stator::model_test {

struct Mismatch {
  std::string what;
  std::optional<Key> key;  // the item that it is about, where one can be named
};

// Absent: all is as the model says.
using Verdict = std::optional<Mismatch>;

#define RETURN_IF_MISMATCH(expression)                             \
  do {                                                             \
    if (auto mismatch_found = (expression)) return mismatch_found; \
  } while (false)

}  // namespace stator::model_test

#endif  // STATOR_TESTS_MODEL_VERDICT_H_
