#include "engine/write/transaction_token.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/big_endian.h"
#include "base/log.h"
#include "engine/catalog/row_key.h"
#include "engine/store_access.h"

namespace stator {
namespace {

constexpr char kByToken = 0x01;
constexpr char kByExpiry = 0x02;
constexpr std::size_t kTimeBytes = 8;
constexpr std::size_t kBlocksBytes = 4;
// Adding a token's life to it does not overflow.
constexpr std::uint64_t kMaxTime = std::uint64_t{1} << 62;
constexpr std::size_t kHeadBytes = kTimeBytes + sizeof(Hash128);
constexpr std::size_t kExpiryKeyBytes = 2 + kTimeBytes + sizeof(Hash128);

// One slice of trimming occupies the writer for well below a millisecond.
constexpr std::size_t kTokensPerSlice = 256;
constexpr std::chrono::milliseconds kRestOfTrimmer{1000};

Hash128 ReadHash(std::string_view bytes) {
  Hash128 hash;
  std::copy_n(bytes.begin(), hash.size(), hash.begin());
  return hash;
}

std::string ExpiryStart(TimeMs expiry) {
  std::string key{kTokenSpace, kByExpiry};
  AppendBigEndian(key, static_cast<std::uint64_t>(EpochMs(expiry)), kTimeBytes);
  return key;
}

// Leaves the row of a token that was used again after it had expired.
class TrimMutation final : public Mutation {
 public:
  explicit TrimMutation(std::vector<std::string> expiry_keys)
      : expiry_keys_(std::move(expiry_keys)) {
    token_keys_.reserve(expiry_keys_.size());
    for (const std::string& key : expiry_keys_) {
      token_keys_.push_back(TokenKey(ReadHash(std::string_view(key).substr(2 + kTimeBytes))));
    }
  }

  std::span<const std::string> Keys() const override { return token_keys_; }
  Verdict Decide(std::span<const std::optional<std::string_view>> values,
                 WriteBatch& batch) override {
    for (std::size_t i = 0; i < expiry_keys_.size(); ++i) {
      const auto due = static_cast<std::int64_t>(
          ReadBigEndian(std::string_view(expiry_keys_[i]).substr(2, kTimeBytes)));
      const std::optional<TokenRow> row = values[i] ? DecodeTokenRow(*values[i]) : std::nullopt;
      const bool is_renewed = row && EpochMs(row->expiry()) > due;
      if (values[i] && !is_renewed) batch.Delete(token_keys_[i]);
      batch.Delete(expiry_keys_[i]);
    }
    return Verdict::kCommit;
  }
  void Done(StorageResult<void>) override {}

 private:
  const std::vector<std::string> expiry_keys_;
  std::vector<std::string> token_keys_;
};

}  // namespace

std::string EncodeTokenRow(const TokenRow& row) {
  std::string bytes;
  bytes.reserve(kHeadBytes + row.blocks.size() * kBlocksBytes);
  AppendBigEndian(bytes, static_cast<std::uint64_t>(EpochMs(row.completed)), kTimeBytes);
  bytes.append(row.request.data(), row.request.size());
  for (const std::uint32_t blocks : row.blocks) AppendBigEndian(bytes, blocks, kBlocksBytes);
  return bytes;
}

std::optional<TokenRow> DecodeTokenRow(std::string_view bytes) {
  if (bytes.size() < kHeadBytes || (bytes.size() - kHeadBytes) % kBlocksBytes != 0) {
    return std::nullopt;
  }
  const std::uint64_t completed = ReadBigEndian(bytes.substr(0, kTimeBytes));
  if (completed > kMaxTime) return std::nullopt;
  TokenRow row;
  row.completed = TimeFromMs(static_cast<std::int64_t>(completed));
  row.request = ReadHash(bytes.substr(kTimeBytes));
  for (std::size_t at = kHeadBytes; at < bytes.size(); at += kBlocksBytes) {
    row.blocks.push_back(static_cast<std::uint32_t>(ReadBigEndian(bytes.substr(at, kBlocksBytes))));
  }
  return row;
}

Hash128 HashToken(const KeyHasher& hasher, std::string_view account, std::string_view token) {
  // No account has a zero byte.
  std::string bytes(account);
  bytes.push_back('\0');
  return hasher.HashBytes(bytes.append(token));
}

std::string TokenKey(const Hash128& token) {
  std::string key{kTokenSpace, kByToken};
  return key.append(token.data(), token.size());
}

std::string TokenExpiryKey(TimeMs expiry, const Hash128& token) {
  return ExpiryStart(expiry).append(token.data(), token.size());
}

TokenTrimmer::TokenTrimmer(Store& store, const Clock& clock)
    : store_(store), clock_(clock), begin_{kTokenSpace, kByExpiry} {}

std::chrono::milliseconds TokenTrimmer::Step() {
  const TimeMs now = clock_.Now();
  // The clock can be turned back; new tokens then expire before those that are gone.
  if (now < last_) begin_.resize(2);
  last_ = now;

  std::vector<std::string> keys;
  const KeyRange due{begin_, ExpiryStart(now + std::chrono::milliseconds(1))};
  if (due.begin >= due.end) return kRestOfTrimmer;
  const StorageResult<void> scanned =
      store_.Scan(due, Direction::kForward, [&](std::string_view key, std::string_view) {
        if (key.size() == kExpiryKeyBytes) keys.emplace_back(key);
        return keys.size() < kTokensPerSlice;
      });
  if (!scanned) return kRestOfTrimmer;
  const std::size_t found = keys.size();
  std::string end = found < kTokensPerSlice ? due.end : keys.back() + '\0';
  if (found != 0) {
    const Result<void> trimmed =
        RunMutation(store_, std::make_unique<TrimMutation>(std::move(keys)));
    if (!trimmed) {
      Log(LogLevel::kWarning, "tokens of transactions could not be forgotten",
          {{"error", trimmed.error().message()}});
      return kRestOfTrimmer;
    }
  }
  begin_ = std::move(end);
  return found < kTokensPerSlice ? kRestOfTrimmer : std::chrono::milliseconds(0);
}

}  // namespace stator
