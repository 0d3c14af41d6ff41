// Finds the place of something in the document from the names that lead to it.
#ifndef STATOR_MODEL_PARSE_LOCATOR_H_
#define STATOR_MODEL_PARSE_LOCATOR_H_

#include <initializer_list>
#include <string_view>

#include "model/parse/node.h"

namespace stator::model {

class Locator {
 public:
  // The document must outlive the locator.
  explicit Locator(const Node& document) : document_(document) {}

  // Follows the keys as far as they go; then `name`, if it stands there as a key, as an item of a
  // list, or inside a text. A number is the position in a list.
  Place Find(std::initializer_list<std::string_view> path, std::string_view name) const;

 private:
  const Node& document_;
};

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_LOCATOR_H_
