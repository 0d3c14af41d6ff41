// A token is base64 of
//
//   seal:16 request:16 read:u16 last-key
//
// with `request` the keyed hash of the request, `read` big-endian, `last-key` an encoded item, and
// `seal` the keyed hash of all that follows it.
#include "api/next_token.h"

#include "api/request_rules.h"
#include "value/base64.h"
#include "value/item_codec.h"

namespace stator {
namespace {

constexpr std::size_t kHashBytes = sizeof(Hash128);
constexpr std::size_t kHeadBytes = 2 * kHashBytes + 2;

std::string_view AsText(const Hash128& hash) { return {hash.data(), hash.size()}; }

// Keyed hashes are taken for several purposes; one must not stand for another.
Hash128 Seal(const KeyHasher& hasher, std::string_view sealed) {
  return hasher.HashBytes(std::string("NextToken ").append(sealed));
}

}  // namespace

Error InvalidNextToken() { return Error::Validation("Invalid NextToken"); }

std::string MakeNextToken(const KeyHasher& hasher, std::string_view request,
                          const ReadPosition& position) {
  std::string sealed(AsText(hasher.HashBytes(request)));
  sealed += static_cast<char>(position.read >> 8);
  sealed += static_cast<char>(position.read & 0xFF);
  sealed += position.last_key.encoded();
  std::string token;
  AppendBase64(token, std::string(AsText(Seal(hasher, sealed))) + sealed);
  return token;
}

Result<ReadPosition> ReadNextToken(const KeyHasher& hasher, std::string_view request,
                                   std::string_view token) {
  std::string bytes;
  if (AppendBase64Decoded(bytes, token) != Base64Status::kOk || bytes.size() < kHeadBytes) {
    return std::unexpected(InvalidNextToken());
  }
  const std::string_view sealed = std::string_view(bytes).substr(kHashBytes);
  if (AsText(Seal(hasher, sealed)) != std::string_view(bytes).substr(0, kHashBytes)) {
    return std::unexpected(InvalidNextToken());
  }
  if (AsText(hasher.HashBytes(request)) != sealed.substr(0, kHashBytes)) {
    return std::unexpected(Error::Validation("NextToken does not match request"));
  }
  const auto high = static_cast<unsigned char>(sealed[kHashBytes]);
  const auto low = static_cast<unsigned char>(sealed[kHashBytes + 1]);
  const std::string_view key = std::string_view(bytes).substr(kHeadBytes);
  // The seal keeps out mistakes, not a determined forger.
  if (!IsWellFormedItem(key)) return std::unexpected(InvalidNextToken());
  return ReadPosition{.read = static_cast<std::uint16_t>(high << 8 | low),
                      .last_key = Item::FromEncoded(std::string(key))};
}

}  // namespace stator
