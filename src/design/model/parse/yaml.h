// The part of YAML that model files are written in: one document of maps, lists and text, read into
// a tree whose nodes know their place in the file.
//
// Some of YAML is refused, so that a small file cannot become a large one and a word cannot change
// its meaning: anchors, aliases, tags, merge keys, maps as keys, a key twice in one map, several
// documents.
#ifndef STATOR_MODEL_PARSE_YAML_H_
#define STATOR_MODEL_PARSE_YAML_H_

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "model/parse/parse.h"
#include "model/place.h"

namespace stator::model {

inline constexpr std::size_t kMaxYamlDepth = 32;
inline constexpr std::size_t kMaxYamlNodes = 200'000;

struct Node {
  enum class Kind : std::uint8_t { kNothing, kText, kList, kMap };
  struct Key {
    std::string text;
    Place place;
  };

  Kind kind = Kind::kNothing;
  bool quoted = false;      // of kText: written in quotes or as a block
  std::string text;         // of kText: never converted to a number, a boolean or null
  std::vector<Key> keys;    // of kMap: one for each of `items`, all different
  std::vector<Node> items;  // of kList and kMap
  Place place;

  bool IsText() const { return kind == Kind::kText; }
  bool IsList() const { return kind == Kind::kList; }
  bool IsMap() const { return kind == Kind::kMap; }
  const Node* Find(std::string_view key) const;  // null: no such key, or not a map
  // The place of the character at `offset` of the text, if the text is written on one line.
  Place At(std::size_t offset) const;
};

// "a list", "text" …
std::string_view KindName(Node::Kind kind);

// Stops at the first problem: what follows a broken line means nothing.
std::expected<Node, Problem> ReadYaml(std::string_view text);

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_YAML_H_
