// How large the values of an attribute are, from what the model says of it.
#ifndef STATOR_MODEL_PARSE_ATTRIBUTE_SIZE_H_
#define STATOR_MODEL_PARSE_ATTRIBUTE_SIZE_H_

#include "model/attribute.h"

namespace stator::model {

// Bytes of a number of so many digits.
double NumberBytes(double digits);

// Sets `bytes` of an attribute whose text states no amount: by its enum, its unit, its counters, its
// range, or a guess by its type. `size_stated` tells a guess from what follows from the model.
void SetDefaultSize(Attribute& attribute);

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_ATTRIBUTE_SIZE_H_
