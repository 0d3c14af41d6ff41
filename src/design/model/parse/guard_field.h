// `guard:` of writes and of backfills.
#ifndef STATOR_MODEL_PARSE_GUARD_FIELD_H_
#define STATOR_MODEL_PARSE_GUARD_FIELD_H_

#include <optional>

#include "model/model.h"
#include "model/parse/node.h"
#include "model/parse/problems.h"

namespace stator::model {

// exists, not_exists, version, none; anything else is a predicate, put into `condition`. A null
// `condition` allows none.
Guard ReadGuard(Problems& problems, const Node& node, std::optional<Predicate>* condition);

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_GUARD_FIELD_H_
