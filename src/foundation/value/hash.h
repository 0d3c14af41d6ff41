// A hash of plain bytes, for names that must be distinct and need not be secret.
#ifndef STATOR_VALUE_HASH_H_
#define STATOR_VALUE_HASH_H_

#include <string_view>

#include "value/key_codec.h"

namespace stator {

// Not a signature: whoever knows the bytes knows the hash.
Hash128 HashBytes(std::string_view bytes);

}  // namespace stator

#endif  // STATOR_VALUE_HASH_H_
