// A pattern as a C++ function: its parameters, and the call of the entity layer.
#ifndef STATOR_GENERATE_CPP_PATTERN_H_
#define STATOR_GENERATE_CPP_PATTERN_H_

#include <string>
#include <vector>

#include "generate/cpp_entity.h"
#include "generate/lines.h"
#include "model/model.h"

namespace stator::model {

// Writes one function for each pattern, transactions and scans excepted, which have no typed form.
// `names` are those that the header has given already.
void WriteCppPatterns(const Model& model, const std::vector<CppEntity>& entities, NameSet& names,
                      Lines& out);

}  // namespace stator::model

#endif  // STATOR_GENERATE_CPP_PATTERN_H_
