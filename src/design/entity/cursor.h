// Where a merged read stands, as text that an application can hand out and take back.
//
//   cursor := base64(version:u8 question:u64 (strand)*)
//   strand := 'S' | 'E' | 'P' length:u32 item     at the start, at the end, or behind a key
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

struct StrandPosition {
  bool at_end = false;
  std::optional<Item> behind;  // nullopt: at the start, unless at_end
};

std::uint64_t QuestionOf(std::string_view pattern, const PatternParameters& parameters,
                         bool descending);

std::string CursorText(std::uint64_t question, const std::vector<StrandPosition>& strands);

// The error says what is wrong with it; whatever the text is, nothing worse happens.
EntityResult<std::vector<StrandPosition>> ReadCursor(std::string_view text, std::uint64_t question,
                                                     std::size_t strand_count);

}  // namespace stator::entity

#endif  // STATOR_ENTITY_CURSOR_H_
