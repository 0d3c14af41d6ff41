// Addresses that prove themselves and die: PATH?expires=SECONDS&signature=HMAC.
#ifndef STATOR_SYSTEMS_DOWNLOADS_SIGNED_URL_H_
#define STATOR_SYSTEMS_DOWNLOADS_SIGNED_URL_H_

#include <chrono>
#include <string>
#include <string_view>

#include "stator/clock.h"

namespace stator::systems::downloads {

inline constexpr std::chrono::minutes kUrlLife{30};

// "/files/x?expires=1772267400&signature=…"
std::string SignPath(std::string_view secret, std::string_view path, TimeMs now);

enum class Permission { kGranted, kForged, kExpired };
Permission JudgePath(std::string_view secret, std::string_view path, const std::string& expires,
                     const std::string& signature, TimeMs now);

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_SIGNED_URL_H_
