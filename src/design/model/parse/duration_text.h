// Durations: `30m`, `1d`, `1500ms` (rounded up to a second), `1d 12h`.
//
//   duration := (number unit)+        unit := ms | s | m | min | h | d | w | y
#ifndef STATOR_MODEL_PARSE_DURATION_TEXT_H_
#define STATOR_MODEL_PARSE_DURATION_TEXT_H_

#include <chrono>
#include <string_view>

#include "model/parse/text_cursor.h"

namespace stator::model {

// Never negative, at most 1,000 years.
Read<std::chrono::seconds> ReadDuration(std::string_view text);

// "now", "now+30d", "now-30m": the distance from now.
Read<std::chrono::seconds> ReadNow(std::string_view text);

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_DURATION_TEXT_H_
