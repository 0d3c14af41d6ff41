// What a paid service may be asked for, per day and per month, in Stockholm's time. The counts are
// kept in the table homeops, so that a restart does not forget them and several bots share them:
//
//   pk SPENT#<service>, sk 2026-02-28 or 2026-02; requests, tokens
#ifndef STATOR_SYSTEMS_HOMEOPS_UNDERSTANDING_SPENDING_H_
#define STATOR_SYSTEMS_HOMEOPS_UNDERSTANDING_SPENDING_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "stator/endpoint.h"
#include "systems/program/fallible.h"

namespace stator::systems::homeops {

// 0: no limit.
struct Budget {
  std::int64_t requests_per_day = 0;
  std::int64_t tokens_per_day = 0;
  std::int64_t requests_per_month = 0;
  std::int64_t tokens_per_month = 0;
};

// Thread-safe.
class Spending {
 public:
  // `endpoint` must outlive this.
  Spending(Endpoint& endpoint, const std::string& table_prefix, std::string_view service,
           const Budget& budget);

  // Counts one request, unless the budget of that moment is used up: false.
  Fallible<bool> TakeRequest(std::int64_t epoch_s);
  // What the request took turns out when it is over.
  Fallible<void> AddTokens(std::int64_t epoch_s, std::int64_t tokens);

 private:
  Fallible<bool> Take(const std::string& period, std::int64_t requests_max,
                      std::int64_t tokens_max);
  Fallible<void> Add(const std::string& period, std::string_view what, std::int64_t count);

  Endpoint& endpoint_;
  const std::string table_;
  const std::string service_;
  const std::string partition_;
  const Budget budget_;
};

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_UNDERSTANDING_SPENDING_H_
