// Bytes as text: hexadecimal and base64.
#ifndef STATOR_SYSTEMS_PROGRAM_BYTES_TEXT_H_
#define STATOR_SYSTEMS_PROGRAM_BYTES_TEXT_H_

#include <optional>
#include <string>
#include <string_view>

namespace stator::systems {

std::string Hex(std::string_view bytes);
std::string Base64(std::string_view bytes);
// nullopt if it is not canonical base64 of at most 1,000,000 characters.
std::optional<std::string> FromBase64(std::string_view text);

// Bytes as OpenSSL takes them.
inline const unsigned char* Raw(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}
inline unsigned char* Raw(std::string& bytes) {
  return reinterpret_cast<unsigned char*>(bytes.data());
}

}  // namespace stator::systems

#endif  // STATOR_SYSTEMS_PROGRAM_BYTES_TEXT_H_
