#include "systems/orders/traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "systems/program/process.h"

namespace stator::systems::orders {
namespace {

// Readers ask again and again, but leave the machine to the others.
constexpr std::chrono::milliseconds kReadPause{2};

constexpr int kCustomers = 50;

// What becomes of an order that exists before: it is shipped, cancelled, delivered, or stays open.
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

Traffic::Traffic(Endpoint& endpoint, const TrafficOptions& options, const Model& writers,
                 const Model& readers)
    : endpoint_(endpoint),
      options_(options),
      writing_(MakeEntities(writers)),
      reading_(MakeEntities(readers)),
      workers_(static_cast<std::size_t>(options.writers)) {
  for (int writer = 0; writer < options.writers; ++writer) {
    tasks_.push_back(TasksOf(writer, options));
  }
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    threads_.emplace_back([this, i] { Write(i, tasks_[i]); });
  }
  threads_.emplace_back([this] { Read(); });
}

Traffic::~Traffic() { Stop(); }

std::shared_ptr<Entities> Traffic::MakeEntities(const Model& model) const {
  return std::make_shared<Entities>(endpoint_, model,
                                    EntityOptions{.table_prefix = options_.table_prefix});
}

void Traffic::DeployWriters(const Model& model) {
  std::unique_lock lock(mutex_);
  writing_ = MakeEntities(model);
  ++writing_generation_;
  changed_.notify_all();
  changed_.wait(lock, [&] {
    return std::ranges::all_of(workers_, [&](const Worker& worker) {
      return worker.is_finished || worker.generation == writing_generation_;
    });
  });
}

void Traffic::DeployReaders(const Model& model) {
  std::unique_lock lock(mutex_);
  reading_ = MakeEntities(model);
  ++reading_generation_;
  changed_.notify_all();
  changed_.wait(lock,
                [&] { return reader_finished_ || reader_generation_ == reading_generation_; });
}

void Traffic::Allow(double share) {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    const double tasks = static_cast<double>(tasks_[i].size());
    workers_[i].allowed = std::max(workers_[i].allowed, static_cast<std::size_t>(tasks * share));
  }
  changed_.notify_all();
}

void Traffic::WaitForAllowed() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    return std::ranges::all_of(workers_, [](const Worker& worker) {
      return worker.is_finished || worker.done >= worker.allowed;
    });
  });
}

void Traffic::Finish() {
  Allow(1);
  WaitForAllowed();
  Stop();
}

void Traffic::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  threads_.clear();
}

std::int64_t Traffic::writes() const {
  const std::lock_guard lock(mutex_);
  return writes_;
}

std::int64_t Traffic::reads() const {
  const std::lock_guard lock(mutex_);
  return reads_;
}

std::optional<std::string> Traffic::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

void Traffic::Fail(const std::string& what) {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = what;
  stopping_ = true;
  changed_.notify_all();
}

// A writer that waits has no write under way, so it takes up every deployment at once. Null to
// stop.
std::shared_ptr<Entities> Traffic::NextTurn(Worker& worker) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    if (worker.generation != writing_generation_) {
      worker.generation = writing_generation_;
      changed_.notify_all();
    }
    return stopping_ || worker.done < worker.allowed;
  });
  return stopping_ ? nullptr : writing_;
}

void Traffic::Write(std::size_t number, const std::vector<Task>& tasks) {
  Worker& worker = workers_[number];
  for (const Task& task : tasks) {
    const std::shared_ptr<Entities> entities = NextTurn(worker);
    if (!entities) break;
    if (const auto done = CarryOut(*entities, task); !done) {
      Fail("a writer: " + done.error().message);
      break;
    }
    const std::lock_guard lock(mutex_);
    ++worker.done;
    ++writes_;
    if (worker.done >= worker.allowed) changed_.notify_all();
  }
  const std::lock_guard lock(mutex_);
  worker.is_finished = true;
  changed_.notify_all();
}

// There are open orders at every moment; a page without any is a page too old or too empty.
void Traffic::Read() {
  for (;;) {
    std::shared_ptr<Entities> entities;
    {
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, kReadPause, [&] { return stopping_; });
      if (stopping_) {
        reader_finished_ = true;
        changed_.notify_all();
        return;
      }
      reader_generation_ = reading_generation_;
      entities = reading_;
      changed_.notify_all();
    }
    const auto page = entities->Query("by_status", {{"status", "OPEN"}});
    if (!page) {
      Fail("a reader: " + page.error().message);
    } else if (page->items.empty()) {
      Fail("a reader found no open orders");
    }
    const std::lock_guard lock(mutex_);
    ++reads_;
  }
}

Fallible<void> LoadOrders(Entities& entities, const TrafficOptions& options) {
  std::mutex mutex;
  Fallible<void> loaded;
  ForEach(static_cast<std::size_t>(options.writers), options.writers, [&](std::size_t writer) {
    for (int order = static_cast<int>(writer); order < options.orders; order += options.writers) {
      const auto done = CarryOut(entities, {Task::Kind::kPlace, order});
      if (done) continue;
      const std::lock_guard lock(mutex);
      loaded = std::unexpected(done.error().message);
      return;
    }
  });
  return loaded;
}

}  // namespace stator::systems::orders
