// The rules about migrations, which migration_rules.cc puts together.
#ifndef STATOR_RULES_CHANGE_RULES_H_
#define STATOR_RULES_CHANGE_RULES_H_

#include "rules/rules.h"

namespace stator::model {

// backfill_rules.cc
extern const Rule kIndexWithoutBackfill;   // MG01
extern const Rule kBackfillBeforeWriters;  // MG02
extern const Rule kUnguardedBackfill;      // MG03

// table_update_rules.cc
extern const Rule kIndexesTogether;    // MG04
extern const Rule kIndexDroppedInUse;  // MG05

}  // namespace stator::model

#endif  // STATOR_RULES_CHANGE_RULES_H_
