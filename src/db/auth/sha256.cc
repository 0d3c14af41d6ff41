#include "auth/sha256.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <memory>

#include "base/check.h"

namespace stator {
namespace {

// Looking an algorithm up takes OpenSSL a lock and longer than hashing a small request: once for
// the process, and a context for each thread.
const EVP_MD* Algorithm() {
  static const EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  STATOR_CHECK(algorithm != nullptr);
  return algorithm;
}

using HashContext = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;
using MacContext = std::unique_ptr<EVP_MAC_CTX, decltype(&EVP_MAC_CTX_free)>;

MacContext NewMacContext() {
  static EVP_MAC* const hmac = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
  STATOR_CHECK(hmac != nullptr);
  MacContext context(EVP_MAC_CTX_new(hmac), &EVP_MAC_CTX_free);
  char digest[] = "SHA256";
  const OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
      OSSL_PARAM_construct_end()};
  STATOR_CHECK(context && EVP_MAC_CTX_set_params(context.get(), parameters) == 1);
  return context;
}

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

Sha256Digest Sha256(std::string_view text) {
  thread_local const HashContext context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  Sha256Digest digest{};
  STATOR_CHECK(EVP_DigestInit_ex2(context.get(), Algorithm(), nullptr) == 1 &&
               EVP_DigestUpdate(context.get(), text.data(), text.size()) == 1 &&
               EVP_DigestFinal_ex(context.get(), digest.data(), nullptr) == 1);
  return digest;
}

Sha256Digest HmacSha256(std::span<const std::uint8_t> key, std::string_view text) {
  thread_local const MacContext context = NewMacContext();
  Sha256Digest digest{};
  std::size_t size = 0;
  STATOR_CHECK(EVP_MAC_init(context.get(), key.data(), key.size(), nullptr) == 1 &&
               EVP_MAC_update(context.get(), Bytes(text), text.size()) == 1 &&
               EVP_MAC_final(context.get(), digest.data(), &size, digest.size()) == 1);
  return digest;
}

void AppendHex(std::string& out, const Sha256Digest& digest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (const std::uint8_t byte : digest) {
    out.push_back(kDigits[byte >> 4]);
    out.push_back(kDigits[byte & 15]);
  }
}

std::string Hex(const Sha256Digest& digest) {
  std::string text;
  text.reserve(2 * digest.size());
  AppendHex(text, digest);
  return text;
}

bool EqualInConstantTime(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace stator
