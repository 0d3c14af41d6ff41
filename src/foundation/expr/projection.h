// Projection expressions, and AttributesToGet, their legacy form.
#ifndef STATOR_EXPR_PROJECTION_H_
#define STATOR_EXPR_PROJECTION_H_

#include <string>
#include <string_view>
#include <vector>

#include "expr/path.h"
#include "expr/placeholders.h"
#include "stator/result.h"

namespace stator {

class Projection {
 public:
  // Static errors of behaviour.md §5.1, §5.5, in their order.
  static Result<Projection> Parse(std::string_view text, Placeholders& placeholders);
  // Top-level names. Duplicates are refused: "Duplicate value in attribute name: {a}".
  static Result<Projection> FromNames(const std::vector<std::string>& names);

  // The value at each path becomes a top-level attribute; nesting is not kept.
  // REQUIRES: the names are distinct.
  struct Column {
    Path path;
    std::string name;
  };
  static Projection FromColumns(std::vector<Column> columns);

  // In written order.
  const std::vector<Path>& paths() const { return paths_; }

  // The selected parts; nesting kept, list elements compacted in ascending index order.
  Item Apply(ItemView item) const;

 private:
  explicit Projection(std::vector<Path> paths);
  Item ApplyColumns(ItemView item) const;

  std::vector<Path> paths_;
  std::vector<Path> sorted_;            // empty when every path is a plain name
  std::vector<std::string> top_level_;  // those names, sorted
  std::vector<Column> columns_;         // sorted by name; empty if nesting is kept
};

}  // namespace stator

#endif  // STATOR_EXPR_PROJECTION_H_
