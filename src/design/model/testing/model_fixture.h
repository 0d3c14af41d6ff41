// Models for tests.
#ifndef STATOR_MODEL_TESTING_MODEL_FIXTURE_H_
#define STATOR_MODEL_TESTING_MODEL_FIXTURE_H_

#include <gtest/gtest.h>

#include <string_view>
#include <utility>

#include "model/parse/parse.h"

namespace stator::model {

// The parsed text; fails the test, and is empty, if the text is not a model.
inline Model ParsedModel(std::string_view yaml) {
  auto model = ParseModel(yaml, "model.yaml");
  if (!model) ADD_FAILURE() << ProblemTexts("model.yaml", model.error());
  return std::move(model).value_or(Model{});
}

}  // namespace stator::model

#endif  // STATOR_MODEL_TESTING_MODEL_FIXTURE_H_
