// Finding and comparing headers.
#ifndef STATOR_AUTH_HEADER_FIELDS_H_
#define STATOR_AUTH_HEADER_FIELDS_H_

#include <optional>
#include <string>
#include <string_view>

#include "auth/authenticator.h"

namespace stator {

char LowerAscii(char c);

bool SameHeaderName(std::string_view a, std::string_view b);

// Without the blanks and tabs around it.
std::string_view TrimBlanks(std::string_view text);

// Bytes beyond ASCII as characters of Latin-1, which headers are in: UTF-8, whatever was sent.
std::string Utf8OfHeader(std::string_view text);

// The first header of that name.
std::optional<std::string_view> FindHeader(const SignedRequest& request, std::string_view name);

}  // namespace stator

#endif  // STATOR_AUTH_HEADER_FIELDS_H_
