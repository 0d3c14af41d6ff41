// The table of calls, as its settings item says that it is laid out.
//
// The partition key of the index is STATUS#<status> while there is one shard, as the seed has it,
// and STATUS#<status>#<shard> when there are more. How many there are stands in an item of the table
// itself, which every program reads, so that all of them agree. `reshard` changes it while they run:
// it first names the new number beside the former ones, which readers then look at, too.
#ifndef STATOR_SYSTEMS_RECONCILER_CALL_TABLE_H_
#define STATOR_SYSTEMS_RECONCILER_CALL_TABLE_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "stator/entity.h"
#include "systems/program/fallible.h"

namespace stator::systems::reconciler {

inline constexpr std::int64_t kShardsMax = 1000;

// The model with so many shards.
std::string ModelTextOf(std::int64_t shards);

// The partition key of the index for a call.
std::string IndexKey(std::string_view status, std::string_view call_id, std::int64_t shards);

// What the settings item says.
struct TableSettings {
  std::int64_t shards = 1;
  std::set<std::int64_t> former;  // numbers of shards under which entries may still stand
  std::int64_t most = 1;          // that there ever were
  std::int64_t version = 0;
};

struct CallTableOptions {
  std::string table_prefix = {};
  const Clock* clock = nullptr;  // default: the system's
  // Of a table without settings; one that has another number is refused. Default: whatever it has,
  // or one.
  std::optional<std::int64_t> shards = {};
  // Settings are read again when they are older. Nothing is written by older ones.
  std::chrono::milliseconds settings_age_max = std::chrono::seconds(10);
};

// Thread-safe.
class CallTable {
 public:
  // The table must exist. `endpoint` must outlive this.
  static Fallible<std::unique_ptr<CallTable>> Open(Endpoint& endpoint, CallTableOptions options);

  // Entities by the settings as they are now, for writing. Lives as long as this.
  EntityResult<Entities*> entities();
  // Entities whose queries together find every entry; more than one while a reshard is under way.
  // The former layout comes first: what moves meanwhile is then found under the new one.
  EntityResult<std::vector<Entities*>> readers();
  // For entities that have no shards.
  Entities& plain() { return EntitiesOf(1); }

  // Read from the table, not remembered.
  EntityResult<TableSettings> ReadSettings();
  // kConflict if they have changed since they were read.
  EntityResult<void> WriteSettings(const TableSettings& settings);

  // Gives a call that another program wrote what it needs here: ReconStatus and ReconTime, and what
  // its keys say that it does not. Returns the call; kConflict if it has them or is gone.
  EntityResult<Item> Adopt(ItemView call);

  Endpoint& endpoint() { return endpoint_; }
  const std::string& table_name() const { return table_name_; }
  TimeMs Now() const;
  // Of all entities together.
  UsedUnits used() const;

 private:
  CallTable(Endpoint& endpoint, CallTableOptions options);
  EntityResult<TableSettings> CurrentSettings();
  EntityResult<TableSettings> FirstSettings();
  EntityResult<std::optional<Item>> AnyEntry();
  Entities& EntitiesOf(std::int64_t shards);

  Endpoint& endpoint_;
  const CallTableOptions options_;
  const std::string table_name_;
  mutable std::mutex mutex_;  // of what follows
  std::map<std::int64_t, std::unique_ptr<Entities>> entities_;
  TableSettings settings_;
  std::optional<std::chrono::steady_clock::time_point> read_at_;
};

}  // namespace stator::systems::reconciler

#endif  // STATOR_SYSTEMS_RECONCILER_CALL_TABLE_H_
