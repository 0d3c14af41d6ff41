// The account of the index: how large it is, what it has cost, and what a scan would have.
#ifndef STATOR_SYSTEMS_RECONCILER_ACCOUNT_H_
#define STATOR_SYSTEMS_RECONCILER_ACCOUNT_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "stator/endpoint.h"
#include "stator/entity.h"
#include "systems/reconciler/usage.h"

namespace stator::systems::reconciler {

struct Account {
  // As DescribeTable has them; AWS brings them up to date every six hours.
  std::int64_t calls = 0;
  std::int64_t table_bytes = 0;
  std::int64_t index_bytes = 0;
  std::vector<std::pair<std::string, std::int64_t>> waiting;  // in the index, by status; counted
  std::vector<CommandUsage> usage;

  std::int64_t waiting_in_all() const;
  // Of reading the whole table once, eventually consistent.
  double scan_units() const;
};

EntityResult<Account> ReadAccount(Endpoint& endpoint, const std::string& table_prefix,
                                  Entities& entities);

std::string AccountText(const Account& account);
std::string AccountJson(const Account& account);

}  // namespace stator::systems::reconciler

#endif  // STATOR_SYSTEMS_RECONCILER_ACCOUNT_H_
