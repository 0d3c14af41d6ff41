// Making the tables of a model that are not there.
#ifndef STATOR_ENTITY_TABLES_H_
#define STATOR_ENTITY_TABLES_H_

#include "entity/context.h"

namespace stator::entity {

EntityResult<void> CreateTables(Context& context);

}  // namespace stator::entity

#endif  // STATOR_ENTITY_TABLES_H_
