// The lines of an entity: key templates (key_template.h has their grammar), states and moves.
//
//   state := '' | 'end' | 'dwell' duration
//   move  := ('*' | names) '->' names ('+' attribute | '-' attribute)*
//   names := name ('|' name)*
#ifndef STATOR_MODEL_PARSE_ENTITY_TEXT_H_
#define STATOR_MODEL_PARSE_ENTITY_TEXT_H_

#include <string_view>

#include "model/model.h"
#include "model/parse/text_cursor.h"

namespace stator::model {

// Sets `text` and `parts`; the caller sets the attribute and the place.
Read<KeyTemplate> ReadKeyTemplate(std::string_view text);

// The caller sets the name and the place of a state and of a move.
Read<State> ReadState(std::string_view text);
// `stamp` is the machine's, the only attribute that '-' may leave out.
Read<Move> ReadMove(std::string_view text, std::string_view stamp);

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_ENTITY_TEXT_H_
