// A table as it is on an endpoint.
#ifndef STATOR_LIVE_TABLE_STATE_H_
#define STATOR_LIVE_TABLE_STATE_H_

#include <functional>
#include <optional>
#include <string>

#include "stator/endpoint.h"

namespace stator::live {

struct TableState {
  TableDescription description;
  std::string ttl;                        // the attribute; empty: off
  std::optional<std::int64_t> pitr_days;  // nullopt: off

  const TableDescription::Index* FindIndex(const std::string& name) const;
};

// nullopt: there is no such table.
Result<std::optional<TableState>> ReadTableState(Endpoint& endpoint, const std::string& table_name);

// Asks until the table and its indexes are active, or for ten minutes. `waiting` is told between
// two questions what is being waited for.
Result<void> WaitUntilActive(Endpoint& endpoint, const std::string& table_name,
                             const std::function<void(const std::string& what)>& waiting);

}  // namespace stator::live

#endif  // STATOR_LIVE_TABLE_STATE_H_
