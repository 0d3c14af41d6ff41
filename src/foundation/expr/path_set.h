// Sets of paths: the targets of an update, the parts of a projection.
#ifndef STATOR_EXPR_PATH_SET_H_
#define STATOR_EXPR_PATH_SET_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "expr/path.h"
#include "expr/placeholders.h"
#include "stator/result.h"

namespace stator {

// Element by element: names by their bytes, indexes by value, names before indexes, a prefix first.
bool PathBefore(const Path& a, const Path& b);

// "Two document paths overlap …" when one path is another or a prefix of it; "… conflict …" when
// two need a map and a list at the same place. The first pair in written order; any overlap before
// a conflict. Nothing when all are disjoint.
std::optional<std::string> RelatedPaths(const std::vector<const Path*>& paths);
// The same as an error of an expression.
Result<void> CheckDisjoint(const std::vector<const Path*>& paths, ExpressionKind kind);

// Only what the paths name: nesting kept, list elements compacted. Parts that do not exist are left
// out. REQUIRES: `paths` sorted by PathBefore and disjoint.
Item SelectPaths(ItemView item, std::span<const Path> paths);

// How many of the elements at the front lead the same way at `depth`. `path_of` gives an element's
// path.
template <class T, class PathOf>
std::size_t SameStep(std::span<const T> elements, std::size_t depth, PathOf path_of) {
  const PathElement& step = path_of(elements.front())[depth];
  std::size_t end = 1;
  while (end < elements.size() && path_of(elements[end])[depth] == step) ++end;
  return end;
}

}  // namespace stator

#endif  // STATOR_EXPR_PATH_SET_H_
