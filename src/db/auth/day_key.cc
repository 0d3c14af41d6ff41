#include "auth/day_key.h"

#include <utility>

namespace stator {

DayKey::DayKey(std::string secret_access_key, std::string region, std::string service)
    : secret_access_key_(std::move(secret_access_key)),
      latest_{.scope = {.date = "", .region = std::move(region), .service = std::move(service)}} {}

DayKey::Derived DayKey::On(std::string_view date) const {
  const std::scoped_lock lock(mutex_);
  if (latest_.scope.date != date) {
    latest_.scope.date = date;
    latest_.key = SigningKey(secret_access_key_, latest_.scope);
  }
  return latest_;
}

}  // namespace stator
