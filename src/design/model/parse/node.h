// A YAML document as a tree of text, lists and maps, each with its place.
#ifndef STATOR_MODEL_PARSE_NODE_H_
#define STATOR_MODEL_PARSE_NODE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/place.h"

namespace stator::model {

struct Node {
  enum class Kind : std::uint8_t { kNothing, kText, kList, kMap };
  struct Key {
    std::string text;
    Place place;
  };

  Kind kind = Kind::kNothing;
  bool quoted = false;      // of kText: written in quotes or as a block
  std::string text;         // of kText: never a number, a truth or a null
  std::vector<Key> keys;    // of kMap: one for each of `items`, all different
  std::vector<Node> items;  // of kList and kMap
  Place place;

  bool IsText() const { return kind == Kind::kText; }
  bool IsList() const { return kind == Kind::kList; }
  bool IsMap() const { return kind == Kind::kMap; }
  const Node* Find(std::string_view key) const;  // null: no such key, or not a map
  // Where the character at `offset` of the text stands, if the text is written on one line.
  Place At(std::size_t offset) const;
};

// "a list", "text" …
std::string_view KindName(Node::Kind kind);

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_NODE_H_
