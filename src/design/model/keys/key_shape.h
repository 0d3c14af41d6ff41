// The set of texts that a key can be, and whether two such sets meet.
//
// A shape is built in the order of the text: "ORDER#" then any id. Two shapes meet if one text
// belongs to both: ORDER#{orderId} and ORDER#{status} meet in "ORDER#OPEN".
#ifndef STATOR_MODEL_KEYS_KEY_SHAPE_H_
#define STATOR_MODEL_KEYS_KEY_SHAPE_H_

#include <bitset>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace stator::model {

using Bytes = std::bitset<256>;

class KeyShape {
 public:
  void AppendText(std::string_view text);
  // A value of the attribute (null: any text), written as the placeholder says.
  void AppendValue(const Attribute* attribute, const TemplatePart& placeholder);
  void AppendAnything();  // or nothing

 private:
  // One byte, or several if it repeats, or none if it may be left out.
  struct Step {
    Bytes bytes;
    bool repeats = false;
    bool optional = false;
  };
  using Path = std::vector<Step>;

  void Append(const Step& step);
  void AppendOneOf(const std::vector<std::string>& texts);
  void AppendPicture(std::string_view picture);
  static std::optional<std::string> Meet(const Path& a, const Path& b);

  std::vector<Path> paths_ = {Path{}};  // the alternatives

  friend std::optional<std::string> CommonText(const KeyShape& a, const KeyShape& b);
};

// A text that both can be, if there is one.
std::optional<std::string> CommonText(const KeyShape& a, const KeyShape& b);

KeyShape ShapeOf(const Entity& entity, const KeyTemplate& key);

// False if the literal starts of two texts already differ: a cheap test before CommonText.
bool StartsAgree(std::string_view a, std::string_view b);

// The bytes that a value of the attribute may contain.
Bytes BytesOf(const Attribute* attribute, const TemplatePart& placeholder);

// True if every value has the same number of bytes.
bool HasFixedWidth(const Attribute* attribute, const TemplatePart& placeholder);

}  // namespace stator::model

#endif  // STATOR_MODEL_KEYS_KEY_SHAPE_H_
