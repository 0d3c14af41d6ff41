#include "model/parse/machine_text.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/try.h"
#include "model/parse/duration_text.h"

namespace stator::model {
namespace {

Read<std::vector<std::string>> StateNames(std::string_view text, std::string_view line) {
  std::vector<std::string> names;
  for (const std::string_view name : SplitText(text, '|')) {
    if (name.empty()) return std::unexpected(fmt::format("`{}` lacks the name of a state", line));
    names.emplace_back(name);
  }
  return names;
}

}  // namespace

Read<State> ReadState(std::string_view text) {
  State state;
  for (std::string_view part : SplitText(text, ',')) {
    if (part == "end") {
      state.end = true;
    } else if (part.starts_with("dwell ")) {
      ASSIGN_OR_RETURN(state.dwell, ReadDuration(Trim(part.substr(6))));
    } else if (!part.empty()) {
      return std::unexpected(fmt::format("`{}` must be `end` or `dwell DURATION`", text));
    }
  }
  return state;
}

Read<Move> ReadMove(std::string_view text, std::string_view stamp) {
  Move move;
  const std::size_t arrow = text.find("->");
  if (arrow == std::string_view::npos) {
    return std::unexpected(fmt::format("`{}` must be `FROM -> TO`", text));
  }
  const std::string_view from = Trim(text.substr(0, arrow));
  if (from != "*") {
    ASSIGN_OR_RETURN(move.from, StateNames(from, text));
  }
  std::string_view rest = text.substr(arrow + 2);
  // Signs stand after a space, so that the name of a state may hold a '-'.
  std::vector<std::string_view> words = SplitWords(rest);
  std::string to;
  for (const std::string_view word : words) {
    const bool sign = word.front() == '+' || word.front() == '-';
    if (!sign) {
      to += word;
    } else if (word.size() == 1) {
      return std::unexpected(fmt::format("`{}` has a sign without an attribute", text));
    } else if (word.front() == '+') {
      move.sets.emplace_back(word.substr(1));
    } else if (word.substr(1) == stamp) {
      move.stamps = false;
    } else {
      return std::unexpected(fmt::format("`{}`: only the stamp can be left out, and `{}` is not it",
                                         text, word.substr(1)));
    }
  }
  ASSIGN_OR_RETURN(move.to, StateNames(to, text));
  return move;
}

}  // namespace stator::model
