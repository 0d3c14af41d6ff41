// Update expressions: the model's own meaning of them, and their text for a request.
#ifndef STATOR_TESTS_MODEL_UPDATE_H_
#define STATOR_TESTS_MODEL_UPDATE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/model/path.h"
#include "tests/model/translate.h"
#include "tests/model/tree.h"

namespace stator::model_test {

// A value; a path; or with both if_not_exists(path, value).
struct Operand {
  std::optional<Path> path;
  std::optional<Value> value;
};

struct UpdateAction {
  enum class Form : std::uint8_t {
    kSet,        // target = first
    kSetSum,     // target = first + second
    kSetLess,    // target = first - second
    kSetAppend,  // target = list_append(first, second)
    kRemove,
    kAdd,     // first is a value
    kDelete,  // first is a value
  };
  Form form = Form::kSet;
  Path target;
  Operand first;
  Operand second;
};

// REQUIRES: no target is a prefix of another.
using Update = std::vector<UpdateAction>;

// The updated item; nothing when an operand is missing or of the wrong kind, or a target has no
// parent.
std::optional<Attributes> Apply(const Update& update, const Attributes& before);

std::vector<Path> Targets(const Update& update);
std::string Text(const Update& update, Placeholders& placeholders);

}  // namespace stator::model_test

#endif  // STATOR_TESTS_MODEL_UPDATE_H_
