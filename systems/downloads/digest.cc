#include "systems/downloads/digest.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <array>
#include <cstdlib>

namespace stator::systems::downloads {
namespace {

constexpr std::size_t kSha256Bytes = 32;

const unsigned char* Raw(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}
unsigned char* Raw(std::string& bytes) { return reinterpret_cast<unsigned char*>(bytes.data()); }

// OpenSSL fails here only when the machine has no memory or no randomness left.
void Require(bool worked) {
  if (!worked) std::abort();
}

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

std::string Hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string Base64(std::string_view bytes) {
  // EncodeBlock ends its text with a zero byte.
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');
  const int length = EVP_EncodeBlock(Raw(text), Raw(bytes), static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(length));
  return text;
}

std::optional<std::string> FromBase64(std::string_view text) {
  if (text.size() % 4 != 0 || text.size() > 1'000'000) return std::nullopt;
  std::string bytes(text.size() / 4 * 3, '\0');
  const int length = EVP_DecodeBlock(Raw(bytes), Raw(text), static_cast<int>(text.size()));
  if (length < 0) return std::nullopt;
  // DecodeBlock counts the padding as zero bytes.
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  bytes.resize(static_cast<std::size_t>(length) - padding);
  if (Base64(bytes) != text) return std::nullopt;
  return bytes;
}

}  // namespace stator::systems::downloads
