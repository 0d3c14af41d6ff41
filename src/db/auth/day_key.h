// The signing key of one secret in one region.
#ifndef STATOR_AUTH_DAY_KEY_H_
#define STATOR_AUTH_DAY_KEY_H_

#include <mutex>
#include <string>
#include <string_view>

#include "auth/sigv4.h"

namespace stator {

// Derives it once for each day. Thread-safe.
class DayKey {
 public:
  struct Derived {
    SigningScope scope;
    Sha256Digest key{};
  };

  DayKey(std::string secret_access_key, std::string region, std::string service);

  // `date` as in SigningScope.
  Derived On(std::string_view date) const;

 private:
  const std::string secret_access_key_;
  mutable std::mutex mutex_;
  mutable Derived latest_;
};

}  // namespace stator

#endif  // STATOR_AUTH_DAY_KEY_H_
