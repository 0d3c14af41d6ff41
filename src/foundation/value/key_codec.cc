#include "value/key_codec.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>

namespace stator {
namespace {

constexpr char kEscape = '\0';
constexpr char kEscapedZero = '\xFF';
constexpr char kEnd = '\x01';

static_assert(KeyHasher::kSecretBytes >= XXH3_SECRET_SIZE_MIN);

}  // namespace

void AppendKeyPart(std::string& out, ValueView value) {
  if (value.type() == Type::kN) {
    out.append(value.number());
    return;
  }
  AppendKeyPrefix(out, value.B());
  out.push_back(kEscape);
  out.push_back(kEnd);
}

void AppendKeyPrefix(std::string& out, std::string_view prefix) {
  while (true) {
    const std::size_t zero = prefix.find('\0');
    if (zero == std::string_view::npos) break;
    out.append(prefix.substr(0, zero));
    out.push_back(kEscape);
    out.push_back(kEscapedZero);
    prefix.remove_prefix(zero + 1);
  }
  out.append(prefix);
}

std::string PrefixEnd(std::string_view prefix) {
  const std::size_t last = prefix.find_last_not_of('\xFF');
  if (last == std::string_view::npos) return {};
  std::string end(prefix.substr(0, last + 1));
  end.back() = static_cast<char>(static_cast<unsigned char>(end.back()) + 1);
  return end;
}

KeyHasher::KeyHasher(std::span<const char, kSecretBytes> secret) {
  std::copy(secret.begin(), secret.end(), secret_.begin());
}

Hash128 KeyHasher::Hash(std::span<const ValueView> parts) const {
  // Keys are at most a few kilobytes; the buffer is kept to spare an allocation a call.
  constexpr std::size_t kKeptBytes = 1 << 16;
  thread_local std::string key;
  if (key.capacity() > kKeptBytes) key = std::string();
  key.clear();
  for (const ValueView part : parts) AppendKeyPart(key, part);
  return HashBytes(key);
}

Hash128 KeyHasher::HashBytes(std::string_view bytes) const {
  const XXH128_hash_t hash =
      XXH3_128bits_withSecret(bytes.data(), bytes.size(), secret_.data(), secret_.size());
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, hash);
  Hash128 result;
  std::memcpy(result.data(), canonical.digest, result.size());
  return result;
}

Hash128 HashBytes(std::string_view bytes) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  Hash128 hash;
  std::memcpy(hash.data(), canonical.digest, hash.size());
  return hash;
}

}  // namespace stator
