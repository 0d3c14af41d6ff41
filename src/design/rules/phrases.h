// Pieces of the sentences that findings are made of.
#ifndef STATOR_RULES_PHRASES_H_
#define STATOR_RULES_PHRASES_H_

#include <string>
#include <vector>

#include "model/keys/truth.h"
#include "model/model.h"
#include "model/names.h"

namespace stator::model {

// "[a, b]", as a model file writes a list
std::string YamlList(const std::vector<std::string>& names);
// "jobs.StatusIndex"
std::string IndexTarget(const Table& table, const Index& index);
// "all", "keys" or "[a, b]"
std::string ProjectionAsWritten(const Projection& projection);
// "12", "0.4", "1.2 million"
std::string FigureText(double figure);

}  // namespace stator::model

#endif  // STATOR_RULES_PHRASES_H_
