// What a model says without writing it down: the sizes of attributes, keys and attributes that
// follow from other parts.
#ifndef STATOR_MODEL_PARSE_IMPLIED_H_
#define STATOR_MODEL_PARSE_IMPLIED_H_

#include "model/model.h"

namespace stator::model {

class Problems;

// Bytes of a number with that many digits.
double NumberBytes(double digits);

// Sets `bytes` of an attribute whose text states no amount: from its enum, its unit, its counters,
// its range, or as a guess from its type. `size_stated` is false for a guess only.
void SetDefaultSize(Attribute& attribute);

// Adds to every entity, where the file does not have them:
//   - the machine's attribute, as an enum of its states;
//   - a template "{name}" for each key attribute of its table, and for each key attribute of an index
//     that the entity has as an attribute;
//   - attributes that only templates, the machine, `version` or `ttl` name (implicit);
//   - the table's time to live, if the entity has that attribute; `ttl: none` becomes empty.
// A name that is one edit away from a declared one is reported as a mistake instead.
void AddImpliedParts(Problems& problems, Model& model);

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_IMPLIED_H_
