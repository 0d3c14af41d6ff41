// An Error as DynamoDB sends it (behaviour.md §1.5).
#ifndef STATOR_API_ERROR_BODY_H_
#define STATOR_API_ERROR_BODY_H_

#include <string>

#include "stator/error.h"

namespace stator {

int HttpStatus(const Error& error);
std::string ErrorBody(const Error& error);

}  // namespace stator

#endif  // STATOR_API_ERROR_BODY_H_
