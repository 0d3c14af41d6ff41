// Fingerprints and texts of bytes: SHA-256, HMAC-SHA256, hexadecimal, base64.
#ifndef STATOR_SYSTEMS_DOWNLOADS_DIGEST_H_
#define STATOR_SYSTEMS_DOWNLOADS_DIGEST_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace stator::systems::downloads {

// Of bytes that come in pieces.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  void Add(std::string_view bytes);
  // Raw, 32 bytes. Ends the sum.
  std::string Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string Sha256Of(std::string_view bytes);
std::string HmacSha256(std::string_view key, std::string_view text);
std::string RandomBytes(std::size_t count);

// In a time that does not tell where they differ.
bool EqualSecrets(std::string_view a, std::string_view b);

std::string Hex(std::string_view bytes);
std::string Base64(std::string_view bytes);
// nullopt if it is not canonical base64.
std::optional<std::string> FromBase64(std::string_view text);

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_DIGEST_H_
