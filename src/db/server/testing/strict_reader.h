// A reader of HTTP/1.1 requests that follows RFC 9112 to the letter and has nothing in common with the
// server's: what a strict proxy in front of the server sees in the same bytes. Whatever request the server
// finds, this must find too, the same in every part; otherwise one could smuggle requests past the proxy.
#ifndef STATOR_SERVER_TESTING_STRICT_READER_H_
#define STATOR_SERVER_TESTING_STRICT_READER_H_

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/request_parser.h"

namespace stator::server {

struct SeenRequest {
  std::string target;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  bool operator==(const SeenRequest&) const = default;
};

class StrictReader {
 public:
  // The requests that are complete, up to the first fault.
  static std::vector<SeenRequest> Read(std::string_view bytes) {
    StrictReader reader(bytes);
    std::vector<SeenRequest> requests;
    while (std::optional<SeenRequest> request = reader.ReadRequest()) {
      requests.push_back(*std::move(request));
    }
    return requests;
  }

 private:
  explicit StrictReader(std::string_view bytes) : rest_(bytes) {}

  static bool IsDigit(char c) { return c >= '0' && c <= '9'; }
  static bool IsTokenChar(char c) {
    return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  }
  static bool IsToken(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, IsTokenChar);
  }
  static bool IsVisible(char c) { return c > 0x20 && c < 0x7f; }
  static bool IsInValue(char c) {
    return IsVisible(c) || c == ' ' || c == '\t' || static_cast<unsigned char>(c) >= 0x80;
  }
  static std::string Lower(std::string_view text) {
    std::string lower(text);
    for (char& c : lower) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
    }
    return lower;
  }
  static std::string_view Trim(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
  }
  static std::optional<std::size_t> Number(std::string_view text, std::size_t base) {
    std::size_t number = 0;
    if (text.empty()) return std::nullopt;
    for (const char c : Lower(text)) {
      std::size_t digit = base;
      if (IsDigit(c)) digit = static_cast<std::size_t>(c - '0');
      if (c >= 'a' && c <= 'f') digit = static_cast<std::size_t>(c - 'a') + 10;
      if (digit >= base || number > (std::size_t{1} << 40)) return std::nullopt;
      number = number * base + digit;
    }
    return number;
  }

  // Up to CR LF, without it. nullopt: there is no whole line, or it has a CR or LF of its own.
  std::optional<std::string_view> Line() {
    const std::size_t end = rest_.find("\r\n");
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view line = rest_.substr(0, end);
    if (line.find_first_of("\r\n") != std::string_view::npos) return std::nullopt;
    rest_.remove_prefix(end + 2);
    return line;
  }

  using Headers = std::vector<std::pair<std::string, std::string>>;
  std::optional<Headers> ReadHeaders() {
    Headers headers;
    while (true) {
      const std::optional<std::string_view> line = Line();
      if (!line) return std::nullopt;
      if (line->empty()) return headers;
      const std::size_t colon = line->find(':');
      if (colon == std::string_view::npos || !IsToken(line->substr(0, colon))) return std::nullopt;
      const std::string_view value = Trim(line->substr(colon + 1));
      if (!std::ranges::all_of(value, IsInValue)) return std::nullopt;
      headers.emplace_back(line->substr(0, colon), value);
    }
  }

  std::optional<std::string> ReadChunks() {
    std::string body;
    while (true) {
      const std::optional<std::string_view> line = Line();
      if (!line) return std::nullopt;
      const std::optional<std::size_t> size = Number(line->substr(0, line->find(';')), 16);
      if (!size || !std::ranges::all_of(*line, IsInValue)) return std::nullopt;
      if (*size == 0) break;
      if (rest_.size() < *size + 2 || rest_.substr(*size, 2) != "\r\n") return std::nullopt;
      body += rest_.substr(0, *size);
      rest_.remove_prefix(*size + 2);
    }
    if (!ReadHeaders()) return std::nullopt;
    return body;
  }

  std::optional<std::string> ReadBody(const Headers& headers, bool is_1_1) {
    std::vector<std::string> lengths;
    std::vector<std::string> codings;
    std::size_t hosts = 0;
    for (const auto& [name, value] : headers) {
      const std::string lower = Lower(name);
      if (lower == "content-length") lengths.push_back(value);
      if (lower == "transfer-encoding") codings.push_back(Lower(value));
      if (lower == "host") ++hosts;
    }
    if (hosts > 1 || (is_1_1 && hosts == 0)) return std::nullopt;
    if (lengths.size() + codings.size() > 1) return std::nullopt;
    if (!codings.empty()) {
      if (!is_1_1 || codings[0] != "chunked") return std::nullopt;
      return ReadChunks();
    }
    if (lengths.empty()) return "";
    const std::optional<std::size_t> length = Number(lengths[0], 10);
    if (!length || rest_.size() < *length) return std::nullopt;
    std::string body(rest_.substr(0, *length));
    rest_.remove_prefix(*length);
    return body;
  }

  std::optional<SeenRequest> ReadRequest() {
    while (rest_.starts_with("\r\n")) rest_.remove_prefix(2);
    const std::optional<std::string_view> line = Line();
    if (!line) return std::nullopt;
    const std::size_t first = line->find(' ');
    const std::size_t last = line->rfind(' ');
    if (first == std::string_view::npos || first == last) return std::nullopt;
    const std::string_view target = line->substr(first + 1, last - first - 1);
    const std::string_view version = line->substr(last + 1);
    if (!IsToken(line->substr(0, first)) || target.empty() ||
        !std::ranges::all_of(target, IsVisible) ||
        (version != "HTTP/1.0" && version != "HTTP/1.1")) {
      return std::nullopt;
    }
    std::optional<Headers> headers = ReadHeaders();
    if (!headers) return std::nullopt;
    std::optional<std::string> body = ReadBody(*headers, version == "HTTP/1.1");
    if (!body) return std::nullopt;
    return SeenRequest{std::string(target), *std::move(headers), *std::move(body)};
  }

  std::string_view rest_;
};

