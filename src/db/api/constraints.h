// The framework's constraints: checked member by member, reported together.
//
//   Constraints check;
//   check.Enum("returnConsumedCapacity", request.return_consumed_capacity);
//   check.NotNull("tableName", request.table_name);
//   RETURN_IF_ERROR(check.Finish());
//   → 2 validation errors detected: Value 'X' at 'returnConsumedCapacity' failed to …; …
#ifndef STATOR_API_CONSTRAINTS_H_
#define STATOR_API_CONSTRAINTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/expression.h"
#include "stator/result.h"
#include "wire/enum_text.h"

namespace stator {

class Constraints {
 public:
  // A finished element: "Value 'x' at 'path' failed to satisfy constraint: …".
  void Add(std::string element) { elements_.push_back(std::move(element)); }
  // `value` is shown as it is: quote it with Quoted(), or pass "null".
  void Fail(std::string_view value, std::string_view path, std::string_view constraint);

  template <class T>
  void NotNull(std::string_view path, const std::optional<T>& member) {
    if (!member) Fail("null", path, "Member must not be null");
  }
  template <class E>
  void Enum(std::string_view path, const std::optional<Choice<E>>& member) {
    if (!member || member->is_known()) return;
    Fail(Quoted(member->unknown()), path, EnumConstraint(EnumSet<E>()));
  }
  void AtLeast(std::string_view path, const std::optional<std::int64_t>& member,
               std::int64_t bound);
  void AtMost(std::string_view path, const std::optional<std::int64_t>& member, std::int64_t bound);
  // `value` is shown as it is, like that of Fail.
  void Length(std::string_view value, std::string_view path, std::size_t length,
              std::size_t min_length, std::size_t max_length);
  // [a-zA-Z0-9_.-]+
  void NamePattern(std::string_view path, std::string_view name);
  // Of a name that was sent: the pattern, then minimum and maximum length.
  struct NameRule {
    std::size_t min_length = 1;
    std::size_t max_length = 255;
  };
  void Name(std::string_view path, const std::optional<std::string>& name, NameRule rule);

  bool empty() const { return elements_.empty(); }
  // The ValidationException that lists them, at most ten.
  Result<void> Finish() const;

  static std::string Quoted(std::string_view text);
  static std::string EnumConstraint(std::string_view set);

 private:
  std::vector<std::string> elements_;
};

}  // namespace stator

#endif  // STATOR_API_CONSTRAINTS_H_
