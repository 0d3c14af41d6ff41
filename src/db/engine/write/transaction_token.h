// Idempotency tokens: for ten minutes a token stands for the request that was carried out with it.
//
//   key    0x06 0x01 token:16
//   value  completed:u64 request:16 blocks:u32*     one `blocks` per action: how many blocks of
//                                                   4 KB reading its item takes
//   key    0x06 0x02 expiry:u64 token:16            in the order in which tokens expire
//   value  empty
//
// Integers are big-endian, times are milliseconds since the epoch, `token` and `request` are keyed
// hashes. Both rows are written in the commit of the transaction itself, so a token exists if and
// only if what it stands for has happened.
#ifndef STATOR_ENGINE_WRITE_TRANSACTION_TOKEN_H_
#define STATOR_ENGINE_WRITE_TRANSACTION_TOKEN_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "storage/store.h"
#include "value/key_codec.h"

namespace stator {

inline constexpr std::chrono::milliseconds kTokenLife = std::chrono::minutes(10);

struct TokenRow {
  TimeMs completed{};
  Hash128 request{};
  std::vector<std::uint32_t> blocks;

  TimeMs expiry() const { return completed + kTokenLife; }
};

std::string EncodeTokenRow(const TokenRow& row);
std::optional<TokenRow> DecodeTokenRow(std::string_view bytes);

// Equal tokens of different accounts have different hashes.
Hash128 HashToken(const KeyHasher& hasher, std::string_view account, std::string_view token);

std::string TokenKey(const Hash128& token);
std::string TokenExpiryKey(TimeMs expiry, const Hash128& token);

// Removes expired tokens. A duty of the background thread; nothing depends on when it happens, for an
// expired token is ignored even while its rows exist.
class TokenTrimmer {
 public:
  TokenTrimmer(Store& store, const Clock& clock);

  // Removes a few, and says how long it can rest.
  std::chrono::milliseconds Step();

 private:
  Store& store_;
  const Clock& clock_;
  TimeMs last_{};
  // All rows before it are gone: a scan does not walk over deleted rows again.
  std::string begin_;
};

}  // namespace stator

#endif  // STATOR_ENGINE_WRITE_TRANSACTION_TOKEN_H_
