#include "storage/postgres/schema.h"

#include <fmt/format.h>

#include <set>
#include <string>

#include "storage/postgres/timing.h"

namespace stator::postgres {
namespace {

constexpr int kOldestServer = 13'00'00;

constexpr Statement kFindTables{
    "find_tables",
    "SELECT table_name::text FROM information_schema.tables WHERE table_schema = current_schema() "
    "AND substr(table_name::text, 1, 7) = 'stator_'"};
constexpr Statement kReadMeta{"read_meta",
                              "SELECT format, oldest FROM stator_meta WHERE product = 'stator'"};
constexpr Statement kFindCitus{"find_citus",
                               "SELECT extname::text FROM pg_extension WHERE extname = 'citus'"};
constexpr Statement kIsReadOnly{"is_read_only",
                                "SELECT current_setting('transaction_read_only')::text"};

const std::set<std::string, std::less<>> kTables = {
    "stator_meta",    "stator_kv",          "stator_logs",           "stator_sums",
    "stator_edition", "stator_editions",    "stator_writers",        "stator_servers",
    "stator_keeper",  "stator_checkpoints", "stator_checkpoint_rows"};

// The rows of stator_kv are everything; the other tables say how servers share them.
std::string Definition() {
  return fmt::format(R"(
BEGIN;
CREATE TABLE stator_meta (product text PRIMARY KEY, format bigint NOT NULL, oldest bigint NOT NULL);
CREATE TABLE stator_kv (key bytea NOT NULL, part bigint NOT NULL, value bytea NOT NULL,
                        PRIMARY KEY (key, part));
CREATE TABLE stator_logs (log bytea PRIMARY KEY, last bigint NOT NULL);
CREATE TABLE stator_sums (name bytea NOT NULL, writer bigint NOT NULL, items bigint NOT NULL,
                          bytes bigint NOT NULL, PRIMARY KEY (name, writer));
CREATE TABLE stator_edition (id bigint PRIMARY KEY, n bigint NOT NULL);
CREATE TABLE stator_editions (n bigint PRIMARY KEY, keys bytea NOT NULL);
CREATE TABLE stator_writers (id bigint PRIMARY KEY, server bigint NOT NULL, edition bigint NOT NULL,
                             token bigint NOT NULL);
CREATE TABLE stator_servers (id bigint PRIMARY KEY, beat timestamptz NOT NULL,
                             edition bigint NOT NULL);
CREATE TABLE stator_keeper (id bigint PRIMARY KEY, server bigint NOT NULL,
                            until timestamptz NOT NULL);
CREATE TABLE stator_checkpoints (id bytea PRIMARY KEY);
CREATE TABLE stator_checkpoint_rows (id bytea NOT NULL, key bytea NOT NULL, value bytea NOT NULL,
                                     PRIMARY KEY (id, key));
INSERT INTO stator_edition (id, n) VALUES (0, 1);
INSERT INTO stator_keeper (id, server, until) VALUES (0, 0, now() - interval '1 second');
INSERT INTO stator_meta (product, format, oldest) VALUES ('stator', {}, {});
COMMIT;
)",
                     kFormat, kOldestBeside);
}

StorageError Foreign(std::string message) {
  return {StorageError::Kind::kForeign, std::move(message)};
}

StorageResult<std::set<std::string, std::less<>>> FindTables(Connection& connection) {
  const auto rows = connection.Run(kFindTables, {}, After(kTimeToPrepare));
  if (!rows) return std::unexpected(rows.error().AsStorageError());
  std::set<std::string, std::less<>> tables;
  for (int i = 0; i < rows->size(); ++i) tables.emplace(rows->Bytes(i, 0));
  return tables;
}

StorageResult<void> CheckServer(Connection& connection) {
  if (connection.server_version() < kOldestServer) {
    return std::unexpected(
        Foreign(fmt::format("the database is PostgreSQL {}; version 13 or newer is needed",
                            connection.server_version() / 10'000)));
  }
  const auto read_only = connection.Run(kIsReadOnly, {}, After(kTimeToPrepare));
  if (!read_only) return std::unexpected(read_only.error().AsStorageError());
  if (read_only->Bytes(0, 0) == "on") {
    return std::unexpected(
        Foreign("the database is read-only, perhaps a replica; name the primary, or all hosts and "
                "target_session_attrs=read-write"));
  }
  return {};
}

StorageResult<void> CheckTables(Connection& connection,
                                const std::set<std::string, std::less<>>& tables) {
  for (const std::string& table : kTables) {
    if (!tables.contains(table)) {
      return std::unexpected(Foreign(fmt::format(
          "the database has tables named stator_…, but no {}: they belong to something else. Name "
          "another database, or a schema (…?options=-csearch_path%3DNAME)",
          table)));
    }
  }
  const auto meta = connection.Run(kReadMeta, {}, After(kTimeToPrepare));
  if (!meta || meta->size() != 1) {
    return std::unexpected(
        Foreign("the table stator_meta belongs to something else. Name another database, or a "
                "schema (…?options=-csearch_path%3DNAME)"));
  }
  if (meta->Integer(0, 1) > kFormat) {
    return std::unexpected(Foreign(
        fmt::format("the database has format {}, which programs that know format {} or newer can "
                    "use; this one knows {}. Use a newer stator",
                    meta->Integer(0, 0), meta->Integer(0, 1), kFormat)));
  }
  return {};
}

}  // namespace

StorageResult<bool> IsSpread(Connection& connection) {
  const auto rows = connection.Run(kFindCitus, {}, After(kTimeToPrepare));
  if (!rows) return std::unexpected(rows.error().AsStorageError());
  return rows->size() > 0;
}

StorageResult<void> PrepareSchema(Connection& connection, bool makes_tables) {
  if (auto checked = CheckServer(connection); !checked) return checked;
  auto tables = FindTables(connection);
  if (!tables) return std::unexpected(tables.error());
  if (tables->empty() && !makes_tables) {
    return std::unexpected(Foreign("the database has no tables of Stator"));
  }
  if (tables->empty()) {
    const auto made = connection.RunScript(Definition(), After(kTimeToPrepare));
    if (made) return {};
    if (connection.IsLost()) return std::unexpected(made.error().AsStorageError());
    (void)connection.RunScript("ROLLBACK", After(kTimeToPrepare));
    // Another server may have made them at this moment.
    tables = FindTables(connection);
    if (!tables || tables->empty()) {
      return std::unexpected(Foreign(
          "the tables of the store cannot be made: " + made.error().message +
          ". Let the owner of the database start the server once, or GRANT CREATE ON SCHEMA "
          "public TO its role"));
    }
  }
  return CheckTables(connection, *tables);
}

}  // namespace stator::postgres
