// Checks that every name in a model is the name of something.
#ifndef STATOR_MODEL_PARSE_REFERENCES_H_
#define STATOR_MODEL_PARSE_REFERENCES_H_

#include "model/model.h"
#include "model/parse/node.h"
#include "model/parse/problems.h"

namespace stator::model {

// Also completes the patterns: a query whose terms name one entity is of that entity, a get reads
// the table of its entity, `a.b` is a path into the map `a` if no entity is called so.
void CheckReferences(Problems& problems, const Node& document, Model& model);

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_REFERENCES_H_