// What the server sees in the same bytes, if they come in pieces of that size.
inline std::vector<SeenRequest> ReadAsServer(std::string_view bytes, std::size_t piece_size) {
  ExchangePool pool;
  RequestParser parser(pool);
  std::vector<SeenRequest> requests;
  while (!bytes.empty()) {
    // A copy without slack: reading past the piece is an error that the sanitizer sees.
    const std::vector<char> piece(
        bytes.begin(),
        bytes.begin() + static_cast<std::ptrdiff_t>(std::min(bytes.size(), piece_size)));
    bytes.remove_prefix(piece.size());
    std::string_view rest(piece.data(), piece.size());
    while (!rest.empty()) {
      const RequestParser::Progress progress = parser.Feed(rest);
      rest.remove_prefix(progress.consumed);
      if (progress.event == RequestParser::Event::kRefused) return requests;
      if (progress.event != RequestParser::Event::kComplete) continue;
      const std::unique_ptr<Exchange> exchange = parser.TakeRequest();
      SeenRequest& request = requests.emplace_back();
      request.target = exchange->head.target();
      for (const http::HeaderField& header : exchange->head.headers()) {
        request.headers.emplace_back(header.name, header.value);
      }
      request.body = exchange->body.Padded();
      if (!exchange->keep_alive) return requests;
    }
  }
  return requests;
}

// True if the server sees nothing that a strict reader does not see, however the bytes are cut.
inline bool AgreesWithStrictReader(std::string_view bytes) {
  const std::vector<SeenRequest> strict = StrictReader::Read(bytes);
  const std::vector<SeenRequest> whole =
      ReadAsServer(bytes, std::max<std::size_t>(bytes.size(), 1));
  return whole.size() <= strict.size() && std::equal(whole.begin(), whole.end(), strict.begin()) &&
         ReadAsServer(bytes, 1) == whole && ReadAsServer(bytes, 7) == whole;
}

}  // namespace stator::server

#endif  // STATOR_SERVER_TESTING_STRICT_READER_H_
