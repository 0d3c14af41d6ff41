// Lists of names.
#ifndef STATOR_MODEL_NAMES_H_
#define STATOR_MODEL_NAMES_H_

#include <algorithm>
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

}  // namespace stator::model

#endif  // STATOR_MODEL_NAMES_H_
