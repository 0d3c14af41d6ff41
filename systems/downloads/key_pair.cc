#include "systems/downloads/key_pair.h"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace stator::systems::downloads {
namespace {

constexpr unsigned kBits = 2048;

using KeyPointer = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Context = std::unique_ptr<EVP_PKEY_CTX, decltype(&EVP_PKEY_CTX_free)>;
using File = std::unique_ptr<std::FILE, decltype(&std::fclose)>;

bool UseOaep(EVP_PKEY_CTX* context) {
  return EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1 &&
         EVP_PKEY_CTX_set_rsa_oaep_md(context, EVP_sha256()) == 1;
}

const unsigned char* Raw(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

std::string PrivatePath(const std::string& directory) { return directory + "/downloads.pem"; }
std::string PublicPath(const std::string& directory) { return directory + "/downloads.pub.pem"; }

}  // namespace

struct KeyPair::Key {
  KeyPointer pkey{nullptr, &EVP_PKEY_free};
};

KeyPair KeyPair::Generate() {
  auto key = std::make_shared<Key>();
  key->pkey.reset(EVP_RSA_gen(kBits));
  if (!key->pkey) std::abort();
  return KeyPair(std::move(key));
}

std::expected<KeyPair, std::string> KeyPair::LoadPrivate(const std::string& directory) {
  const std::string path = PrivatePath(directory);
  const File file(std::fopen(path.c_str(), "r"), &std::fclose);
  if (!file) return std::unexpected(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  auto key = std::make_shared<Key>();
  key->pkey.reset(PEM_read_PrivateKey(file.get(), nullptr, nullptr, nullptr));
  if (!key->pkey || EVP_PKEY_base_id(key->pkey.get()) != EVP_PKEY_RSA) {
    ERR_clear_error();
    return std::unexpected(fmt::format("{} holds no RSA key", path));
  }
  return KeyPair(std::move(key));
}

std::expected<KeyPair, std::string> KeyPair::LoadOrMake(const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  const std::string path = PrivatePath(directory);
  if (std::filesystem::exists(path, error)) return LoadPrivate(directory);
  KeyPair made = Generate();
  // Under another name first: whoever finds the file finds a whole key.
  const std::string part = fmt::format("{}.{}", path, ::getpid());
  const mode_t mask = ::umask(077);
  const auto write = [&](const std::string& to, auto&& put) {
    const File file(std::fopen(to.c_str(), "w"), &std::fclose);
    return file && put(file.get()) == 1 && std::fflush(file.get()) == 0;
  };
  EVP_PKEY* pkey = made.key_->pkey.get();
  bool written = write(part, [&](std::FILE* file) {
    return PEM_write_PrivateKey(file, pkey, nullptr, nullptr, 0, nullptr, nullptr);
  });
  written = written && write(PublicPath(directory),
                             [&](std::FILE* file) { return PEM_write_PUBKEY(file, pkey); });
  ::umask(mask);
  // Does not replace the key that another process has made meanwhile.
  const bool linked = written && (::link(part.c_str(), path.c_str()) == 0 || errno == EEXIST);
  ::unlink(part.c_str());
  if (!linked) return std::unexpected(fmt::format("cannot write the keys into {}", directory));
  return LoadPrivate(directory);
}

std::string KeyPair::Wrap(std::string_view secret) const {
  const Context context(EVP_PKEY_CTX_new(key_->pkey.get(), nullptr), &EVP_PKEY_CTX_free);
  std::size_t length = 0;
  if (!context || EVP_PKEY_encrypt_init(context.get()) != 1 || !UseOaep(context.get()) ||
      EVP_PKEY_encrypt(context.get(), nullptr, &length, Raw(secret), secret.size()) != 1) {
    std::abort();
  }
  std::string wrapped(length, '\0');
  if (EVP_PKEY_encrypt(context.get(), reinterpret_cast<unsigned char*>(wrapped.data()), &length,
                       Raw(secret), secret.size()) != 1) {
    std::abort();
  }
  wrapped.resize(length);
  return wrapped;
}

std::optional<std::string> KeyPair::Unwrap(std::string_view wrapped) const {
  const Context context(EVP_PKEY_CTX_new(key_->pkey.get(), nullptr), &EVP_PKEY_CTX_free);
  if (!context || EVP_PKEY_decrypt_init(context.get()) != 1 || !UseOaep(context.get())) {
    std::abort();
  }
  const auto size = static_cast<std::size_t>(EVP_PKEY_get_size(key_->pkey.get()));
  std::string secret(size, '\0');
  std::size_t length = size;
  if (wrapped.size() != size ||
      EVP_PKEY_decrypt(context.get(), reinterpret_cast<unsigned char*>(secret.data()), &length,
                       Raw(wrapped), wrapped.size()) != 1) {
    ERR_clear_error();
    return std::nullopt;
  }
  secret.resize(length);
  return secret;
}

}  // namespace stator::systems::downloads
