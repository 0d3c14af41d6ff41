// Pieces of the sentences that findings are made of.
#ifndef STATOR_MODEL_RULES_PHRASES_H_
#define STATOR_MODEL_RULES_PHRASES_H_

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace stator::model {

// "a", "a and b", "a, b and c"
std::string ListText(const std::vector<std::string>& names);
// "[a, b]", as a model file writes a list
std::string YamlList(const std::vector<std::string>& names);
// "jobs.StatusIndex"
std::string IndexTarget(const Table& table, const Index& index);
// "all", "keys" or "[a, b]"
std::string ProjectionText(const Projection& projection);
// "30m", "90d"
std::string DurationText(std::chrono::seconds duration);
// "12", "0.4", "1.2 million"
std::string FigureText(double figure);
// The one of `names` that is spelled most like `word`; empty when none is near.
std::string_view Nearest(std::string_view word, const std::vector<std::string_view>& names);

}  // namespace stator::model

#endif  // STATOR_MODEL_RULES_PHRASES_H_
