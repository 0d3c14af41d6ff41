// AES-256-CBC with PKCS#7 padding, of files that come in pieces.
//
// CBC hides what is in a file and does not prove it: whoever decrypts compares the file's checksum.
#ifndef STATOR_SYSTEMS_DOWNLOADS_CIPHER_H_
#define STATOR_SYSTEMS_DOWNLOADS_CIPHER_H_

#include <memory>
#include <string>
#include <string_view>

namespace stator::systems::downloads {

inline constexpr std::size_t kAesKeyBytes = 32;
inline constexpr std::size_t kAesIvBytes = 16;

// REQUIRES: a key and an IV of the sizes above.
std::string Encrypt(std::string_view key, std::string_view iv, std::string_view plain);

class Decryptor {
 public:
  // REQUIRES: a key and an IV of the sizes above.
  Decryptor(std::string_view key, std::string_view iv);
  ~Decryptor();

  // Appends to `plain`. False: these are not the bytes of an encrypted file.
  bool Add(std::string_view encrypted, std::string& plain);
  // The rest. False: the file does not end as it must, or the key is another.
  bool Finish(std::string& plain);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_CIPHER_H_
