// The query string of a URL: name[=value] parts with & between them, percent-encoded.
#ifndef STATOR_AUTH_QUERY_STRING_H_
#define STATOR_AUTH_QUERY_STRING_H_

#include <optional>
#include <string>
#include <string_view>

namespace stator {

// The value of the first parameter of that name, as sent; empty if it has none.
std::optional<std::string_view> FindQueryParameter(std::string_view query, std::string_view name);

// A percent sign that begins no byte in hex stands for itself, as does a plus sign.
std::string PercentDecoded(std::string_view text);

// As it is signed: every parameter but `left_out`, encoded in the one way that RFC 3986 prefers and
// in ascending order.
std::string CanonicalQuery(std::string_view query, std::string_view left_out);

}  // namespace stator

#endif  // STATOR_AUTH_QUERY_STRING_H_
