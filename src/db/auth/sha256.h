// SHA-256 and HMAC-SHA256, with contexts that each thread uses again.
#ifndef STATOR_AUTH_SHA256_H_
#define STATOR_AUTH_SHA256_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace stator {

using Sha256Digest = std::array<std::uint8_t, 32>;

Sha256Digest Sha256(std::string_view text);

Sha256Digest HmacSha256(std::span<const std::uint8_t> key, std::string_view text);

// In lower case.
void AppendHex(std::string& out, const Sha256Digest& digest);
std::string Hex(const Sha256Digest& digest);

// Takes as long for equal texts as for others of their length.
bool EqualInConstantTime(std::string_view a, std::string_view b);

}  // namespace stator

#endif  // STATOR_AUTH_SHA256_H_
