// Addresses: http:// and https://.
#ifndef STATOR_SYSTEMS_PROGRAM_URL_H_
#define STATOR_SYSTEMS_PROGRAM_URL_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace stator::systems {

inline constexpr std::size_t kUrlMax = 8192;

// What is wrong with an address, for people; empty: nothing. Its query is never repeated: it may be
// a secret.
std::string UrlProblem(std::string_view url);
// "https://files.example.com/day/accounts": an address as it may be printed and stored.
std::string_view WithoutQuery(std::string_view url);
// "files.example.com:8443", without a user's name. REQUIRES: no UrlProblem, or a part of an address.
std::string_view HostOf(std::string_view url);
bool IsThisMachine(std::string_view host);
// A path or a value of a query as addresses have it: "EU%20Kunden". A '/' stays.
std::string UrlEscaped(std::string_view text);

}  // namespace stator::systems

#endif  // STATOR_SYSTEMS_PROGRAM_URL_H_
