// The words that DynamoDB does not accept as bare attribute names.
#ifndef STATOR_EXPR_RESERVED_WORDS_H_
#define STATOR_EXPR_RESERVED_WORDS_H_

#include <string_view>

namespace stator {

// In any case: "Name" and "NAME" are both reserved.
bool IsReservedWord(std::string_view identifier);

}  // namespace stator

#endif  // STATOR_EXPR_RESERVED_WORDS_H_
