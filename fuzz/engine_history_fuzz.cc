// Any bytes as a record of a table's history: refused, or read and written back the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "engine/history/history.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::optional<stator::HistoryRecord> record = stator::DecodeHistoryRecord(bytes);
  if (record && stator::EncodeHistoryRecord(*record) != bytes) std::abort();
  return 0;
}
