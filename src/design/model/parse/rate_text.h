// Rates: `10/day`, `0.5/s`, `$msgs`, `2 * $msgs`, `60/day + $msgs`, `5% * $msgs`.
//
//   sum     := product (('+' | '-') product)*
//   product := factor ('*' factor)*
//   factor  := number '%'? ('/' unit)? | '$' name ('/' number)?
//   unit    := s | min | h | day | week | month | year
//
// Exactly one factor of each product is a rate; the others are plain numbers.
#ifndef STATOR_MODEL_PARSE_RATE_TEXT_H_
#define STATOR_MODEL_PARSE_RATE_TEXT_H_

#include <map>
#include <string>
#include <string_view>

#include "model/model.h"
#include "model/parse/text_cursor.h"

namespace stator::model {

// `assumptions` gives the named rates and the length of a month.
Read<Rate> ReadRate(std::string_view text, const Assumptions& assumptions);

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_RATE_TEXT_H_
