#include "value/hash.h"

#include <xxhash.h>

#include <cstring>

namespace stator {

Hash128 HashBytes(std::string_view bytes) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  Hash128 hash;
  std::memcpy(hash.data(), canonical.digest, hash.size());
  return hash;
}

}  // namespace stator
