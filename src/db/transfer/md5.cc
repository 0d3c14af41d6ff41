#include "transfer/md5.h"

#include <openssl/evp.h>

#include "base/check.h"
#include "value/base64.h"

namespace stator::transfer {

struct Md5::Context {
  Context() : evp(EVP_MD_CTX_new()) {}
  ~Context() { EVP_MD_CTX_free(evp); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  EVP_MD_CTX* evp;
};

Md5::Md5() : context_(std::make_unique<Context>()) {
  STATOR_CHECK(context_->evp != nullptr);
  STATOR_CHECK(EVP_DigestInit_ex(context_->evp, EVP_md5(), nullptr) == 1);
}

Md5::~Md5() = default;

void Md5::Add(std::string_view bytes) {
  STATOR_CHECK(EVP_DigestUpdate(context_->evp, bytes.data(), bytes.size()) == 1);
}

std::string Md5::Digest() {
  std::string digest(EVP_MAX_MD_SIZE, '\0');
  unsigned int length = 0;
  STATOR_CHECK(EVP_DigestFinal_ex(context_->evp, reinterpret_cast<unsigned char*>(digest.data()),
                                  &length) == 1);
  digest.resize(length);
  return digest;
}

std::string Md5Digest(std::string_view bytes) {
  Md5 md5;
  md5.Add(bytes);
  return md5.Digest();
}

std::string ChecksumText(std::string_view digest) {
  std::string text;
  AppendBase64(text, digest);
  return text;
}

}  // namespace stator::transfer
