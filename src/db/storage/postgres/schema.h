// The tables in PostgreSQL, and every statement that is sent to them.
//
// The SQL is a subset that Citus and CockroachDB understand too: no advisory locks, no LISTEN, no
// statement that writes inside another, and locks on rows one by one in the order of their keys.
#ifndef STATOR_STORAGE_POSTGRES_SCHEMA_H_
#define STATOR_STORAGE_POSTGRES_SCHEMA_H_

#include "storage/postgres/connection.h"
#include "storage/store.h"

namespace stator::postgres {

// The format of the tables. A program refuses a database whose `oldest` is greater than its own: that
// is the oldest format whose programs may still run beside the newest.
inline constexpr std::int64_t kFormat = 1;
inline constexpr std::int64_t kOldestBeside = 1;

// Makes the tables if there are none and it may. Refuses what is not ours, too new, too old or read-only, and
// then has written nothing.
StorageResult<void> PrepareSchema(Connection& connection, bool makes_tables);

// Whether the rows of a statement that locks must be on one machine.
StorageResult<bool> IsSpread(Connection& connection);

namespace sql {

inline constexpr Statement kBegin{"begin", "BEGIN ISOLATION LEVEL READ COMMITTED"};
inline constexpr Statement kBeginView{"begin_view",
                                      "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"};
inline constexpr Statement kCommit{"commit", "COMMIT"};
inline constexpr Statement kRollback{"rollback", "ROLLBACK"};

// Rows.
inline constexpr Statement kGet{"get", "SELECT value FROM stator_kv WHERE key = $1 AND part = $2"};
inline constexpr Statement kGetMany{
    "get_many", "SELECT key, value FROM stator_kv WHERE key = ANY($1::bytea[])"};
inline constexpr Statement kScan{
    "scan",
    "SELECT key, value FROM stator_kv WHERE key >= $1 AND key < $2 ORDER BY key LIMIT $3::bigint"};
inline constexpr Statement kScanToEnd{
    "scan_to_end",
    "SELECT key, value FROM stator_kv WHERE key >= $1 ORDER BY key LIMIT $2::bigint"};
inline constexpr Statement kScanBack{
    "scan_back",
    "SELECT key, value FROM stator_kv WHERE key >= $1 AND key < $2 ORDER BY key DESC LIMIT "
    "$3::bigint"};
inline constexpr Statement kScanBackFromEnd{
    "scan_back_from_end",
    "SELECT key, value FROM stator_kv WHERE key >= $1 ORDER BY key DESC LIMIT $2::bigint"};
inline constexpr Statement kBytes{"bytes",
                                  "SELECT COALESCE(sum(length(key) + length(value)), 0)::bigint "
                                  "FROM stator_kv WHERE key >= $1 AND (key < $2 OR $2 = '')"};

// A round: first its locks, then its writes. Mutations that others hold up wait longer, without others.
inline constexpr Statement kWaitForLocks{"wait_for_locks", "SET LOCAL lock_timeout = 2000"};
inline constexpr Statement kLock{
    "lock",
    "SELECT key, value FROM stator_kv WHERE key = ANY($1::bytea[]) ORDER BY key FOR UPDATE"};
inline constexpr Statement kLockOne{
    "lock_one", "SELECT key, value FROM stator_kv WHERE key = $1 AND part = $2 FOR UPDATE"};
inline constexpr Statement kFindAny{
    "find_any", "SELECT key FROM stator_kv WHERE key = ANY($1::bytea[]) LIMIT 1"};
inline constexpr Statement kLockEdition{"lock_edition",
                                        "SELECT n FROM stator_edition WHERE id = 0 FOR UPDATE"};
inline constexpr Statement kLockWriter{
    "lock_writer",
    "UPDATE stator_writers SET token = $2 WHERE id = $1 RETURNING edition, server, (extract(epoch "
    "FROM clock_timestamp()) * 1000)::bigint"};
inline constexpr Statement kInsert{"insert",
                                   "INSERT INTO stator_kv (key, part, value) SELECT * FROM "
                                   "unnest($1::bytea[], $2::bigint[], $3::bytea[])"};
inline constexpr Statement kPut{"put",
                                "INSERT INTO stator_kv (key, part, value) SELECT * FROM "
                                "unnest($1::bytea[], $2::bigint[], $3::bytea[]) "
                                "ON CONFLICT (key, part) DO UPDATE SET value = excluded.value"};
inline constexpr Statement kDelete{"delete", "DELETE FROM stator_kv WHERE key = ANY($1::bytea[])"};
inline constexpr Statement kDeleteRange{"delete_range",
                                        "DELETE FROM stator_kv WHERE key >= $1 AND key < $2"};
inline constexpr Statement kDeleteToEnd{"delete_to_end", "DELETE FROM stator_kv WHERE key >= $1"};
// The lock on the log's row lasts until the commit: numbers have no gaps and follow the commits.
inline constexpr Statement kCountRecords{
    "count_records",
    "INSERT INTO stator_logs (log, last) VALUES ($1, $2) "
    "ON CONFLICT (log) DO UPDATE SET last = stator_logs.last + excluded.last"};
inline constexpr Statement kAppend{
    "append",
    "INSERT INTO stator_kv (key, part, value) "
    "SELECT $1::bytea || decode(lpad(to_hex(l.last - $3::bigint + r.n), 16, '0'), 'hex'), "
    "$2::bigint, r.record FROM stator_logs l, unnest($4::bytea[]) WITH ORDINALITY AS r (record, n) "
    "WHERE l.log = $1::bytea"};
inline constexpr Statement kFindLog{"find_log", "SELECT last FROM stator_logs WHERE log = $1"};
inline constexpr Statement kMakeLog{
    "make_log", "INSERT INTO stator_logs (log, last) VALUES ($1, $2) ON CONFLICT (log) DO NOTHING"};
inline constexpr Statement kAddSums{
    "add_sums",
    "INSERT INTO stator_sums (name, writer, items, bytes) SELECT s.name, $1::bigint, s.items, "
    "s.bytes FROM unnest($2::bytea[], $3::bigint[], $4::bigint[]) AS s (name, items, bytes) "
    "ON CONFLICT (name, writer) DO UPDATE SET items = stator_sums.items + excluded.items, "
    "bytes = stator_sums.bytes + excluded.bytes"};
inline constexpr Statement kReadToken{
    "read_token", "SELECT token, server FROM stator_writers WHERE id = $1 FOR UPDATE"};

// Editions. The row of stator_edition is locked first: one new edition at a time.
inline constexpr Statement kNextEdition{"next_edition",
                                        "UPDATE stator_edition SET n = n + 1 WHERE id = 0"};
inline constexpr Statement kStoreEdition{
    "store_edition",
    "INSERT INTO stator_editions (n, keys) SELECT n, $1::bytea FROM stator_edition WHERE id = 0"};
inline constexpr Statement kFenceWriters{
    "fence_writers",
    "UPDATE stator_writers SET edition = (SELECT n FROM stator_edition WHERE id = 0)"};
inline constexpr Statement kForgetEditions{"forget_editions",
                                           "DELETE FROM stator_editions WHERE n < $1"};
inline constexpr Statement kReadEdition{
    "read_edition",
    "SELECT n, (extract(epoch FROM clock_timestamp()) * 1000)::bigint FROM stator_edition WHERE id "
    "= 0"};
inline constexpr Statement kReadEditions{
    "read_editions", "SELECT n, keys FROM stator_editions WHERE n > $1 AND n <= $2 ORDER BY n"};

// Servers, their writers, and the keeper among them.
inline constexpr Statement kBeat{
    "beat",
    "INSERT INTO stator_servers (id, beat, edition) VALUES ($1, now(), $2) "
    "ON CONFLICT (id) DO UPDATE SET beat = excluded.beat, edition = excluded.edition"};
inline constexpr Statement kForgetServers{
    "forget_servers",
    "DELETE FROM stator_servers WHERE id = $1 OR beat < now() - interval '1 hour'"};
inline constexpr Statement kCountBehind{
    "count_behind",
    "SELECT count(*)::bigint FROM stator_servers WHERE edition < $1 AND beat > now() - interval "
    "'2 seconds'"};
inline constexpr Statement kFreeWriters{
    "free_writers",
    "SELECT id FROM stator_writers WHERE server NOT IN (SELECT id FROM stator_servers WHERE beat > "
    "now() - interval '60 seconds') ORDER BY id LIMIT $1::bigint FOR UPDATE"};
inline constexpr Statement kTakeWriter{
    "take_writer",
    "INSERT INTO stator_writers (id, server, edition, token) SELECT $1::bigint, $2::bigint, n, 0 "
    "FROM stator_edition WHERE id = 0 ON CONFLICT (id) DO UPDATE SET server = excluded.server, "
    "edition = excluded.edition, token = 0"};
inline constexpr Statement kLastWriter{"last_writer",
                                       "SELECT COALESCE(max(id), 0)::bigint FROM stator_writers"};
inline constexpr Statement kLeaveWriters{"leave_writers",
                                         "UPDATE stator_writers SET server = 0 WHERE server = $1"};
inline constexpr Statement kReadKeeper{
    "read_keeper",
    "SELECT server, CASE WHEN until < now() THEN 1 ELSE 0 END::bigint FROM "
    "stator_keeper WHERE id = 0"};
inline constexpr Statement kStayKeeper{
    "stay_keeper",
    "UPDATE stator_keeper SET until = now() + interval '3 seconds' WHERE id = 0 AND server = $1"};
inline constexpr Statement kBecomeKeeper{
    "become_keeper",
    "UPDATE stator_keeper SET server = $1, until = now() + interval '3 seconds' WHERE id = 0 AND "
    "until < now()"};
inline constexpr Statement kLeaveKeeper{
    "leave_keeper",
    "UPDATE stator_keeper SET until = now() - interval '1 second' WHERE id = 0 AND "
    "server = $1"};

inline constexpr Statement kSums{
    "sums", "SELECT name, sum(items)::bigint, sum(bytes)::bigint FROM stator_sums GROUP BY name"};
inline constexpr Statement kSumsHere{
    "sums_here",
    "SELECT name, sum(items)::bigint, sum(bytes)::bigint FROM stator_sums WHERE writer = "
    "ANY($1::bigint[]) GROUP BY name"};
inline constexpr Statement kSumsElsewhere{
    "sums_elsewhere",
    "SELECT name, sum(items)::bigint, sum(bytes)::bigint FROM stator_sums WHERE writer <> "
    "ALL($1::bigint[]) GROUP BY name"};

// Checkpoints.
inline constexpr Statement kMakeCheckpoint{"make_checkpoint",
                                           "INSERT INTO stator_checkpoints (id) VALUES ($1)"};
inline constexpr Statement kCopyRange{
    "copy_range",
    "INSERT INTO stator_checkpoint_rows (id, key, value) SELECT $1::bytea, key, value FROM "
    "stator_kv WHERE key >= $2 AND key < $3"};
inline constexpr Statement kCopyToEnd{
    "copy_to_end",
    "INSERT INTO stator_checkpoint_rows (id, key, value) SELECT $1::bytea, key, value FROM "
    "stator_kv WHERE key >= $2"};
inline constexpr Statement kPutCheckpointRows{
    "put_checkpoint_rows",
    "INSERT INTO stator_checkpoint_rows (id, key, value) SELECT $1::bytea, r.key, r.value FROM "
    "unnest($2::bytea[], $3::bytea[]) AS r (key, value) ON CONFLICT (id, key) DO UPDATE SET value "
    "= excluded.value"};
inline constexpr Statement kFindCheckpoint{"find_checkpoint",
                                           "SELECT id FROM stator_checkpoints WHERE id = $1"};
inline constexpr Statement kListCheckpoints{"list_checkpoints",
                                            "SELECT id FROM stator_checkpoints ORDER BY id"};
inline constexpr Statement kDeleteCheckpoint{"delete_checkpoint",
                                             "DELETE FROM stator_checkpoints WHERE id = $1"};
inline constexpr Statement kDeleteCheckpointRows{
    "delete_checkpoint_rows", "DELETE FROM stator_checkpoint_rows WHERE id = $1"};
inline constexpr Statement kGetFromCheckpoint{
    "get_from_checkpoint", "SELECT value FROM stator_checkpoint_rows WHERE id = $1 AND key = $2"};
inline constexpr Statement kScanCheckpoint{
    "scan_checkpoint",
    "SELECT key, value FROM stator_checkpoint_rows WHERE id = $1 AND key >= $2 AND (key < $3 OR $3 "
    "= '') ORDER BY key LIMIT $4::bigint"};
inline constexpr Statement kScanCheckpointBack{
    "scan_checkpoint_back",
    "SELECT key, value FROM stator_checkpoint_rows WHERE id = $1 AND key >= $2 AND (key < $3 OR $3 "
    "= '') ORDER BY key DESC LIMIT $4::bigint"};

}  // namespace sql

}  // namespace stator::postgres

#endif  // STATOR_STORAGE_POSTGRES_SCHEMA_H_
