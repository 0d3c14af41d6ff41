// Writers and a reader of the shop's orders, at work while its table is migrated. New versions of
// their code, which here are models, are deployed while they run.
//
// The same options always give the same work, and work that is done again changes nothing, so that
// a run that was cut short can start over.
#ifndef STATOR_SYSTEMS_ORDERS_TRAFFIC_H_
#define STATOR_SYSTEMS_ORDERS_TRAFFIC_H_

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "stator/entity.h"
#include "systems/program/fallible.h"

namespace stator::systems::orders {

struct TrafficOptions {
  std::string table_prefix;
  int writers = 4;
  int orders = 2000;     // that exist before the migration
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

// It is not an error if an earlier run has done the task.
EntityResult<void> CarryOut(Entities& entities, const Task& task);

// How many orders are left in a state when all tasks are done.
int OrdersLeft(std::string_view status, const TrafficOptions& options);

class Traffic {
 public:
  // Starts. `endpoint` must outlive this.
  Traffic(Endpoint& endpoint, const TrafficOptions& options, const Model& writers,
          const Model& readers);
  ~Traffic();  // stops the threads where they are

  // Both return when nobody works with the old model any more.
  void DeployWriters(const Model& model);
  void DeployReaders(const Model& model);

  // Lets every writer do this share of its tasks; they go on at once.
  void Allow(double share);
  // Waits until they have done what they may.
  void WaitForAllowed();
  // Lets the writers do the rest, waits for them, and stops.
  void Finish();

  std::int64_t writes() const;
  std::int64_t reads() const;
  // The first thing that went wrong; nullopt if nothing did.
  std::optional<std::string> failure() const;

 private:
  struct Worker {
    std::size_t done = 0;          // tasks
    std::size_t allowed = 0;       // tasks
    std::uint64_t generation = 0;  // of the model it works with
    bool is_finished = false;
  };
  std::shared_ptr<Entities> MakeEntities(const Model& model) const;
  void Write(std::size_t number, const std::vector<Task>& tasks);
  void Read();
  std::shared_ptr<Entities> NextTurn(Worker& worker);
  void Fail(const std::string& what);
  void Stop();

  Endpoint& endpoint_;
  const TrafficOptions options_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  std::shared_ptr<Entities> writing_;
  std::shared_ptr<Entities> reading_;
  std::uint64_t writing_generation_ = 0;
  std::uint64_t reading_generation_ = 0;
  std::uint64_t reader_generation_ = 0;
  bool reader_finished_ = false;
  std::int64_t writes_ = 0;
  std::int64_t reads_ = 0;
  std::optional<std::string> failure_;
  std::vector<std::vector<Task>> tasks_;
  std::vector<Worker> workers_;
  std::vector<std::jthread> threads_;
};

// Puts the orders that exist before the migration, with as many threads as there will be writers.
Fallible<void> LoadOrders(Entities& entities, const TrafficOptions& options);

}  // namespace stator::systems::orders

#endif  // STATOR_SYSTEMS_ORDERS_TRAFFIC_H_
