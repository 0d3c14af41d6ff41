// Any bytes as a table's catalog row: refused, or read and written back without a change of meaning.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "engine/catalog/table.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view row(reinterpret_cast<const char*>(data), size);
  const std::optional<stator::Table> table = stator::DecodeTable(row);
  if (!table) return 0;
  const std::string written = stator::EncodeTable(*table);
  const std::optional<stator::Table> again = stator::DecodeTable(written);
  if (!again || stator::EncodeTable(*again) != written) std::abort();
  return 0;
}
