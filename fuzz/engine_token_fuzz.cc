// Any bytes as the row of an idempotency token: refused, or read and written back without a change.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "engine/write/transaction_token.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::optional<stator::TokenRow> row = stator::DecodeTokenRow(bytes);
  if (!row) return 0;
  if (row->expiry() <= row->completed) std::abort();
  if (stator::EncodeTokenRow(*row) != bytes) std::abort();
  return 0;
}
