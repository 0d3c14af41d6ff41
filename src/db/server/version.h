// The version of the program, as in the project() line of CMakeLists.txt (a test compares them).
#ifndef STATOR_SERVER_VERSION_H_
#define STATOR_SERVER_VERSION_H_

#include <string_view>

namespace stator::server {

inline constexpr std::string_view kVersion = "0.1.0";

}  // namespace stator::server

#endif  // STATOR_SERVER_VERSION_H_
