#include "storage/postgres/connection.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/big_endian.h"
#include "base/check.h"
#include "base/try.h"

namespace stator::postgres {
namespace {

constexpr int kBinary = 1;
constexpr unsigned kByteaType = 17;
constexpr unsigned kBigintType = 20;

// The head of a binary array of one dimension.
std::string ArrayHead(unsigned type, std::size_t size) {
  std::string array;
  AppendBigEndian(array, 1, 4);  // dimensions
  AppendBigEndian(array, 0, 4);  // no nulls
  AppendBigEndian(array, type, 4);
  AppendBigEndian(array, size, 4);
  AppendBigEndian(array, 1, 4);  // the first subscript
  return array;
}

std::string Trimmed(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  return std::string(text);
}

Failure FailureOf(const PGresult* result) {
  const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  const char* primary = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  return {.sqlstate = state != nullptr ? state : "",
          .message = Trimmed(primary != nullptr ? primary : PQresultErrorMessage(result))};
}

}  // namespace

RealTime After(std::chrono::milliseconds time) { return std::chrono::steady_clock::now() + time; }

Parameter Parameter::Integer(std::int64_t value) {
  return Parameter(BigEndian(static_cast<std::uint64_t>(value), 8));
}

Parameter Parameter::ByteArray(std::span<const std::string_view> values) {
  std::string array = ArrayHead(kByteaType, values.size());
  std::size_t bytes = array.size();
  for (const std::string_view value : values) bytes += 4 + value.size();
  array.reserve(bytes);
  for (const std::string_view value : values) {
    AppendBigEndian(array, value.size(), 4);
    array.append(value);
  }
  return Parameter(std::move(array));
}

Parameter Parameter::IntegerArray(std::span<const std::int64_t> values) {
  std::string array = ArrayHead(kBigintType, values.size());
  for (const std::int64_t value : values) {
    AppendBigEndian(array, 8, 4);
    AppendBigEndian(array, static_cast<std::uint64_t>(value), 8);
  }
  return Parameter(std::move(array));
}

std::int64_t Rows::Integer(int row, int column) const {
  return static_cast<std::int64_t>(ReadBigEndian(Bytes(row, column)));
}

std::int64_t Rows::Changed() const {
  const std::string_view text = PQcmdTuples(result_.get());
  std::int64_t count = 0;
  std::from_chars(text.data(), text.data() + text.size(), count);
  return count;
}

bool Failure::IsLost() const {
  // 57P..: the server is shutting down or the connection was ended; 25006: this server is (now) a
  // replica, its successor is elsewhere; 08...: connection errors.
  return sqlstate.empty() || sqlstate.starts_with("57P") || sqlstate.starts_with("08") ||
         sqlstate == "25006";
}

bool Failure::IsConflict() const {
  return sqlstate == "40001" || sqlstate == "40P01" || sqlstate == "23505";
}

bool Failure::IsTimeout() const { return sqlstate == "55P03" || sqlstate == "57014"; }

StorageError Failure::AsStorageError() const {
  using Kind = StorageError::Kind;
  if (IsConflict()) return {Kind::kConflict, message};
  if (IsTimeout() || sqlstate == "53300") return {Kind::kBusy, message};
  if (sqlstate == "53100") return {Kind::kNoSpace, message};
  return {Kind::kIo, IsLost() ? "the database cannot be reached: " + message
                              : "the database refused: " + message + " (" + sqlstate + ")"};
}

Outcome<std::unique_ptr<Connection>> Connection::Open(const std::string& url, const char* settings,
                                                      RealTime deadline) {
  // What the address says outranks these: libpq takes the later of two. It waits for each host in turn.
  const char* const names[] = {"connect_timeout", "application_name", "tcp_user_timeout", "dbname",
                               nullptr};
  const char* const values[] = {"3", "stator", "15000", url.c_str(), nullptr};
  PGconn* const connection = PQconnectdbParams(names, values, /*expand_dbname=*/1);
  std::unique_ptr<Connection> opened(new Connection(connection));
  if (PQstatus(connection) != CONNECTION_OK) {
    // libpq does not keep the code of an error at connecting.
    return std::unexpected(Failure{{}, Trimmed(PQerrorMessage(connection))});
  }
  PQsetNoticeProcessor(connection, [](void*, const char*) {}, nullptr);
  const std::string script = fmt::format("{}; {}", kPlanSettings, settings);
  if (auto set = opened->RunScript(script, deadline); !set) return std::unexpected(set.error());
  if (PQsetnonblocking(connection, 1) != 0 || PQenterPipelineMode(connection) != 1) {
    return std::unexpected(opened->Lost(PQerrorMessage(connection)));
  }
  return opened;
}

Connection::~Connection() { PQfinish(connection_); }

Failure Connection::Lost(std::string_view what) {
  is_lost_ = true;
  return {.sqlstate = {}, .message = Trimmed(what)};
}

Outcome<void> Connection::WaitForSocket(bool to_write, RealTime deadline) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  if (left.count() <= 0) return std::unexpected(Lost("no answer in time"));
  pollfd socket{.fd = PQsocket(connection_), .events = POLLIN, .revents = 0};
  if (to_write) socket.events |= POLLOUT;
  const int ready =
      poll(&socket, 1, static_cast<int>(std::min<std::int64_t>(left.count(), 60'000)));
  if (ready < 0 && errno != EINTR) return std::unexpected(Lost("poll failed"));
  return {};
}

void Connection::Queue(const Statement& statement, std::span<const Parameter> parameters) {
  if (is_lost_) return;
  if (prepared_.insert(statement.name).second) {
    if (PQsendPrepare(connection_, statement.name, statement.sql, 0, nullptr) != 1) {
      (void)Lost(PQerrorMessage(connection_));
      return;
    }
    queue_.push_back({Kind::kPrepare, &statement});
  }
  constexpr std::size_t kMaxParameters = 8;
  STATOR_CHECK(parameters.size() <= kMaxParameters);
  const char* values[kMaxParameters];
  int lengths[kMaxParameters];
  int formats[kMaxParameters];
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const std::string_view bytes = parameters[i].bytes();
    values[i] = bytes.data() == nullptr ? "" : bytes.data();
    lengths[i] = static_cast<int>(bytes.size());
    formats[i] = kBinary;
  }
  if (PQsendQueryPrepared(connection_, statement.name, static_cast<int>(parameters.size()), values,
                          lengths, formats, kBinary) != 1) {
    (void)Lost(PQerrorMessage(connection_));
    return;
  }
  queue_.push_back({Kind::kExecute, &statement});
}

// Sends what libpq holds, reading at the same time, so that neither side waits for the other.
Outcome<void> Connection::Flush(RealTime deadline, bool must_read) {
  for (;;) {
    const int left = PQflush(connection_);
    if (left < 0) return std::unexpected(Lost(PQerrorMessage(connection_)));
    if (left == 0 && !must_read) return {};
    if (auto waited = WaitForSocket(left > 0, deadline); !waited) return waited;
    if (PQconsumeInput(connection_) != 1) {
      return std::unexpected(Lost(PQerrorMessage(connection_)));
    }
    if (left == 0) return {};
  }
}

Outcome<PGresult*> Connection::NextResult(RealTime deadline) {
  while (PQisBusy(connection_) != 0) {
    if (auto flushed = Flush(deadline, /*must_read=*/true); !flushed) {
      return std::unexpected(flushed.error());
    }
  }
  return PQgetResult(connection_);
}

Outcome<std::vector<Rows>> Connection::ReadResults(const std::vector<Queued>& queued,
                                                   RealTime deadline) {
  std::vector<Rows> all;
  std::optional<Failure> failure;
  for (const Queued& one : queued) {
    auto result = NextResult(deadline);
    if (!result) return std::unexpected(result.error());
    if (*result == nullptr) return std::unexpected(Lost(PQerrorMessage(connection_)));
    Rows rows(*result);
    const ExecStatusType status = PQresultStatus(*result);
    const bool succeeded = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
    if (!succeeded && one.kind == Kind::kPrepare) prepared_.erase(one.statement->name);
    if (!succeeded && !failure && status != PGRES_PIPELINE_ABORTED) failure = FailureOf(*result);
    if (one.kind == Kind::kExecute) all.push_back(std::move(rows));
    if (PQstatus(connection_) == CONNECTION_BAD) {
      return std::unexpected(Lost(failure ? failure->message : "the connection was closed"));
    }
    auto end = NextResult(deadline);  // null: no more of this statement
    if (!end) return std::unexpected(end.error());
    STATOR_CHECK(*end == nullptr);
  }
  auto sync = NextResult(deadline);
  if (!sync) return std::unexpected(sync.error());
  if (*sync == nullptr) return std::unexpected(Lost(PQerrorMessage(connection_)));
  PQclear(*sync);
  if (!failure) return all;
  if (failure->IsLost()) is_lost_ = true;
  return std::unexpected(*std::move(failure));
}

Outcome<void> Connection::DrainForgotten(RealTime deadline) {
  for (const std::vector<Queued>& queued : std::exchange(forgotten_, {})) {
    auto results = ReadResults(queued, deadline);
    if (!results && is_lost_) return std::unexpected(results.error());
  }
  return {};
}

Outcome<std::vector<Rows>> Connection::Run(RealTime deadline) {
  const std::vector<Queued> queued = std::exchange(queue_, {});
  if (is_lost_) return std::unexpected(Lost("the connection is closed"));
  if (PQpipelineSync(connection_) != 1) {
    return std::unexpected(Lost(PQerrorMessage(connection_)));
  }
  if (auto flushed = Flush(deadline, /*must_read=*/false); !flushed) {
    return std::unexpected(flushed.error());
  }
  if (auto drained = DrainForgotten(deadline); !drained) return std::unexpected(drained.error());
  return ReadResults(queued, deadline);
}

void Connection::RunAndForget() {
  std::vector<Queued> queued = std::exchange(queue_, {});
  if (is_lost_) return;
  if (PQpipelineSync(connection_) != 1 || PQflush(connection_) < 0) {
    (void)Lost(PQerrorMessage(connection_));
    return;
  }
  forgotten_.push_back(std::move(queued));
}

Outcome<Rows> Connection::Run(const Statement& statement,
                              std::initializer_list<Parameter> parameters, RealTime deadline) {
  Queue(statement, parameters);
  auto results = Run(deadline);
  if (!results) return std::unexpected(results.error());
  return std::move(results->front());
}

Outcome<void> Connection::RunScript(const std::string& sql, RealTime deadline) {
  const bool was_pipeline = PQpipelineStatus(connection_) != PQ_PIPELINE_OFF;
  if (was_pipeline) {
    if (auto drained = DrainForgotten(deadline); !drained) return drained;
    if (PQexitPipelineMode(connection_) != 1) {
      return std::unexpected(Lost(PQerrorMessage(connection_)));
    }
  }
  if (PQsendQuery(connection_, sql.c_str()) != 1) {
    return std::unexpected(Lost(PQerrorMessage(connection_)));
  }
  std::optional<Failure> failure;
  for (;;) {
    auto result = NextResult(deadline);
    if (!result) return std::unexpected(result.error());
    if (*result == nullptr) break;
    const Rows rows(*result);
    const ExecStatusType status = PQresultStatus(*result);
    const bool succeeded = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
    if (!succeeded && !failure) failure = FailureOf(*result);
  }
  if (was_pipeline && PQenterPipelineMode(connection_) != 1) {
    return std::unexpected(Lost(PQerrorMessage(connection_)));
  }
  if (!failure) return {};
  if (failure->IsLost()) is_lost_ = true;
  return std::unexpected(*std::move(failure));
}

}  // namespace stator::postgres
