// Any bytes as an HTTP answer, whole and in two pieces: the same end, whatever it is.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "http/response_parser.h"

using stator::http::ResponseParser;
using State = ResponseParser::State;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  ResponseParser whole({.head_bytes = 4096, .body_bytes = 4096});
  State state = whole.Take(bytes);
  if (state == State::kMore) state = whole.TakeEnd();

  const std::size_t cut = data[0] % bytes.size();
  ResponseParser parts({.head_bytes = 4096, .body_bytes = 4096});
  State second = cut == 0 ? State::kMore : parts.Take(bytes.substr(0, cut));
  if (second == State::kMore) second = parts.Take(bytes.substr(cut));
  if (second == State::kMore) second = parts.TakeEnd();

  if (state != second) std::abort();
  if (state == State::kDone && whole.response().body != parts.response().body) std::abort();
  return 0;
}
