// A model file → a Model, or everything that is wrong with its form.
#ifndef STATOR_MODEL_PARSE_PARSE_H_
#define STATOR_MODEL_PARSE_PARSE_H_

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace stator::model {

// A mistake of form: a field that does not exist, a value that does not parse, a name that nothing
// has. `hint` says what to write instead, often the nearest valid name; it may be empty.
struct Problem {
  Place place;
  std::string message;
  std::string hint;
};

inline constexpr std::size_t kMaxModelBytes = std::size_t{4} << 20;

// `file` is for messages. Anchors, aliases, tags and merge keys are refused, so that a small file
// cannot become a large one; depth, file size and counts are bounded. At most 50 problems.
std::expected<Model, std::vector<Problem>> ParseModel(std::string_view text, std::string file);

// Reads the file and parses it.
std::expected<Model, std::vector<Problem>> LoadModel(const std::string& path);

// "model.yaml:12:7: unknown field `projct` (did you mean `project`?)"
std::string ProblemText(const std::string& file, const Problem& problem);
// All of them, one line each.
std::string ProblemTexts(const std::string& file, const std::vector<Problem>& problems);

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_PARSE_H_
