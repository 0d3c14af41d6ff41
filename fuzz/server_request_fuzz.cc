// Any bytes of a connection: the server finds no request in them that a strict reader does not find, and
// finds the same however they are cut.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "server/testing/strict_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (!stator::server::AgreesWithStrictReader(bytes)) std::abort();
  return 0;
}
