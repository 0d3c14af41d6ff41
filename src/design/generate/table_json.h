// Parts of CreateTable's request as JSON.
#ifndef STATOR_GENERATE_TABLE_JSON_H_
#define STATOR_GENERATE_TABLE_JSON_H_

#include <string>
#include <vector>

#include "model/model.h"

namespace stator::model {

// An array of GlobalSecondaryIndex or LocalSecondaryIndex objects, on one line.
std::string IndexesJson(const Table& table, const std::vector<const Index*>& indexes);

}  // namespace stator::model

#endif  // STATOR_GENERATE_TABLE_JSON_H_
