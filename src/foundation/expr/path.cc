#include "expr/path.h"

#include <fmt/format.h>

#include <algorithm>
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

std::optional<Pair> FirstPair(const Paths& paths, Relation relation) {
  for (std::size_t two = 1; two < paths.size(); ++two) {
    for (std::size_t one = 0; one < two; ++one) {
      if (Relate(*paths[one], *paths[two]) == relation) return Pair{paths[one], paths[two]};
    }
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
    while (!paths.empty()) {
      const std::size_t same = SameStep(paths, depth, std::identity{});
      const std::string& name = paths.front()[depth].name;
      if (const std::optional<ValueView> value = map.Find(name)) {
        const std::size_t before = body.size();
        AppendName(body, name);
        if (Select(*value, paths.first(same), depth + 1, body)) {
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
    while (!paths.empty()) {
      const std::size_t same = SameStep(paths, depth, std::identity{});
      const std::optional<ValueView> element = list.At(paths.front()[depth].index);
      if (element && Select(*element, paths.first(same), depth + 1, body)) ++count;
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
