// Who may use the paths under /_stator/: programs on this machine, and no web page of another site.
//
// They need no signature where clients are not known, so a browser on this machine must not be talked into sending them:
//   - the server listens on a loopback address, so that no other machine reaches it;
//   - Host names this machine, so that a foreign name that now resolves to 127.0.0.1 (DNS
//     rebinding) is of no use;
//   - Origin, which a browser sends with a page's requests, is the server itself or absent;
//   - what has a body is application/json, which a page of another origin cannot send unasked.
#ifndef STATOR_SERVER_ADMIN_GUARD_H_
#define STATOR_SERVER_ADMIN_GUARD_H_

#include <optional>
#include <string>
#include <string_view>

#include "server/request_head.h"

namespace stator::server {

struct AdminRefusal {
  int status = 403;
  std::string message;  // what is wrong, and what to do
};

// nullopt: it may go on. `listening_host` is ServerOptions::host.
std::optional<AdminRefusal> CheckAdminAccess(const RequestHead& head, bool has_body,
                                             const std::string& listening_host);

// True if a Host header names this machine: localhost, 127.x.x.x or [::1], with or without a port.
bool NamesThisMachine(std::string_view host_header);

}  // namespace stator::server

#endif  // STATOR_SERVER_ADMIN_GUARD_H_
