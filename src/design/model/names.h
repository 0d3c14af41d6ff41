// Lists of names, and the valid name that a wrong one was probably meant to be.
#ifndef STATOR_MODEL_NAMES_H_
#define STATOR_MODEL_NAMES_H_

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stator::model {

inline bool Contains(std::span<const std::string> names, std::string_view wanted) {
  return std::ranges::find(names, wanted) != names.end();
}

inline void AddOnce(std::vector<std::string>& names, std::string_view name) {
  if (!Contains(names, name)) names.emplace_back(name);
}

// "a, b and c"
std::string List(std::span<const std::string> names);

// How many characters must be changed, added, removed or swapped with their neighbour. Letters that
// differ only in case count as equal.
std::size_t EditDistance(std::string_view left, std::string_view right);

// Whether the distance is one, in linear time.
bool OneEditApart(std::string_view left, std::string_view right);

// Empty if no valid name is near: at most a third of the name may differ.
std::string_view NearestName(std::string_view name, std::span<const std::string_view> valid);

// "did you mean `jobs`?", or "one of a, b, c", or "" if there are too many to list.
std::string NameHint(std::string_view name, std::span<const std::string_view> valid);

}  // namespace stator::model

#endif  // STATOR_MODEL_NAMES_H_
