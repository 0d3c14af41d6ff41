// The ValidationException of most rules about tables: "One or more parameter values were invalid:
// …".
#ifndef STATOR_API_INVALID_VALUE_H_
#define STATOR_API_INVALID_VALUE_H_

#include <fmt/format.h>

#include <string>
#include <utility>

#include "api/request_rules.h"
#include "stator/result.h"

namespace stator {

//   return InvalidValue("Duplicate index name: {}", name);
template <class... Arguments>
std::unexpected<Error> InvalidValue(fmt::format_string<Arguments...> format,
                                    Arguments&&... arguments) {
  std::string message(kInvalidValues);
  fmt::format_to(std::back_inserter(message), format, std::forward<Arguments>(arguments)...);
  return std::unexpected(Error::Validation(std::move(message)));
}

}  // namespace stator

#endif  // STATOR_API_INVALID_VALUE_H_
