// Where a client finds its credentials and its region.
#ifndef STATOR_CLIENT_CREDENTIALS_H_
#define STATOR_CLIENT_CREDENTIALS_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "auth/sigv4.h"
#include "http/url.h"
#include "stator/client.h"
#include "stator/result.h"

namespace stator {

// Variables and files of the process; tests have their own. An unset variable is empty.
struct Environment {
  std::function<std::string(const char* name)> variable;
  // Nothing if the file does not exist.
  std::function<std::optional<std::string>(const std::string& path)> file;

  static Environment OfProcess();
};

// In the order that ClientOptions gives.
Result<SigningCredentials> FindCredentials(const ClientOptions& options, bool is_loopback,
                                           const Environment& environment);

std::string FindRegion(const ClientOptions& options, const Environment& environment);

// The profile called `profile` of a credentials file; nothing if it does not exist or has no keys.
std::optional<SigningCredentials> ParseProfile(std::string_view file, std::string_view profile);

}  // namespace stator

#endif  // STATOR_CLIENT_CREDENTIALS_H_
