#include "tests/model/path.h"

#include <map>
#include <utility>

namespace stator::model_test {
namespace {

// Which parts of a value are wanted: all of it, or these children.
struct Wanted {
  bool all = false;
  std::map<PathElement, Wanted> children;
};

std::optional<Value> Cut(const Value& value, const Wanted& wanted) {
  if (wanted.all) return value;
  Value part{.kind = value.kind};
  for (const auto& [element, below] : wanted.children) {
    const Value* child = Step(value, element);
    std::optional<Value> cut = child ? Cut(*child, below) : std::nullopt;
    if (!cut) continue;
    if (const auto* name = std::get_if<std::string>(&element)) {
      part.entries[*name] = *std::move(cut);
    } else {
      part.elements.push_back(*std::move(cut));
    }
  }
  if (part.entries.empty() && part.elements.empty()) return std::nullopt;
  return part;
}

}  // namespace

std::string Show(const Path& path) {
  std::string text = path.attribute;
  for (const PathElement& element : path.below) {
    if (const auto* name = std::get_if<std::string>(&element)) {
      text += "." + *name;
    } else {
      text += "[" + std::to_string(std::get<std::size_t>(element)) + "]";
    }
  }
  return text;
}

const Value* Step(const Value& parent, const PathElement& element) {
  if (const auto* name = std::get_if<std::string>(&element)) {
    return parent.kind == Kind::kM ? Find(parent.entries, *name) : nullptr;
  }
  const std::size_t index = std::get<std::size_t>(element);
  if (parent.kind != Kind::kL || index >= parent.elements.size()) return nullptr;
  return &parent.elements[index];
}

const Value* Resolve(const Attributes& item, const Path& path) {
  const Value* value = Find(item, path.attribute);
  for (const PathElement& element : path.below) {
    if (!value) return nullptr;
    value = Step(*value, element);
  }
  return value;
}

Value* Resolve(Attributes& item, const Path& path) {
  return const_cast<Value*>(Resolve(std::as_const(item), path));
}

Attributes Project(const Attributes& item, const std::vector<Path>& paths) {
  std::map<std::string, Wanted> wanted;
  for (const Path& path : paths) {
    Wanted* node = &wanted[path.attribute];
    for (const PathElement& element : path.below) node = &node->children[element];
    node->all = true;
  }
  Attributes result;
  for (const auto& [name, parts] : wanted) {
    const Value* value = Find(item, name);
    std::optional<Value> cut = value ? Cut(*value, parts) : std::nullopt;
    if (cut) result[name] = *std::move(cut);
  }
  return result;
}

}  // namespace stator::model_test
