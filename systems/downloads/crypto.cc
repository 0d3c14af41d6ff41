#include "systems/downloads/crypto.h"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <tuple>

#include "systems/program/text.h"

namespace stator::systems::downloads {
namespace {

constexpr std::size_t kSha256Bytes = 32;

// OpenSSL fails here only when the machine has no memory or no randomness left.
void Require(bool worked) {
  if (!worked) std::abort();
}

using CipherContext = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;

CipherContext NewCipher() { return {EVP_CIPHER_CTX_new(), &EVP_CIPHER_CTX_free}; }

// OpenSSL takes lengths as int.
constexpr std::size_t kPieceMax = std::size_t{1} << 20;

using CipherStep = int (*)(EVP_CIPHER_CTX*, unsigned char*, int*, const unsigned char*, int);

bool FeedCipher(EVP_CIPHER_CTX* context, CipherStep step, std::string_view in, std::string& out) {
  while (!in.empty()) {
    const std::string_view piece = in.substr(0, kPieceMax);
    const std::size_t before = out.size();
    out.resize(before + piece.size() + EVP_MAX_BLOCK_LENGTH);
    int length = 0;
    if (step(context, Raw(out) + before, &length, Raw(piece), static_cast<int>(piece.size())) !=
        1) {
      return false;
    }
    out.resize(before + static_cast<std::size_t>(length));
    in.remove_prefix(piece.size());
  }
  return true;
}

bool EndCipher(EVP_CIPHER_CTX* context, int (*step)(EVP_CIPHER_CTX*, unsigned char*, int*),
               std::string& out) {
  const std::size_t before = out.size();
  out.resize(before + EVP_MAX_BLOCK_LENGTH);
  int length = 0;
  const bool worked = step(context, Raw(out) + before, &length) == 1;
  out.resize(before + (worked ? static_cast<std::size_t>(length) : 0));
  return worked;
}

constexpr unsigned kBits = 2048;

using KeyPointer = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, decltype(&EVP_PKEY_CTX_free)>;
using File = std::unique_ptr<std::FILE, decltype(&std::fclose)>;

bool UseOaep(EVP_PKEY_CTX* context) {
  return EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1 &&
         EVP_PKEY_CTX_set_rsa_oaep_md(context, EVP_sha256()) == 1;
}

std::string PrivatePath(const std::string& directory) { return directory + "/downloads.pem"; }
std::string PublicPath(const std::string& directory) { return directory + "/downloads.pub.pem"; }

}  // namespace

struct Sha256::State {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(),
                                                                  &EVP_MD_CTX_free};
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  Require(state_->context && EVP_DigestInit_ex(state_->context.get(), EVP_sha256(), nullptr) == 1);
}

Sha256::~Sha256() = default;

void Sha256::Add(std::string_view bytes) {
  Require(EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()) == 1);
}

std::string Sha256::Finish() {
  std::string digest(kSha256Bytes, '\0');
  Require(EVP_DigestFinal_ex(state_->context.get(), Raw(digest), nullptr) == 1);
  return digest;
}

std::string Sha256Of(std::string_view bytes) {
  Sha256 sum;
  sum.Add(bytes);
  return sum.Finish();
}

std::string HmacSha256(std::string_view key, std::string_view text) {
  std::string digest(kSha256Bytes, '\0');
  Require(HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), Raw(text), text.size(),
               Raw(digest), nullptr) != nullptr);
  return digest;
}

std::string RandomBytes(std::size_t count) {
  std::string bytes(count, '\0');
  Require(RAND_bytes(Raw(bytes), static_cast<int>(count)) == 1);
  return bytes;
}

