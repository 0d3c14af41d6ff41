#include "model/parse/locator.h"

#include <cstddef>
#include <optional>
#include <string>

#include "model/parse/text_cursor.h"

namespace stator::model {
namespace {

const Node* Step(const Node& node, std::string_view key) {
  if (!node.IsList()) return node.Find(key);
  const auto position = ReadNumber(key);
  if (!position || *position < 0 || *position >= static_cast<double>(node.items.size())) {
    return nullptr;
  }
  return &node.items[static_cast<std::size_t>(*position)];
}

std::optional<Place> FindInside(const Node& node, std::string_view name) {
  if (node.IsText()) {
    const std::size_t offset = node.text.find(name);
    if (offset == std::string::npos) return std::nullopt;
    return node.At(offset);
  }
  for (const Node::Key& key : node.keys) {
    if (key.text == name) return key.place;
  }
  for (const Node& item : node.items) {
    if (const auto place = FindInside(item, name)) return place;
  }
  return std::nullopt;
}

}  // namespace

Place Locator::Find(std::initializer_list<std::string_view> path, std::string_view name) const {
  const Node* node = &document_;
  for (const std::string_view key : path) {
    const Node* next = Step(*node, key);
    if (next == nullptr) return node->place;
    node = next;
  }
  return FindInside(*node, name).value_or(node->place);
}

}  // namespace stator::model
