// The times that requests are signed with.
#ifndef STATOR_AUTH_REQUEST_TIME_H_
#define STATOR_AUTH_REQUEST_TIME_H_

#include <chrono>
#include <optional>
#include <string_view>

namespace stator {

// "20150830T123600Z"
std::optional<std::chrono::sys_seconds> ParseAmzDate(std::string_view text);

// "Sun, 30 Aug 2015 12:36:00 GMT", as the Date header has it. The day of the week is not checked.
std::optional<std::chrono::sys_seconds> ParseHttpDate(std::string_view text);

}  // namespace stator

#endif  // STATOR_AUTH_REQUEST_TIME_H_
