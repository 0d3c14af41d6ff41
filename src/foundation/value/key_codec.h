// Key parts whose byte order is DynamoDB's order, and the hash that names a partition.
//
//   part := number                             N: value/number.h, self-delimiting
//         | (byte | 0x00 0xFF)* 0x00 0x01      S and B: 0x00 is escaped, 0x00 0x01 ends the part
//
// No part is a prefix of another part, so parts can be concatenated.
#ifndef STATOR_VALUE_KEY_CODEC_H_
#define STATOR_VALUE_KEY_CODEC_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "stator/item.h"

namespace stator {

// REQUIRES: S, N or B.
void AppendKeyPart(std::string& out, ValueView value);

// What every part beginning with `prefix` (raw bytes of an S or B) begins with.
void AppendKeyPrefix(std::string& out, std::string_view prefix);

// The smallest string greater than every string that starts with `prefix`; empty if there is none.
std::string PrefixEnd(std::string_view prefix);

using Hash128 = std::array<char, 16>;

// Keyed with a secret of the database, so that no client can choose keys that collide.
class KeyHasher {
 public:
  static constexpr std::size_t kSecretBytes = 192;
  explicit KeyHasher(std::span<const char, kSecretBytes> secret);

  // Hash of the key parts in order (one for a simple partition key, up to four for an index, the
  // whole primary key for the tail of an index entry). Equal keys, equal hashes: 1 and 1.0 are one
  // key.
  Hash128 Hash(std::span<const ValueView> parts) const;
  Hash128 HashBytes(std::string_view bytes) const;

 private:
  std::array<char, kSecretBytes> secret_;
};

// A hash of plain bytes, for names that must be distinct and need not be secret: anyone who knows
// the bytes can compute it.
Hash128 HashBytes(std::string_view bytes);

}  // namespace stator

#endif  // STATOR_VALUE_KEY_CODEC_H_
