// Start here: open a database and call DynamoDB's operations on it.
//
//   auto db = stator::Database::Open({.directory = "./data"});
//   if (!db) { std::cerr << db.error().message(); return 1; }
//   (*db)->PutItem({.table_name = "Music", .item = Item{{"Artist", "No One You Know"}}});
//
// A Database is thread-safe. The server is a thin client of this header, so an embedded user and an
// SDK user get the same answers from the same code.
#ifndef STATOR_DATABASE_H_
#define STATOR_DATABASE_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/clock.h"
#include "stator/endpoint.h"
#include "stator/result.h"

namespace stator {

// When a write is acknowledged.
enum class Durability : std::uint8_t {
  kAlways,    // when it is on disk
  kInterval,  // at once; on disk within a second
  kOff,       // at once; on disk when the operating system likes
};

struct DatabaseOptions {
  // Where the data lives; created if it does not exist. Empty: in memory only.
  std::string directory;
  // Instead of a directory, a database that any number of processes on any machines share:
  // postgres://db1,db2/stator?target_session_attrs=read-write (docs/cluster.md).
  std::string store = {};
  // Connections to it: for reads (0: four for each core, at least eight), and for rounds of writes.
  unsigned store_readers = 0;
  unsigned store_writers = 4;
  Durability durability = Durability::kAlways;
  std::size_t cache_bytes = std::size_t{64} << 20;
  // Answer every operation in the wording that DynamoDB used before mid-2026.
  bool classic_wording = false;
  // A request for an item of a transaction that is not yet answered gets TransactionConflict, as
  // from DynamoDB. Otherwise such requests are carried out one after the other.
  bool strict_conflicts = false;
  // Count the capacity units that requests consume, asked for or not: Stats::consumed_units.
  bool count_units = false;
  // The processor time that a request may take; beyond it a Query or Scan ends its page early, and
  // other requests get RequestLimitExceeded. Of requests that a server passes to ExecuteAsync.
  std::chrono::milliseconds request_time{1000};
  // The processor time that one write may take from the others; beyond it: RequestLimitExceeded, and
  // nothing is written.
  std::chrono::milliseconds write_time{250};
  // Both are part of every ARN.
  std::string region = "us-east-1";
  std::string account = "000000000000";
  // The time that the database goes by, and to which Database::clock() returns when it is reset.
  ClockSetting clock;
  // Where exports go and imports come from: s3://bucket/key is s3_root/bucket/key. Created if it
  // does not exist. Empty: exports, imports and bulk operations are refused.
  std::string s3_root = {};
  // Where CreateBackup keeps copies of the database: on another disk, they survive the loss of this one
  // (backup_directory.h). Created if it does not exist. Empty: backups are kept in `directory`, whose
  // files they share.
  std::string backup_directory = {};
};

class Database final : public Endpoint {
 public:
  // Fails with a message for people: what is wrong with the directory, and what to do.
  static Result<std::unique_ptr<Database>> Open(DatabaseOptions options);
  ~Database() override;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // The operations of an Endpoint: GetItem, PutItem, …
#define STATOR_DECLARE(Name) Result<Name##Response> Name(const Name##Request& request) override;
  STATOR_OPERATIONS(STATOR_DECLARE)
#undef STATOR_DECLARE

  // The same operations with DynamoDB's JSON: Execute("PutItem", R"({"TableName": …})").
  // The answer is the JSON body; an Error's JSON form is ErrorBody().
  Result<std::string> Execute(std::string_view operation, std::string_view json) override;

  // For servers: neither waits for a disk nor takes long; what would goes to threads of its own. `json`
  // must have kPadding readable bytes behind it and stay alive until `done` runs, which may be at once
  // or later on another thread. If too much is waiting, the answer is a ThrottlingException.
  static constexpr std::size_t kPadding = 64;
  struct Answer {
    int http_status = 200;
    std::string body;
    std::string_view error_name;  // empty on success
  };
  using AnswerCallback = std::move_only_function<void(Answer)>;
  // `unwanted`, if given, becomes true when nobody waits for the answer any more; it must live until
  // `done` runs.
  void ExecuteAsync(std::string_view operation, std::string_view padded_json, AnswerCallback done,
                    const std::atomic<bool>* unwanted = nullptr);

  // True if the operation is one this database knows.
  static bool Knows(std::string_view operation);
  // The error for an operation that it does not know.
  static Error UnknownOperation(std::string_view operation);

  // {"__type": …, "message": …} as DynamoDB sends it.
  static Answer ErrorAnswer(const Error& error);

  const std::string& region() const;

  // The time that this database goes by; turning it turns it for all callers.
  TurnableClock& clock();

  // Waits until no index is being built or removed, no table restored and no dropped one cleared.
  void WaitForBackgroundWork();

  // Since the database was opened. A write whose condition fails is not in it.
  struct ConsumedUnits {
    std::string table;
    std::string index;  // empty: the table itself
    double reads = 0;
    double writes = 0;
  };

  struct Stats {
    std::uint64_t tables = 0;
    std::uint64_t commits = 0;
    std::uint64_t mutations = 0;
    std::uint64_t syncs = 0;
    std::uint64_t disk_bytes = 0;
    std::uint64_t cache_bytes = 0;
    std::uint64_t statement_scans = 0;     // PartiQL statements that read a whole table or index
    std::uint64_t expired_items = 0;       // deleted because their time to live was over
    std::uint64_t expiry_lag_seconds = 0;  // of the oldest item that is still to be deleted
    std::uint64_t stream_records = 0;      // written since it was opened
    bool counts_units = false;
    std::vector<ConsumedUnits> consumed_units;  // empty unless units are counted
    // Of a store that processes share (DatabaseOptions::store).
    struct Shared {
      std::uint64_t edition = 0;           // of the tables' definitions
      bool is_keeper = false;              // works in the background for all
      std::uint64_t retried_rounds = 0;    // decided again, because others came first
      std::uint64_t looked_up_rounds = 0;  // the connection was lost while they were committed
      std::uint64_t open_connections = 0;
      std::uint64_t used_connections = 0;
      std::uint64_t refused_reads = 0;  // because no connection was free
      std::uint64_t lag_ms = 0;         // since the database was last heard
    };
    std::optional<Shared> shared;
  };
  Stats GetStats() const;

  // Whether writes are taken; reads are either way. After a failed write no more are taken until the
  // database is opened again, but a full disk mends itself once it has space.
  struct Health {
    // Empty: all is well; "no_space", "failed_write", "unreachable"
    std::string_view reason = {};
    std::string message = {};  // for people, without names of files
    bool is_writable() const { return reason.empty(); }
  };
  Health GetHealth() const;

 private:
  struct Impl;
  explicit Database(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace stator

#endif  // STATOR_DATABASE_H_
