// Connection: one connection to PostgreSQL, used in pipelines: statements are queued, sent together, and
// answered together. Everything has a deadline.
#ifndef STATOR_STORAGE_POSTGRES_CONNECTION_H_
#define STATOR_STORAGE_POSTGRES_CONNECTION_H_

#include <libpq-fe.h>

#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/store.h"

namespace stator::postgres {

// A statement that a connection prepares when it is first used.
struct Statement {
  const char* name;
  const char* sql;
};

// A parameter, in PostgreSQL's binary format.
class Parameter {
 public:
  static Parameter Bytes(std::string_view bytes) { return Parameter(std::string(bytes)); }
  // As Bytes, without a copy: the bytes must live until the pipeline has run.
  static Parameter Borrowed(std::string_view bytes) { return Parameter(bytes); }
  static Parameter Integer(std::int64_t value);
  static Parameter ByteArray(std::span<const std::string_view> values);
  static Parameter IntegerArray(std::span<const std::int64_t> values);

  std::string_view bytes() const { return borrowed_ ? *borrowed_ : std::string_view(owned_); }

 private:
  explicit Parameter(std::string owned) : owned_(std::move(owned)) {}
  explicit Parameter(std::string_view borrowed) : borrowed_(borrowed) {}
  std::string owned_;
  std::optional<std::string_view> borrowed_;
};

// The rows that a statement returned.
class Rows {
 public:
  explicit Rows(PGresult* result) : result_(result, &PQclear) {}

  int size() const { return PQntuples(result_.get()); }
  bool IsNull(int row, int column) const { return PQgetisnull(result_.get(), row, column) != 0; }
  std::string_view Bytes(int row, int column) const {
    return {PQgetvalue(result_.get(), row, column),
            static_cast<std::size_t>(PQgetlength(result_.get(), row, column))};
  }
  // REQUIRES: a bigint.
  std::int64_t Integer(int row, int column) const;
  // Rows that an INSERT, UPDATE or DELETE has changed.
  std::int64_t Changed() const;

 private:
  std::unique_ptr<PGresult, decltype(&PQclear)> result_;
};

// Why a pipeline failed.
struct Failure {
  std::string sqlstate;  // empty: the connection is gone, or did not answer in time
  std::string message;

  bool IsLost() const;
  // Another transaction came first; the same may succeed when it is tried again.
  bool IsConflict() const;
  // A lock or an answer did not come in time.
  bool IsTimeout() const;
  StorageError AsStorageError() const;
};

template <class T>
using Outcome = std::expected<T, Failure>;

using RealTime = std::chrono::steady_clock::time_point;

// What every connection begins with. All statements find their rows by key, whatever the planner believes
// of a table that nobody has analyzed yet, so a plan is made once: planning costs more than a read. Not
// every database has these settings.
inline constexpr const char* kPlanSettings =
    "SELECT set_config(name, CASE name WHEN 'plan_cache_mode' THEN 'force_generic_plan' ELSE 'off' "
    "END, false) FROM pg_settings WHERE name IN ('plan_cache_mode', 'enable_seqscan', "
    "'enable_bitmapscan', 'jit')";

// For one thread at a time.
class Connection {
 public:
  // `settings` is SQL that runs first, after kPlanSettings.
  static Outcome<std::unique_ptr<Connection>> Open(const std::string& url, const char* settings,
                                                   RealTime deadline);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Adds a statement to the pipeline.
  void Queue(const Statement& statement, std::span<const Parameter> parameters = {});
  void Queue(const Statement& statement, std::initializer_list<Parameter> parameters) {
    Queue(statement, std::span(parameters.begin(), parameters.size()));
  }
  // Sends the pipeline and waits for all answers, in the order of the statements. After an error the
  // statements that follow it in the pipeline have not run.
  Outcome<std::vector<Rows>> Run(RealTime deadline);
  // Sends the pipeline; the next Run waits for its end. What it says is of no interest.
  void RunAndForget();
  // One statement.
  Outcome<Rows> Run(const Statement& statement, std::initializer_list<Parameter> parameters,
                    RealTime deadline);
  // Statements that are not worth preparing, separated by semicolons.
  Outcome<void> RunScript(const std::string& sql, RealTime deadline);

  // After a failure that does not tell otherwise the connection can be used again, once the transaction
  // is rolled back.
  bool IsLost() const { return is_lost_ || PQstatus(connection_) == CONNECTION_BAD; }
  int server_version() const { return PQserverVersion(connection_); }

 private:
  enum class Kind : std::uint8_t { kPrepare, kExecute };
  struct Queued {
    Kind kind;
    const Statement* statement;
  };

  explicit Connection(PGconn* connection) : connection_(connection) {}
  Failure Lost(std::string_view what);
  Outcome<void> Flush(RealTime deadline, bool must_read);
  Outcome<PGresult*> NextResult(RealTime deadline);
  Outcome<void> WaitForSocket(bool to_write, RealTime deadline);
  Outcome<void> DrainForgotten(RealTime deadline);
  Outcome<std::vector<Rows>> ReadResults(const std::vector<Queued>& queued, RealTime deadline);

  PGconn* const connection_;
  std::set<const char*> prepared_;
  std::vector<Queued> queue_;
  std::vector<std::vector<Queued>> forgotten_;
  bool is_lost_ = false;
};

// The moment this much later.
RealTime After(std::chrono::milliseconds time);

}  // namespace stator::postgres

#endif  // STATOR_STORAGE_POSTGRES_CONNECTION_H_
