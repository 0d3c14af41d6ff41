// NextToken: where a SELECT goes on. Opaque to clients, and good for the request it was made for.
#ifndef STATOR_API_NEXT_TOKEN_H_
#define STATOR_API_NEXT_TOKEN_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "stator/item.h"
#include "stator/result.h"
#include "value/key_codec.h"

namespace stator {

struct ReadPosition {
  std::uint16_t read = 0;  // which of the statement's reads
  Item last_key;           // of the last row that was evaluated
};

// `request` is what all pages of one SELECT have in common: any bytes.
std::string MakeNextToken(const KeyHasher& hasher, std::string_view request,
                          const ReadPosition& position);

// "Invalid NextToken" for what MakeNextToken has not made, "NextToken does not match request" for
// what it made for another request. The key is well formed; whether it fits a schema is not checked.
Result<ReadPosition> ReadNextToken(const KeyHasher& hasher, std::string_view request,
                                   std::string_view token);

Error InvalidNextToken();

}  // namespace stator

#endif  // STATOR_API_NEXT_TOKEN_H_
