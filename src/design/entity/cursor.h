// The position of a merged read, as text that an application can hand out and take back.
//
//   cursor := base64(version:u8 question:u64 (query)*)
//   query := 'S' | 'E' | 'P' length:u32 item     at the start, at the end, or behind a key
//
// `question` is a hash of the pattern and its parameters: a cursor continues only what began it.
#ifndef STATOR_ENTITY_CURSOR_H_
#define STATOR_ENTITY_CURSOR_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/entity.h"

namespace stator::entity {

struct QueryPosition {
  bool at_end = false;
  std::optional<Item> behind;  // nullopt: at the start, unless at_end
};

std::uint64_t QuestionOf(std::string_view pattern, const PatternParameters& parameters,
                         bool descending);

std::string CursorText(std::uint64_t question, const std::vector<QueryPosition>& queries);

// Any text is safe: one that is not a cursor of this question gives an error.
EntityResult<std::vector<QueryPosition>> ReadCursor(std::string_view text, std::uint64_t question,
                                                    std::size_t query_count);

}  // namespace stator::entity

#endif  // STATOR_ENTITY_CURSOR_H_
