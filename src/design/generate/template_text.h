// Key templates as people write them: "ALIAS#<chatId>".
#ifndef STATOR_GENERATE_TEMPLATE_TEXT_H_
#define STATOR_GENERATE_TEMPLATE_TEXT_H_

#include <string>
#include <string_view>

#include "model/model.h"

namespace stator::model {

// "{scheduledFor:013d}#{callId}" → "<scheduledFor:013d>#<callId>".
std::string AngleText(const KeyTemplate& key);

// How the entity makes this key attribute: its template, or <name> where it is an attribute of the
// entity; empty where the entity has no such attribute.
std::string KeyText(const Entity& entity, std::string_view attribute);

// True if the attribute is made from others by a template, and so is not set by callers.
bool IsDerived(const Entity& entity, std::string_view attribute);

}  // namespace stator::model

#endif  // STATOR_GENERATE_TEMPLATE_TEXT_H_
