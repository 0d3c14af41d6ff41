#include "systems/downloads/cipher.h"

#include <openssl/evp.h>

#include <algorithm>
#include <cstdlib>

namespace stator::systems::downloads {
namespace {

using CipherContext = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;

CipherContext NewContext() { return {EVP_CIPHER_CTX_new(), &EVP_CIPHER_CTX_free}; }

const unsigned char* Raw(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

// OpenSSL takes lengths as int.
constexpr std::size_t kPieceMax = std::size_t{1} << 20;

using Step = int (*)(EVP_CIPHER_CTX*, unsigned char*, int*, const unsigned char*, int);

bool Feed(EVP_CIPHER_CTX* context, Step step, std::string_view in, std::string& out) {
  while (!in.empty()) {
    const std::string_view piece = in.substr(0, kPieceMax);
    const std::size_t before = out.size();
    out.resize(before + piece.size() + EVP_MAX_BLOCK_LENGTH);
    int length = 0;
    if (step(context, reinterpret_cast<unsigned char*>(out.data()) + before, &length, Raw(piece),
             static_cast<int>(piece.size())) != 1) {
      return false;
    }
    out.resize(before + static_cast<std::size_t>(length));
    in.remove_prefix(piece.size());
  }
  return true;
}

bool End(EVP_CIPHER_CTX* context, int (*step)(EVP_CIPHER_CTX*, unsigned char*, int*),
         std::string& out) {
  const std::size_t before = out.size();
  out.resize(before + EVP_MAX_BLOCK_LENGTH);
  int length = 0;
  const bool worked =
      step(context, reinterpret_cast<unsigned char*>(out.data()) + before, &length) == 1;
  out.resize(before + (worked ? static_cast<std::size_t>(length) : 0));
  return worked;
}

}  // namespace

std::string Encrypt(std::string_view key, std::string_view iv, std::string_view plain) {
  const CipherContext context = NewContext();
  std::string encrypted;
  if (key.size() != kAesKeyBytes || iv.size() != kAesIvBytes || !context ||
      EVP_EncryptInit_ex(context.get(), EVP_aes_256_cbc(), nullptr, Raw(key), Raw(iv)) != 1 ||
      !Feed(context.get(), &EVP_EncryptUpdate, plain, encrypted) ||
      !End(context.get(), &EVP_EncryptFinal_ex, encrypted)) {
    std::abort();
  }
  return encrypted;
}

struct Decryptor::State {
  CipherContext context = NewContext();
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
  return Feed(state_->context.get(), &EVP_DecryptUpdate, encrypted, plain);
}

bool Decryptor::Finish(std::string& plain) {
  return End(state_->context.get(), &EVP_DecryptFinal_ex, plain);
}

}  // namespace stator::systems::downloads
