#include "generate/template_text.h"

namespace stator::model {

std::string AngleText(const KeyTemplate& key) {
  std::string out;
  for (const TemplatePart& part : key.parts) {
    if (!part.is_placeholder) {
      out += part.text;
      continue;
    }
    out += '<' + part.text + (part.format.empty() ? "" : ":" + part.format) + '>';
  }
  return out;
}

std::string KeyText(const Entity& entity, std::string_view attribute) {
  if (const KeyTemplate* key = entity.FindKey(attribute)) return AngleText(*key);
  if (entity.FindAttribute(attribute) == nullptr) return "";
  return "<" + std::string(attribute) + ">";
}

bool IsDerived(const Entity& entity, std::string_view attribute) {
  const KeyTemplate* key = entity.FindKey(attribute);
  if (key == nullptr) return false;
  const bool itself =
      key->parts.size() == 1 && key->parts[0].is_placeholder && key->parts[0].text == attribute;
  return !itself;
}

}  // namespace stator::model
