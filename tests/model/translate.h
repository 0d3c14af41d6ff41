// Between the model's trees and the library's items.
#ifndef STATOR_TESTS_MODEL_TRANSLATE_H_
#define STATOR_TESTS_MODEL_TRANSLATE_H_

#include <optional>
#include <string>
#include <vector>

#include "stator/expression.h"
#include "stator/item.h"
#include "tests/model/path.h"
#include "tests/model/tree.h"

namespace stator::model_test {

AttributeValue ToLibrary(const Value& value);
Item ToLibrary(const Attributes& item);

Value FromLibrary(ValueView value);
Attributes FromLibrary(ItemView item);
std::optional<Attributes> FromLibrary(const std::optional<Item>& item);

// Gives names and values their placeholders while an expression is being written.
class Placeholders {
 public:
  std::string Name(const std::string& name);
  std::string Value(const model_test::Value& value);
  std::string Path(const model_test::Path& path);
  std::string Paths(const std::vector<model_test::Path>& paths);

  // Absent when the expressions have none.
  std::optional<NameMap> names() const;
  std::optional<ValueMap> values() const;

 private:
  std::vector<std::string> names_;
  ValueMap values_;
};

}  // namespace stator::model_test

#endif  // STATOR_TESTS_MODEL_TRANSLATE_H_
