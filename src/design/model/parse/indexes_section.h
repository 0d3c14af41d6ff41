// The indexes of a table, and what they share with it.
#ifndef STATOR_MODEL_PARSE_INDEXES_SECTION_H_
#define STATOR_MODEL_PARSE_INDEXES_SECTION_H_

#include <string_view>
#include <vector>

#include "model/model.h"
#include "model/parse/node.h"
#include "model/parse/problems.h"

namespace stator::model {

void ReadIndexes(Problems& problems, const Node& node, Table& table);

// "userId str, sk num", or a list of such.
std::vector<KeyAttribute> ReadKeyAttributes(Problems& problems, const Node& node,
                                            std::string_view name);
Capacity ReadCapacity(Problems& problems, const Node& node);

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_INDEXES_SECTION_H_
