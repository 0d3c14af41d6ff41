// JSON for people: what fits on a line stays on it, everything else is indented.
#ifndef STATOR_GENERATE_JSON_LAYOUT_H_
#define STATOR_GENERATE_JSON_LAYOUT_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace stator::model {

struct JsonLayout {
  std::size_t columns = 80;  // of a value that stays on its line, indentation not counted
  std::size_t indent = 0;    // of every line but the first
  bool open_root = true;     // the outermost value is never on one line
};

// REQUIRES: valid JSON. No newline at the end.
std::string LayOutJson(std::string_view json, const JsonLayout& layout = {});

}  // namespace stator::model

#endif  // STATOR_GENERATE_JSON_LAYOUT_H_
