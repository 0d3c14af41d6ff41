// The grammars of quantities.
//
//   amount   := quantity ('/' quantity)?        typical, greatest: 500/1500
//   quantity := number unit?                    unit := B | KB | MB | GB, 1,024 each
//   share    := number '%' | number             from 0 to 1
//
//   duration := (number unit)+                  30m, 1d, 1d 12h, 1500ms (rounded up to a second)
//   unit     := ms | s | m | min | h | d | w | y
//
//   rate     := product (('+' | '-') product)*  10/day, 2 * $msgs, 60/day + $msgs, 5% * $msgs
//   product  := factor ('*' factor)*
//   factor   := number '%'? ('/' unit)? | '$' name ('/' number)?
//   unit     := s | min | h | day | week | month | year
//
// Exactly one factor of each product is a rate; the others are plain numbers.
#ifndef STATOR_MODEL_PARSE_QUANTITY_TEXT_H_
#define STATOR_MODEL_PARSE_QUANTITY_TEXT_H_

#include <chrono>
#include <cstdint>
#include <string_view>

#include "model/model.h"
#include "model/parse/text_cursor.h"
#include "model/place.h"

namespace stator::model {

// Never negative; the greatest value is at least the typical one.
Read<Amount> ReadAmount(std::string_view text);
Read<double> ReadShare(std::string_view text);
// From 1 to `most`.
Read<std::int64_t> ReadCount(std::string_view text, std::int64_t most);
// "6x" or "6".
Read<double> ReadFactor(std::string_view text);

// Never negative, at most 1,000 years.
Read<std::chrono::seconds> ReadDuration(std::string_view text);
// "now", "now+30d", "now-30m": the distance from now.
Read<std::chrono::seconds> ReadNow(std::string_view text);

// `assumptions` gives the named rates and the length of a month.
Read<Rate> ReadRate(std::string_view text, const Assumptions& assumptions);

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_QUANTITY_TEXT_H_
