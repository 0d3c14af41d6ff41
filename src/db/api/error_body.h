// An Error as DynamoDB sends it (behaviour.md §1.5).
#ifndef STATOR_API_ERROR_BODY_H_
#define STATOR_API_ERROR_BODY_H_

#include <cstddef>
#include <string>

#include "stator/error.h"

namespace stator {

// An error's texts quote what was sent, which may be long: this is how many bytes of a body they may take,
// beyond which they are cut. An item that the client has asked for is not cut.
inline constexpr std::size_t kErrorTextBytesMax = std::size_t{56} << 10;

int HttpStatus(const Error& error);
std::string ErrorBody(const Error& error);

}  // namespace stator

#endif  // STATOR_API_ERROR_BODY_H_
