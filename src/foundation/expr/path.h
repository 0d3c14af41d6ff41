// Document paths: a.b[2].c, with name placeholders already replaced; and sets of them: the targets
// of an update, the parts of a projection.
#ifndef STATOR_EXPR_PATH_H_
#define STATOR_EXPR_PATH_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/inline_vector.h"
#include "stator/item.h"

namespace stator {

inline constexpr std::size_t kMaxPathElements = 32;
inline constexpr std::uint64_t kMaxListIndex = std::numeric_limits<std::int32_t>::max();

struct PathElement {
  std::string name;         // a map key; empty for a list index
  std::uint32_t index = 0;  // a list index
  bool is_index = false;
  friend bool operator==(const PathElement&, const PathElement&) = default;
};

// Never empty. The first element is a top-level attribute name; most paths have no other.
using Path = InlineVector<PathElement, 1>;

// "[a, b, [0]]" as DynamoDB shows a path in its messages.
std::string PathText(const Path& path);

// The value at the path, if every step exists.
std::optional<ValueView> Resolve(ItemView item, const Path& path);

// Finds the values of many paths in one item: a large one is walked once for all of them, rather
// than once for each.
class PathLookup {
 public:
  using Paths = std::vector<const Path*>;

  // Fewer are better looked up one by one.
  static constexpr std::size_t kManyPaths = 16;
  static void Sort(Paths& paths);

  // REQUIRES: `sorted` by Sort. It and the item outlive the lookup.
  PathLookup(ItemView item, const Paths& sorted);

  // As Resolve. REQUIRES: the path equals one that was given, if any were.
  std::optional<ValueView> Find(const Path& path) const {
    return values_.empty() ? Resolve(item_, path) : FindResolved(path);
  }

 private:
  // Paths that are equal above `depth`.
  struct Group {
    std::size_t begin;
    std::size_t end;
    std::size_t depth;
  };
  std::optional<ValueView> FindResolved(const Path& path) const;
  Group TakeSameStep(Group& group) const;
  void Walk(ValueView value, Group group);
  void WalkMap(ItemView map, Group group);
  void WalkList(ListView list, Group group);

  ItemView item_;
  const Paths& sorted_;
  std::vector<std::optional<ValueView>> values_;  // of the paths; empty if they are not resolved
};

// The reason for refusing an index above kMaxListIndex.
std::string ListIndexOutOfRange(std::string_view index);
// The reason for refusing a path of more than kMaxPathElements; nothing for other paths.
std::optional<std::string> PathLengthProblem(const Path& path);

// Compares element by element: names by their bytes, indexes by value, names before indexes, a
// prefix first.
bool PathBefore(const Path& a, const Path& b);

// "Two document paths overlap …" when one path is another or a prefix of it; "… conflict …" when
// two need a map and a list at the same place. Names the first pair in written order, any overlap
// before a conflict. Nothing when all are disjoint.
std::optional<std::string> RelatedPaths(const std::vector<const Path*>& paths);

// Only what the paths name: nesting kept, list elements compacted. Parts that do not exist are left
// out. REQUIRES: `paths` sorted by PathBefore and disjoint.
Item SelectPaths(ItemView item, std::span<const Path> paths);

// How many elements at the front have the same step at `depth`. `path_of` returns an element's
// path.
template <class T, class PathOf>
std::size_t SameStep(std::span<const T> elements, std::size_t depth, PathOf path_of) {
  const PathElement& step = path_of(elements.front())[depth];
  std::size_t end = 1;
  while (end < elements.size() && path_of(elements[end])[depth] == step) ++end;
  return end;
}

}  // namespace stator

#endif  // STATOR_EXPR_PATH_H_
