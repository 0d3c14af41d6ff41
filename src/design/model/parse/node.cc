#include "model/parse/node.h"

namespace stator::model {

const Node* Node::Find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].text == key) return &items[i];
  }
  return nullptr;
}

Place Node::At(std::size_t offset) const {
  if (text.find('\n') != std::string::npos) return place;
  return {place.line, static_cast<std::uint32_t>(place.column + offset + (quoted ? 1 : 0))};
}

std::string_view KindName(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::kNothing:
      return "nothing";
    case Node::Kind::kText:
      return "text";
    case Node::Kind::kList:
      return "a list";
    case Node::Kind::kMap:
      return "a map";
  }
  return "";
}

}  // namespace stator::model
