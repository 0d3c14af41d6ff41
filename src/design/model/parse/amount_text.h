// Amounts, shares and whole numbers.
//
//   amount := quantity ('/' quantity)?        usual, greatest
//   quantity := number unit?                  unit := B | KB | MB | GB, 1,024 each
//   share := number '%' | number              from 0 to 1
#ifndef STATOR_MODEL_PARSE_AMOUNT_TEXT_H_
#define STATOR_MODEL_PARSE_AMOUNT_TEXT_H_

#include <cstdint>
#include <string_view>

#include "model/parse/text_cursor.h"
#include "model/place.h"

namespace stator::model {

// Never negative; the greatest is not below the usual.
Read<Amount> ReadAmount(std::string_view text);
Read<double> ReadShare(std::string_view text);
// From 1 to `most`.
Read<std::int64_t> ReadCount(std::string_view text, std::int64_t most);
// "6x" or "6".
Read<double> ReadFactor(std::string_view text);

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_AMOUNT_TEXT_H_
