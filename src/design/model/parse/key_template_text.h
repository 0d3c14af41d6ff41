// Key templates; key_template.h has the grammar.
#ifndef STATOR_MODEL_PARSE_KEY_TEMPLATE_TEXT_H_
#define STATOR_MODEL_PARSE_KEY_TEMPLATE_TEXT_H_

#include <string_view>

#include "model/keys/key_template.h"
#include "model/parse/text_cursor.h"

namespace stator::model {

// Sets `text` and `parts`.
Read<KeyTemplate> ReadKeyTemplate(std::string_view text);

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_KEY_TEMPLATE_TEXT_H_
