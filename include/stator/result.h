// Result<T>: a value, or the Error that a client would see.
#ifndef STATOR_RESULT_H_
#define STATOR_RESULT_H_

#include <expected>
#include <utility>

#include "stator/error.h"

namespace stator {

template <class T>
using Result = std::expected<T, Error>;

}  // namespace stator

#endif  // STATOR_RESULT_H_
