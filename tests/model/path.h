// Document paths: doc.a[2].b
#ifndef STATOR_TESTS_MODEL_PATH_H_
#define STATOR_TESTS_MODEL_PATH_H_

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tests/model/tree.h"

namespace stator::model_test {

// A name of a map, or an index into a list.
using PathElement = std::variant<std::string, std::size_t>;
struct Path {
  std::string attribute;
  std::vector<PathElement> below;
  friend bool operator==(const Path& a, const Path& b) = default;
};

std::string Show(const Path& path);

// What is at the path; null when it is not there.
const Value* Resolve(const Attributes& item, const Path& path);
Value* Resolve(Attributes& item, const Path& path);
// One step down; null when it is not there or `parent` is of another kind.
const Value* Step(const Value& parent, const PathElement& element);

// The parts of the item at these paths, nesting kept, list elements compacted in their order.
// REQUIRES: no path is a prefix of another.
Attributes Project(const Attributes& item, const std::vector<Path>& paths);

}  // namespace stator::model_test

#endif  // STATOR_TESTS_MODEL_PATH_H_
