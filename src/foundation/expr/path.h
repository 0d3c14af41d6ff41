// Document paths: a.b[2].c, with name placeholders already replaced.
#ifndef STATOR_EXPR_PATH_H_
#define STATOR_EXPR_PATH_H_

#include <cstdint>
#include <optional>
#include <string>

#include "base/inline_vector.h"
#include "stator/item.h"

namespace stator {

struct PathElement {
  std::string name;         // a map key; empty for a list index
  std::uint32_t index = 0;  // a list index
  bool is_index = false;
  friend bool operator==(const PathElement&, const PathElement&) = default;
};

// Never empty; the first element is a top-level attribute name, and mostly the only one.
using Path = InlineVector<PathElement, 1>;

// "[a, b, [0]]" as DynamoDB shows a path in its messages.
std::string PathText(const Path& path);

// The value at the path, if every step exists.
std::optional<ValueView> Resolve(ItemView item, const Path& path);

}  // namespace stator

#endif  // STATOR_EXPR_PATH_H_
