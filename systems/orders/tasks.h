// What the writers of the migration do. The same numbers always give the same work, and work that is
// done again changes nothing, so that whoever was cut short starts over from its beginning.
#ifndef STATOR_SYSTEMS_ORDERS_TASKS_H_
#define STATOR_SYSTEMS_ORDERS_TASKS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "stator/entity.h"

namespace stator::systems::orders {

struct TrafficOptions {
  std::string table_prefix;
  int writers = 4;
  int orders = 2000;     // that are there before the migration
  int new_orders = 600;  // that are placed while it runs
};

struct Task {
  enum class Kind : std::uint8_t { kPlace, kShip, kDeliver, kCancel };
  Kind kind = Kind::kPlace;
  int order = 0;  // its number
};

// The order with a number, as it is placed.
Item NumberedOrder(int number);

// In the order in which they must be done. No order belongs to two writers.
std::vector<Task> TasksOf(int writer, const TrafficOptions& options);

// What is done already, by a run before, is no error.
EntityResult<void> CarryOut(Entities& entities, const Task& task);

// How many orders are left in a state when all tasks are done.
int OrdersLeft(std::string_view status, const TrafficOptions& options);

}  // namespace stator::systems::orders

#endif  // STATOR_SYSTEMS_ORDERS_TASKS_H_
