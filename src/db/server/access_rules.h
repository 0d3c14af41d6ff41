// Which requests a server answers at all: by the name that they call it, and the web page that they
// come from.
//
// A page of any site can make a browser on this machine send requests to a server on it. If the page's
// own name resolves to this machine (DNS rebinding), the browser even lets the page read the answers.
// Such requests betray themselves by Host, which is the page's name, or by Origin, which is the page.
#ifndef STATOR_SERVER_ACCESS_RULES_H_
#define STATOR_SERVER_ACCESS_RULES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/exchange.h"
#include "server/options.h"

namespace stator::server {

// True if a Host header names this machine: localhost, a name that ends in .localhost, 127.x.x.x or
// [::1], with or without a port.
bool NamesThisMachine(std::string_view host_header);

// True if the page could have been sent by the server that the Host header names. Pages without a site
// ("null") and of other schemes were not.
bool IsSameOrigin(std::string_view origin, std::string_view host_header);

class AccessRules {
 public:
  explicit AccessRules(const ServerOptions& options);

  // What is wrong and what to do, for people; nullopt: the request may go on.
  std::optional<std::string> WhyRefused(const RequestHead& head) const;
  // True if pages of that origin may use the server (--cors).
  bool AllowsOrigin(std::string_view origin) const {
    return cors_origin_ == "*" || (!cors_origin_.empty() && origin == cors_origin_);
  }
  const std::string& cors_origin() const { return cors_origin_; }

 private:
  enum class Names : std::uint8_t {
    kThisMachine,  // a server that only this machine can reach
    kUnambiguous,  // names that no web page can have: addresses, and names without a dot
    kAny,          // what is not allowed to everybody is signed
  };
  bool AllowsHost(std::string_view host_header) const;

  Names names_;
  std::vector<std::string> allowed_;  // "db.example", "*.example", "*"
  std::string cors_origin_;
};

}  // namespace stator::server

#endif  // STATOR_SERVER_ACCESS_RULES_H_
