#include "bench/response_reader.h"

#include <algorithm>
#include <charconv>

namespace stator::bench {
namespace {

constexpr std::string_view kVersion = "HTTP/1.";
constexpr std::size_t kStatusAt = sizeof("HTTP/1.1 ") - 1;
constexpr std::size_t kStatusDigits = 3;
constexpr std::size_t kHeadBytesMax = 64 * 1024;
constexpr std::size_t kBodyBytesMax = std::size_t{1} << 30;
constexpr int kStatusOk = 200;

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

// The value of the line if it is this header. `name` is in lower case and ends with the colon.
bool IsHeader(std::string_view line, std::string_view name, std::string_view& value) {
  if (line.size() < name.size() ||
      !std::ranges::equal(line.substr(0, name.size()), name, {}, Lower)) {
    return false;
  }
  value = line.substr(name.size());
  while (value.starts_with(' ')) value.remove_prefix(1);
  return true;
}

template <class Number>
bool ParseNumber(std::string_view text, Number& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::expected<ResponseHead, HeadProblem> ReadHead(std::string_view bytes) {
  ResponseHead head;
  bool has_length = false;
  std::size_t at = 0;
  for (std::size_t end = bytes.find('\n'); end != std::string_view::npos;
       end = bytes.find('\n', at)) {
    std::string_view line = bytes.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    std::string_view value;
    if (at == 0) {
      if (!line.starts_with(kVersion) || line.size() < kStatusAt + kStatusDigits ||
          !ParseNumber(line.substr(kStatusAt, kStatusDigits), head.status)) {
        return std::unexpected(HeadProblem::kBroken);
      }
    } else if (line.empty()) {
      head.head_bytes = end + 1;
      if (!has_length) return std::unexpected(HeadProblem::kBroken);
      return head;
    } else if (Lower(line[0]) != 'c') {
      // Only two headers matter, and both begin with a C.
    } else if (IsHeader(line, "content-length:", value)) {
      has_length = ParseNumber(value, head.body_bytes) && head.body_bytes <= kBodyBytesMax;
    } else if (IsHeader(line, "connection:", value)) {
      head.keep_alive = !std::ranges::equal(value, std::string_view("close"), {}, Lower);
    }
    at = end + 1;
  }
  return std::unexpected(bytes.size() > kHeadBytesMax ? HeadProblem::kBroken
                                                      : HeadProblem::kIncomplete);
}

void ResponseReader::Begin(bool keep_body) {
  keep_body_ = keep_body;
  in_body_ = false;
  head_bytes_.clear();
  body_.clear();
}

ResponseReader::State ResponseReader::Take(std::string_view bytes) {
  if (in_body_) return TakeBody(bytes);
  std::string_view all = bytes;
  if (!head_bytes_.empty()) {
    head_bytes_.append(bytes);
    all = head_bytes_;
  }
  const auto head = ReadHead(all);
  if (!head) {
    if (head.error() == HeadProblem::kBroken) return State::kBroken;
    if (head_bytes_.empty()) head_bytes_.assign(bytes);
    return State::kMore;
  }
  head_ = *head;
  in_body_ = true;
  missing_bytes_ = head_.body_bytes;
  keep_body_ = keep_body_ || head_.status != kStatusOk;
  return TakeBody(all.substr(head_.head_bytes));
}

ResponseReader::State ResponseReader::TakeBody(std::string_view bytes) {
  if (bytes.size() > missing_bytes_) return State::kBroken;
  if (keep_body_) body_.append(bytes);
  missing_bytes_ -= bytes.size();
  return missing_bytes_ == 0 ? State::kDone : State::kMore;
}

}  // namespace stator::bench
