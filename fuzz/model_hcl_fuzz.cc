// Any text as HCL: an answer comes back, and an error has a line of the text.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "model/hcl/hcl_syntax.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  const auto error = stator::model::CheckHcl(text);
  if (!error) return 0;
  STATOR_CHECK(!error->message.empty());
  STATOR_CHECK(error->line >= 1 && error->line <= lines);
  return 0;
}
