#include "systems/orders/tasks.h"

#include <fmt/format.h>

namespace stator::systems::orders {
namespace {

constexpr int kCustomers = 50;

// What becomes of an order that is there before: it is shipped, cancelled, delivered, or stays open.
void AddTasksOf(int order, std::vector<Task>& tasks) {
  switch (order % 4) {
    case 0:
      tasks.push_back({Task::Kind::kShip, order});
      break;
    case 1:
      tasks.push_back({Task::Kind::kCancel, order});
      break;
    case 2:
      tasks.push_back({Task::Kind::kShip, order});
      tasks.push_back({Task::Kind::kDeliver, order});
      break;
    default:
      break;
  }
}

Item KeyOf(int order) {
  return Item{{"username", fmt::format("customer-{}", order % kCustomers)},
              {"orderId", fmt::format("o{:07}", order)}};
}

EntityResult<void> Unless(const EntityResult<Item>& done, EntityErrorKind harmless) {
  if (!done && done.error().kind != harmless) return std::unexpected(done.error());
  return {};
}

}  // namespace

Item NumberedOrder(int number) {
  Item item = KeyOf(number);
  item.Set("amount", number % 500);
  item.Set("createdAt", fmt::format("2026-01-{:02}T{:02}:{:02}:{:02}Z", 1 + number / 86'400 % 28,
                                    number / 3600 % 24, number / 60 % 60, number % 60));
  return item;
}

std::vector<Task> TasksOf(int writer, const TrafficOptions& options) {
  std::vector<Task> tasks;
  int next_new = options.orders + writer;
  const int end = options.orders + options.new_orders;
  const auto add_new = [&] {
    if (next_new >= end) return;
    tasks.push_back({Task::Kind::kPlace, next_new});
    if (next_new % 2 == 0) tasks.push_back({Task::Kind::kShip, next_new});
    next_new += options.writers;
  };
  // New orders lie evenly between the others.
  const int every = std::max(1, options.orders / std::max(1, options.new_orders));
  int count = 0;
  for (int order = writer; order < options.orders; order += options.writers) {
    AddTasksOf(order, tasks);
    if (++count % every == 0) add_new();
  }
  while (next_new < end) add_new();
  return tasks;
}

EntityResult<void> CarryOut(Entities& entities, const Task& task) {
  const Item key = KeyOf(task.order);
  switch (task.kind) {
    case Task::Kind::kPlace:
      return Unless(entities.Create("Order", NumberedOrder(task.order)), EntityErrorKind::kExists);
    case Task::Kind::kShip:
      return Unless(
          entities.Move("Order", key, "ship",
                        {.set = {{"trackingNumber", fmt::format("1Z{:016}", task.order)}}}),
          EntityErrorKind::kConflict);
    case Task::Kind::kDeliver:
      return Unless(entities.Move("Order", key, "deliver"), EntityErrorKind::kConflict);
    case Task::Kind::kCancel:
      break;
  }
  return Unless(entities.Delete("Order", key), EntityErrorKind::kMissing);
}

int OrdersLeft(std::string_view status, const TrafficOptions& options) {
  int left = 0;
  for (int order = 0; order < options.orders + options.new_orders; ++order) {
    const bool is_new = order >= options.orders;
    const bool shipped = is_new ? order % 2 == 0 : order % 4 == 0;
    const bool delivered = !is_new && order % 4 == 2;
    const bool cancelled = !is_new && order % 4 == 1;
    const std::string_view ends = delivered ? "DELIVERED" : shipped ? "SHIPPED" : "OPEN";
    if (!cancelled && ends == status) ++left;
  }
  return left;
}

}  // namespace stator::systems::orders
