#include "model/keys/key_template.h"

#include <algorithm>

namespace stator::model {
namespace {

constexpr std::string_view kShard = "shard";

}  // namespace

std::string_view KeyTemplate::Prefix() const {
  if (parts.empty() || parts.front().is_placeholder) return {};
  return parts.front().text;
}

bool KeyTemplate::IsPlain() const {
  return parts.size() == 1 && parts.front().is_placeholder && parts.front().format.empty() &&
         parts.front().text != kShard;
}

bool KeyTemplate::IsDerived() const { return !IsPlain() || parts.front().text != attribute; }

bool KeyTemplate::Uses(std::string_view attribute_name) const {
  return std::ranges::any_of(parts, [&](const TemplatePart& part) {
    return part.is_placeholder && part.text == attribute_name;
  });
}

std::vector<std::string> KeyTemplate::Sources() const {
  std::vector<std::string> names;
  for (const TemplatePart& part : parts) {
    if (!part.is_placeholder || part.text == kShard) continue;
    if (std::ranges::find(names, part.text) == names.end()) names.push_back(part.text);
  }
  return names;
}

}  // namespace stator::model
