// Answers that are not 200 as Errors.
#ifndef STATOR_CLIENT_WIRE_ERROR_H_
#define STATOR_CLIENT_WIRE_ERROR_H_

#include <string_view>

#include "stator/error.h"

namespace stator {

// {"__type": "prefix#Name", "message": …, "Item": …, "CancellationReasons": […]}. Members that the body
// lacks are empty. A body that is not such JSON (a proxy's page) gives InternalServerError or, below
// 500, an error of code kOther, with the status in its message.
Error ErrorFromAnswer(int http_status, std::string_view body);

}  // namespace stator

#endif  // STATOR_CLIENT_WIRE_ERROR_H_
