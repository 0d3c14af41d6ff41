#include "expr/path.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "value/item_codec.h"

namespace stator {
namespace {

enum class Relation { kDisjoint, kOverlap, kConflict };

Relation Relate(const Path& a, const Path& b) {
  const auto [end_a, end_b] = std::ranges::mismatch(a, b);
  if (end_a == a.end() || end_b == b.end()) return Relation::kOverlap;
  return end_a->is_index == end_b->is_index ? Relation::kDisjoint : Relation::kConflict;
}

bool StepBefore(const PathElement& a, const PathElement& b) {
  if (a.is_index != b.is_index) return b.is_index;
  return a.is_index ? a.index < b.index : a.name < b.name;
}

using Paths = std::vector<const Path*>;

// Paths that overlap or conflict have neighbours that do when all are sorted.
bool AllDisjoint(Paths paths) {
  std::ranges::sort(paths, [](const Path* a, const Path* b) { return PathBefore(*a, *b); });
  const auto related = [](const Path* a, const Path* b) {
    return Relate(*a, *b) != Relation::kDisjoint;
  };
  return std::ranges::adjacent_find(paths, related) == paths.end();
}

struct Pair {
  const Path* one;
  const Path* two;
};

// Paths in the order they were written, numbered, as a tree of their steps.
class PathTree {
 public:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  // The lowest number of a path that has the relation to this one; kNone if none has.
  std::size_t FirstRelated(const Path& path, Relation relation) const {
    std::size_t first = kNone;
    const Node* node = &root_;
    for (const PathElement& step : path) {
      if (relation == Relation::kConflict) {
        first = std::min(first, step.is_index ? node->first_by_name : node->first_by_index);
      }
      const auto next = node->steps.find(&step);
      if (next == node->steps.end()) return first;
      node = next->second.get();
      if (relation == Relation::kOverlap) first = std::min(first, node->first_end);
    }
    return relation == Relation::kOverlap ? std::min(first, node->first) : first;
  }

  // REQUIRES: the path outlives the tree, and the numbers ascend.
  void Add(const Path& path, std::size_t number) {
    Node* node = &root_;
    for (const PathElement& step : path) {
      std::size_t& by_kind = step.is_index ? node->first_by_index : node->first_by_name;
      by_kind = std::min(by_kind, number);
      std::unique_ptr<Node>& next = node->steps[&step];
      if (!next) next = std::make_unique<Node>();
      node = next.get();
      node->first = std::min(node->first, number);
    }
    node->first_end = std::min(node->first_end, number);
  }

 private:
  struct StepLess {
    bool operator()(const PathElement* a, const PathElement* b) const { return StepBefore(*a, *b); }
  };
  // The lowest numbers of the paths that go through a place.
  struct Node {
    std::size_t first = kNone;
    std::size_t first_end = kNone;       // that end here
    std::size_t first_by_name = kNone;   // that go on with a name
    std::size_t first_by_index = kNone;  // that go on with an index
    std::map<const PathElement*, std::unique_ptr<Node>, StepLess> steps;
  };
  Node root_;
};

std::optional<Pair> FirstPair(const Paths& paths, Relation relation) {
  PathTree before;
  for (std::size_t two = 0; two < paths.size(); ++two) {
    const std::size_t one = before.FirstRelated(*paths[two], relation);
    if (one != PathTree::kNone) return Pair{paths[one], paths[two]};
    before.Add(*paths[two], two);
  }
  return std::nullopt;
}

class Selector {
 public:
  // Appends what the paths, which are equal above `depth`, select below `value`. False, and nothing
  // appended, when they select nothing.
  bool Select(ValueView value, std::span<const Path> paths, std::size_t depth, std::string& out) {
    if (paths.front().size() == depth) {
      out.append(value.encoded());
      return true;
    }
    const bool by_index = paths.front()[depth].is_index;
    if (value.type() != (by_index ? Type::kL : Type::kM)) return false;
    std::string body;
    const std::size_t count = by_index ? SelectElements(value.List(), paths, depth, body)
                                       : SelectEntries(value.Map(), paths, depth, body);
    if (count == 0) return false;
    const std::size_t begun = BeginContainer(out, value.type(), count);
    out.append(body);
    EndContainer(out, begun);
    return true;
  }

  std::size_t SelectEntries(ItemView map, std::span<const Path> paths, std::size_t depth,
                            std::string& body) {
    std::size_t count = 0;
    auto entry = map.begin();
    while (!paths.empty() && entry != map.end()) {
      const std::string& name = paths.front()[depth].name;
      const int order = entry->first.compare(name);
      if (order < 0) {
        ++entry;
        continue;
      }
      const std::size_t same = SameStep(paths, depth, std::identity{});
      if (order == 0) {
        const std::size_t before = body.size();
        AppendName(body, name);
        if (Select(entry->second, paths.first(same), depth + 1, body)) {
          ++count;
        } else {
          body.resize(before);
        }
      }
      paths = paths.subspan(same);
    }
    return count;
  }

