// What a model says without writing it down.
#ifndef STATOR_MODEL_PARSE_IMPLIED_PARTS_H_
#define STATOR_MODEL_PARSE_IMPLIED_PARTS_H_

#include "model/model.h"
#include "model/parse/problems.h"

namespace stator::model {

// Adds to every entity, where the file does not have them:
//   - the machine's attribute, as an enum of its states;
//   - a template "{name}" for each key attribute of its table, and for each key attribute of an index
//     that the entity has as an attribute;
//   - attributes that only templates, the machine, `version` or `ttl` name (implicit);
//   - the table's time to live, if the entity has that attribute; `ttl: none` becomes none.
// A name that nearly is a declared one is reported as a mistake instead.
void AddImpliedParts(Problems& problems, Model& model);

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_IMPLIED_PARTS_H_