bool EqualSecrets(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

struct Encryptor::State {
  CipherContext context = NewCipher();
};

Encryptor::Encryptor(std::string_view key, std::string_view iv)
    : state_(std::make_unique<State>()) {
  Require(key.size() == kAesKeyBytes && iv.size() == kAesIvBytes && state_->context &&
          EVP_EncryptInit_ex(state_->context.get(), EVP_aes_256_cbc(), nullptr, Raw(key),
                             Raw(iv)) == 1);
}

Encryptor::~Encryptor() = default;

void Encryptor::Add(std::string_view plain, std::string& encrypted) {
  Require(FeedCipher(state_->context.get(), &EVP_EncryptUpdate, plain, encrypted));
}

void Encryptor::Finish(std::string& encrypted) {
  Require(EndCipher(state_->context.get(), &EVP_EncryptFinal_ex, encrypted));
}

std::string Encrypt(std::string_view key, std::string_view iv, std::string_view plain) {
  Encryptor encryptor(key, iv);
  std::string encrypted;
  encryptor.Add(plain, encrypted);
  encryptor.Finish(encrypted);
  return encrypted;
}

struct Decryptor::State {
  CipherContext context = NewCipher();
};

Decryptor::Decryptor(std::string_view key, std::string_view iv)
    : state_(std::make_unique<State>()) {
  if (key.size() != kAesKeyBytes || iv.size() != kAesIvBytes || !state_->context ||
      EVP_DecryptInit_ex(state_->context.get(), EVP_aes_256_cbc(), nullptr, Raw(key), Raw(iv)) !=
          1) {
    std::abort();
  }
}

Decryptor::~Decryptor() = default;

bool Decryptor::Add(std::string_view encrypted, std::string& plain) {
  return FeedCipher(state_->context.get(), &EVP_DecryptUpdate, encrypted, plain);
}

bool Decryptor::Finish(std::string& plain) {
  return EndCipher(state_->context.get(), &EVP_DecryptFinal_ex, plain);
}

struct KeyPair::Key {
  KeyPointer pkey{nullptr, &EVP_PKEY_free};
};

KeyPair KeyPair::Generate() {
  auto key = std::make_shared<Key>();
  key->pkey.reset(EVP_RSA_gen(kBits));
  if (!key->pkey) std::abort();
  return KeyPair(std::move(key));
}

Fallible<KeyPair> KeyPair::LoadPrivate(const std::string& directory) {
  const std::string path = PrivatePath(directory);
  const File file(std::fopen(path.c_str(), "r"), &std::fclose);
  if (!file) return std::unexpected(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  auto key = std::make_shared<Key>();
  key->pkey.reset(PEM_read_PrivateKey(file.get(), nullptr, nullptr, nullptr));
  if (!key->pkey || EVP_PKEY_base_id(key->pkey.get()) != EVP_PKEY_RSA) {
    ERR_clear_error();
    return std::unexpected(fmt::format("{} does not hold an RSA key", path));
  }
  return KeyPair(std::move(key));
}

Fallible<KeyPair> KeyPair::LoadOrGenerate(const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  const std::string path = PrivatePath(directory);
  if (std::filesystem::exists(path, error)) return LoadPrivate(directory);
  KeyPair generated = Generate();
  // Under another name first, so that nobody finds half a key.
  const std::string part = fmt::format("{}.{}", path, ::getpid());
  const mode_t mask = ::umask(077);
  const auto write = [&](const std::string& to, auto&& put) {
    const File file(std::fopen(to.c_str(), "w"), &std::fclose);
    return file && put(file.get()) == 1 && std::fflush(file.get()) == 0;
  };
  EVP_PKEY* pkey = generated.key_->pkey.get();
  bool written = write(part, [&](std::FILE* file) {
    return PEM_write_PrivateKey(file, pkey, nullptr, nullptr, 0, nullptr, nullptr);
  });
  written = written && write(PublicPath(directory),
                             [&](std::FILE* file) { return PEM_write_PUBKEY(file, pkey); });
  ::umask(mask);
  // Does not replace the key that another process has created meanwhile.
  const bool linked = written && (::link(part.c_str(), path.c_str()) == 0 || errno == EEXIST);
  ::unlink(part.c_str());
  if (!linked) return std::unexpected(fmt::format("cannot write the keys into {}", directory));
  return LoadPrivate(directory);
}

Fallible<std::string> LoadOrGenerateSecret(const std::string& directory) {
  const std::string path = directory + "/source.secret";
  const std::string part = fmt::format("{}.{}", path, ::getpid());
  const mode_t mask = ::umask(077);
  bool written = false;
  if (const File file(std::fopen(part.c_str(), "w"), &std::fclose); file) {
    written =
        std::fputs(Hex(RandomBytes(32)).c_str(), file.get()) >= 0 && std::fflush(file.get()) == 0;
  }
  ::umask(mask);
  // Does not replace one that is there.
  if (written) std::ignore = ::link(part.c_str(), path.c_str());
  ::unlink(part.c_str());
  const File file(std::fopen(path.c_str(), "r"), &std::fclose);
  std::string secret(64, '\0');
  if (!file || std::fread(secret.data(), 1, secret.size(), file.get()) != secret.size()) {
    return std::unexpected(fmt::format("cannot read or write the secret {}", path));
  }
  return secret;
}

std::string KeyPair::Wrap(std::string_view secret) const {
  const KeyContext context(EVP_PKEY_CTX_new(key_->pkey.get(), nullptr), &EVP_PKEY_CTX_free);
  std::size_t length = 0;
  if (!context || EVP_PKEY_encrypt_init(context.get()) != 1 || !UseOaep(context.get()) ||
      EVP_PKEY_encrypt(context.get(), nullptr, &length, Raw(secret), secret.size()) != 1) {
    std::abort();
  }
  std::string wrapped(length, '\0');
  if (EVP_PKEY_encrypt(context.get(), Raw(wrapped), &length, Raw(secret), secret.size()) != 1) {
    std::abort();
  }
  wrapped.resize(length);
  return wrapped;
}

std::optional<std::string> KeyPair::Unwrap(std::string_view wrapped) const {
  const KeyContext context(EVP_PKEY_CTX_new(key_->pkey.get(), nullptr), &EVP_PKEY_CTX_free);
  if (!context || EVP_PKEY_decrypt_init(context.get()) != 1 || !UseOaep(context.get())) {
    std::abort();
  }
  const auto size = static_cast<std::size_t>(EVP_PKEY_get_size(key_->pkey.get()));
  std::string secret(size, '\0');
  std::size_t length = size;
  if (wrapped.size() != size ||
      EVP_PKEY_decrypt(context.get(), Raw(secret), &length, Raw(wrapped), wrapped.size()) != 1) {
    ERR_clear_error();
    return std::nullopt;
  }
  secret.resize(length);
  return secret;
}

}  // namespace stator::systems::downloads
