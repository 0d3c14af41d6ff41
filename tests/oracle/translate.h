// Between the reference's trees and the library's items.
#ifndef STATOR_TESTS_ORACLE_TRANSLATE_H_
#define STATOR_TESTS_ORACLE_TRANSLATE_H_

#include <optional>
#include <string>
#include <vector>

#include "stator/expression.h"
#include "stator/item.h"
#include "tests/oracle/value.h"

namespace stator::oracle {

AttributeValue ToLibrary(const Value& value);
Item ToLibrary(const Attributes& item);

Value FromLibrary(ValueView value);
Attributes FromLibrary(ItemView item);
std::optional<Attributes> FromLibrary(const std::optional<Item>& item);

// Gives names and values their placeholders while an expression is being written.
class Placeholders {
 public:
  std::string Name(const std::string& name);
  std::string Value(const oracle::Value& value);
  std::string Path(const oracle::Path& path);
  std::string Paths(const std::vector<oracle::Path>& paths);

  // Absent when the expressions have none.
  std::optional<NameMap> names() const;
  std::optional<ValueMap> values() const;

 private:
  std::vector<std::string> names_;
  ValueMap values_;
};

}  // namespace stator::oracle

#endif  // STATOR_TESTS_ORACLE_TRANSLATE_H_
