// The cryptography of the pipeline: checksums and signatures, encrypted files, wrapped keys.
#ifndef STATOR_SYSTEMS_DOWNLOADS_CRYPTO_H_
#define STATOR_SYSTEMS_DOWNLOADS_CRYPTO_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "systems/program/fallible.h"

namespace stator::systems::downloads {

// SHA-256 of bytes that come in pieces.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  void Add(std::string_view bytes);
  // 32 raw bytes. Nothing can be added after it.
  std::string Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string Sha256Of(std::string_view bytes);
std::string HmacSha256(std::string_view key, std::string_view text);
std::string RandomBytes(std::size_t count);

// Compares in a time that does not tell where they differ.
bool EqualSecrets(std::string_view a, std::string_view b);

// AES-256-CBC with PKCS#7 padding, for files that come in pieces. CBC hides what is in a file and
// does not prove it: the receiver must compare the file's checksum.
inline constexpr std::size_t kAesKeyBytes = 32;
inline constexpr std::size_t kAesIvBytes = 16;

// How long an encrypted file is: padding is always added.
constexpr std::int64_t EncryptedBytes(std::int64_t plain_bytes) {
  return (plain_bytes / 16 + 1) * 16;
}

class Encryptor {
 public:
  // REQUIRES: a key and an IV of the sizes above.
  Encryptor(std::string_view key, std::string_view iv);
  ~Encryptor();

  // Both append to `encrypted`.
  void Add(std::string_view plain, std::string& encrypted);
  void Finish(std::string& encrypted);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The whole of a file that is in memory.
std::string Encrypt(std::string_view key, std::string_view iv, std::string_view plain);

class Decryptor {
 public:
  // REQUIRES: a key and an IV of the sizes above.
  Decryptor(std::string_view key, std::string_view iv);
  ~Decryptor();

  // Appends to `plain`. False if these are not the bytes of an encrypted file.
  bool Add(std::string_view encrypted, std::string& plain);
  // Appends the rest. False if the file does not end as it must, or the key is wrong.
  bool Finish(std::string& plain);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The RSA keys of the pipeline: the source wraps each file's AES key for the downloaders, who alone
// can unwrap it (OAEP with SHA-256). Thread-safe.
class KeyPair {
 public:
  static KeyPair Generate();
  // DIR/downloads.pem, and DIR/downloads.pub.pem beside it; created if they do not exist.
  static Fallible<KeyPair> LoadOrGenerate(const std::string& directory);
  static Fallible<KeyPair> LoadPrivate(const std::string& directory);

  std::string Wrap(std::string_view secret) const;
  // nullopt if it was not wrapped for this pair.
  std::optional<std::string> Unwrap(std::string_view wrapped) const;

 private:
  struct Key;
  explicit KeyPair(std::shared_ptr<const Key> key) : key_(std::move(key)) {}
  std::shared_ptr<const Key> key_;
};

// The secret of a source: it signs addresses, and every file's AES key follows from it.
// DIR/source.secret; created if it does not exist.
Fallible<std::string> LoadOrGenerateSecret(const std::string& directory);

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_CRYPTO_H_
