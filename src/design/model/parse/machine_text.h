// The lines of a state machine.
//
//   state := '' | 'end' | 'dwell' duration
//   move  := ('*' | names) '->' names ('+' attribute | '-' attribute)*
//   names := name ('|' name)*
#ifndef STATOR_MODEL_PARSE_MACHINE_TEXT_H_
#define STATOR_MODEL_PARSE_MACHINE_TEXT_H_

#include <string_view>

#include "model/model.h"
#include "model/parse/text_cursor.h"

namespace stator::model {

Read<State> ReadState(std::string_view text);

// `stamp` is the machine's: only it may be left out with '-'.
Read<Move> ReadMove(std::string_view text, std::string_view stamp);

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_MACHINE_TEXT_H_
