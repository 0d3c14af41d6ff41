// Any bytes as CSV, the first ones as options: what is read does not depend on how the bytes are
// cut, and is well formed.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "transfer/csv.h"
#include "transfer/testing/read_all.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stator::transfer;           // NOLINT
  using namespace stator::transfer::testing;  // NOLINT
  if (size < 2 || size > kChunkBytes) return 0;
  CsvOptions options;
  options.delimiter = std::string_view(",;:|\t ")[data[0] % 6];
  if (data[1] % 2 != 0) options.headers = {"a", "b", "c"};
  options.key_types = {{"a", stator::Type::kN}, {"b", stator::Type::kB}};
  const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
  const AllRecords all = ReadCutAnyhow<CsvReader>(text, options);
  STATOR_CHECK(all.items.size() + all.problems.size() <= size);
  return 0;
}
