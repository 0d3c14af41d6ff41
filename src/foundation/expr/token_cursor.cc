#include "expr/token_cursor.h"

#include <algorithm>

namespace stator {

bool TokenCursor::Spells(std::string_view keyword) const {
  const auto same = [](char written, char capital) {
    return written == capital ||
           (written >= 'a' && written <= 'z' && written - 'a' + 'A' == capital);
  };
  return std::ranges::equal(peek().text, keyword, same);
}

}  // namespace stator
