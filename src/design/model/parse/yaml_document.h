// Reads the part of YAML that model files are written in: one document of maps, lists and text.
//
// Refused, so that a small file cannot become a large one and a word cannot change its meaning:
// anchors, aliases, tags, merge keys, maps as keys, a key twice in a map, several documents.
#ifndef STATOR_MODEL_PARSE_YAML_DOCUMENT_H_
#define STATOR_MODEL_PARSE_YAML_DOCUMENT_H_

#include <cstddef>
#include <expected>
#include <string_view>

#include "model/parse/node.h"
#include "model/parse/parse.h"

namespace stator::model {

inline constexpr std::size_t kMaxYamlDepth = 32;
inline constexpr std::size_t kMaxYamlNodes = 200'000;

// Stops at the first problem: what follows a broken line means nothing.
std::expected<Node, Problem> ReadYaml(std::string_view text);

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_YAML_DOCUMENT_H_
