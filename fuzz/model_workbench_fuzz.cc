// Any bytes as a file of NoSQL Workbench: an error in one line, or a model file that is text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "generate/generate.h"
#include "model/parse/parse.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view json(reinterpret_cast<const char*>(data), size);
  const auto yaml = stator::model::ImportWorkbench(json);
  if (!yaml) {
    if (yaml.error().empty() || yaml.error().find('\n') != std::string::npos) std::abort();
    return 0;
  }
  static_cast<void>(stator::model::ParseModel(*yaml, "imported.yaml"));
  return 0;
}
