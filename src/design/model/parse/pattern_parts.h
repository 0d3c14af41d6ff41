// What each kind of pattern says, and the code that goes with it.
#ifndef STATOR_MODEL_PARSE_PATTERN_PARTS_H_
#define STATOR_MODEL_PARSE_PATTERN_PARTS_H_

#include <vector>

#include "model/model.h"
#include "model/parse/fields.h"

namespace stator::model {

void ReadGetPattern(const Fields& fields, Pattern& pattern);
void ReadQueryPattern(const Fields& fields, Pattern& pattern);
void ReadScanPattern(const Fields& fields, Pattern& pattern);
void ReadWritePattern(const Fields& fields, Pattern& pattern);

// One request or a list of them.
std::vector<Code> ReadCode(Problems& problems, const Node& node);

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_PATTERN_PARTS_H_
