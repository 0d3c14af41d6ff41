#include "expr/path.h"

namespace stator {

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

}  // namespace stator
