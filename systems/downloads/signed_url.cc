#include "systems/downloads/signed_url.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>

#include "systems/downloads/digest.h"

namespace stator::systems::downloads {
namespace {

std::string SignatureOf(std::string_view secret, std::string_view path, std::string_view expires) {
  return Hex(HmacSha256(secret, fmt::format("GET\n{}\n{}", path, expires)));
}

std::int64_t Seconds(TimeMs time) {
  return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}

}  // namespace

std::string SignPath(std::string_view secret, std::string_view path, TimeMs now) {
  const std::string expires = std::to_string(Seconds(now + kUrlLife));
  return fmt::format("{}?expires={}&signature={}", path, expires,
                     SignatureOf(secret, path, expires));
}

Permission JudgePath(std::string_view secret, std::string_view path, const std::string& expires,
                     const std::string& signature, TimeMs now) {
  if (!EqualSecrets(SignatureOf(secret, path, expires), signature)) return Permission::kForged;
  std::int64_t until = 0;
  std::from_chars(expires.data(), expires.data() + expires.size(), until);
  return Seconds(now) < until ? Permission::kGranted : Permission::kExpired;
}

}  // namespace stator::systems::downloads