 private:
  std::size_t SelectElements(ListView list, std::span<const Path> paths, std::size_t depth,
                             std::string& body) {
    std::size_t count = 0;
    auto element = list.begin();
    std::size_t index = 0;
    while (!paths.empty()) {
      for (; index < paths.front()[depth].index && element != list.end(); ++index) ++element;
      if (element == list.end()) break;
      const std::size_t same = SameStep(paths, depth, std::identity{});
      if (Select(*element, paths.first(same), depth + 1, body)) ++count;
      paths = paths.subspan(same);
    }
    return count;
  }
};

}  // namespace

std::string PathText(const Path& path) {
  std::string text = "[";
  for (const PathElement& element : path) {
    if (&element != path.data()) text += ", ";
    text += element.is_index ? "[" + std::to_string(element.index) + "]" : element.name;
  }
  return text + "]";
}

std::optional<ValueView> Resolve(ItemView item, const Path& path) {
  std::optional<ValueView> value = item.Find(path.front().name);
  for (std::size_t at = 1; at < path.size() && value; ++at) {
    const PathElement& step = path[at];
    if (value->type() != (step.is_index ? Type::kL : Type::kM)) return std::nullopt;
    value = step.is_index ? value->List().At(step.index) : value->Map().Find(step.name);
  }
  return value;
}

void PathLookup::Sort(Paths& paths) {
  std::ranges::sort(paths, [](const Path* a, const Path* b) { return PathBefore(*a, *b); });
}

PathLookup::PathLookup(ItemView item, const Paths& sorted) : item_(item), sorted_(sorted) {
  constexpr std::size_t kLargeItemBytes = 4096;
  if (sorted.size() < kManyPaths || item.encoded().size() < kLargeItemBytes) return;
  values_.resize(sorted.size());
  WalkMap(item, {.begin = 0, .end = sorted.size(), .depth = 0});
}

std::optional<ValueView> PathLookup::FindResolved(const Path& path) const {
  const auto found = std::ranges::lower_bound(
      sorted_, &path, [](const Path* a, const Path* b) { return PathBefore(*a, *b); });
  return values_[static_cast<std::size_t>(found - sorted_.begin())];
}

// Splits off the front those with the same next step, which are then equal above the next depth.
PathLookup::Group PathLookup::TakeSameStep(Group& group) const {
  const std::span<const Path* const> paths(sorted_);
  const std::size_t same =
      SameStep(paths.subspan(group.begin, group.end - group.begin), group.depth,
               [](const Path* path) -> const Path& { return *path; });
  const Group taken{.begin = group.begin, .end = group.begin + same, .depth = group.depth + 1};
  group.begin = taken.end;
  return taken;
}

void PathLookup::Walk(ValueView value, Group group) {
  // Paths that end here come first, then those that go on with a name, then with an index.
  while (group.begin != group.end && sorted_[group.begin]->size() == group.depth) {
    values_[group.begin++] = value;
  }
  Group names = group;
  while (group.begin != group.end && !(*sorted_[group.begin])[group.depth].is_index) {
    ++group.begin;
  }
  names.end = group.begin;
  if (value.type() == Type::kM) WalkMap(value.Map(), names);
  if (value.type() == Type::kL) WalkList(value.List(), group);
}

void PathLookup::WalkMap(ItemView map, Group group) {
  auto entry = map.begin();
  while (group.begin != group.end && entry != map.end()) {
    const int order = entry->first.compare((*sorted_[group.begin])[group.depth].name);
    if (order < 0) {
      ++entry;
      continue;
    }
    const Group same = TakeSameStep(group);
    if (order == 0) Walk(entry->second, same);
  }
}

void PathLookup::WalkList(ListView list, Group group) {
  auto element = list.begin();
  std::size_t index = 0;
  while (group.begin != group.end) {
    const std::size_t wanted = (*sorted_[group.begin])[group.depth].index;
    for (; index < wanted && element != list.end(); ++index) ++element;
    if (element == list.end()) return;
    Walk(*element, TakeSameStep(group));
  }
}

bool PathBefore(const Path& a, const Path& b) {
  return std::ranges::lexicographical_compare(a, b, StepBefore);
}

std::optional<std::string> RelatedPaths(const Paths& paths) {
  if (paths.size() < 2 || AllDisjoint(paths)) return std::nullopt;
  std::string_view relation = "overlap";
  std::optional<Pair> pair = FirstPair(paths, Relation::kOverlap);
  if (!pair) {
    relation = "conflict";
    pair = FirstPair(paths, Relation::kConflict);
  }
  return fmt::format(
      "Two document paths {} with each other; must remove or rewrite one of these paths; path one: "
      "{}, path two: {}",
      relation, PathText(*pair->one), PathText(*pair->two));
}

std::string ListIndexOutOfRange(std::string_view index) {
  return fmt::format("List index is not within the allowable range; index: [{}]", index);
}

std::optional<std::string> PathLengthProblem(const Path& path) {
  if (path.size() <= kMaxPathElements) return std::nullopt;
  return fmt::format("The document path has too many nesting levels; nesting levels: {}",
                     path.size());
}

Item SelectPaths(ItemView item, std::span<const Path> paths) {
  std::string body;
  const std::size_t count = Selector().SelectEntries(item, paths, 0, body);
  std::string encoded;
  encoded.reserve(body.size() + 4);
  AppendVarint(encoded, count);
  encoded.append(body);
  return Item::FromEncoded(std::move(encoded));
}

}  // namespace stator
