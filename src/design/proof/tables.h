// Tables of a model, made in a database.
#ifndef STATOR_PROOF_TABLES_H_
#define STATOR_PROOF_TABLES_H_

#include "model/model.h"
#include "stator/database.h"

namespace stator::proof {

std::string NameOf(const model::Table& table);
CreateTableRequest TableRequest(const model::Table& table);

// The key attributes of an item, by name.
Item KeyOf(const model::Table& table, const Item& item);

}  // namespace stator::proof

#endif  // STATOR_PROOF_TABLES_H_
