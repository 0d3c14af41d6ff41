// Header fields of HTTP, and the one that names DynamoDB's operations.
#ifndef STATOR_HTTP_HEADERS_H_
#define STATOR_HTTP_HEADERS_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace stator::http {

// The views belong to the request.
struct HeaderField {
  std::string_view name;  // as sent; names compare without regard to case
  std::string_view value;
};

inline char LowerAscii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

bool SameHeaderName(std::string_view a, std::string_view b);

// Without the blanks and tabs around it.
std::string_view TrimBlanks(std::string_view text);

// Headers are in Latin-1: every byte beyond ASCII becomes the character of that number, so that the
// result is UTF-8 whatever was sent.
std::string Utf8OfHeader(std::string_view text);

// The value of the first header of that name.
std::optional<std::string_view> FindHeader(std::span<const HeaderField> headers,
                                           std::string_view name);

// X-Amz-Target: the service, a dot and the operation ("DynamoDB_20120810.GetItem"). Streams are a
// service of their own.
std::string TargetOfOperation(std::string_view operation);
// Empty if the target names no service of ours, or another service's operation.
std::string_view OperationOfTarget(std::string_view target);

}  // namespace stator::http

#endif  // STATOR_HTTP_HEADERS_H_
