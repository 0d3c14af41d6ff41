#include "storage/postgres/round_writes.h"

#include <vector>

#include "storage/postgres/membership.h"
#include "storage/postgres/schema.h"
#include "storage/store.h"

namespace stator::postgres {

void QueueWrites(Connection& connection, std::int64_t writer, const Decisions& decisions,
                 std::int64_t (*part_of)(std::string_view key)) {
  if (decisions.Announces()) {
    connection.Queue(sql::kNextEdition);
    connection.Queue(sql::kStoreEdition, {Parameter::Bytes(EncodeKeys(decisions.AnnouncedKeys()))});
    connection.Queue(sql::kFenceWriters);
  }
  for (const KeyRange& range : decisions.Ranges()) {
    if (range.end.empty()) {
      connection.Queue(sql::kDeleteToEnd, {Parameter::Borrowed(range.begin)});
    } else {
      connection.Queue(sql::kDeleteRange,
                       {Parameter::Borrowed(range.begin), Parameter::Borrowed(range.end)});
    }
  }
  const Decisions::Writes writes = decisions.RowWrites();
  const auto queue_puts = [&](const Statement& statement, const std::vector<Decisions::Put>& puts) {
    if (puts.empty()) return;
    std::vector<std::string_view> keys;
    std::vector<std::int64_t> parts;
    std::vector<std::string_view> values;
    for (const Decisions::Put& put : puts) {
      keys.push_back(put.key);
      parts.push_back(part_of(put.key));
      values.push_back(put.value);
    }
    connection.Queue(statement, {Parameter::ByteArray(keys), Parameter::IntegerArray(parts),
                                 Parameter::ByteArray(values)});
  };
  queue_puts(sql::kInsert, writes.inserts);
  if (!writes.absent.empty()) {
    connection.Queue(sql::kDelete, {Parameter::ByteArray(writes.absent)});
  }
  if (!writes.deletes.empty()) {
    connection.Queue(sql::kDelete, {Parameter::ByteArray(writes.deletes)});
  }
  queue_puts(sql::kPut, writes.puts);
  for (const auto& [log, records] : decisions.Records()) {
    const auto count = static_cast<std::int64_t>(records.size());
    const std::vector<std::string_view> views(records.begin(), records.end());
    connection.Queue(sql::kCountRecords, {Parameter::Borrowed(log), Parameter::Integer(count)});
    connection.Queue(sql::kAppend, {Parameter::Borrowed(log), Parameter::Integer(part_of(log)),
                                    Parameter::Integer(count), Parameter::ByteArray(views)});
  }
  if (!decisions.Sums().empty()) {
    std::vector<std::string_view> names;
    std::vector<std::int64_t> items;
    std::vector<std::int64_t> bytes;
    for (const auto& [name, sum] : decisions.Sums()) {
      names.push_back(name);
      items.push_back(sum.first);
      bytes.push_back(sum.second);
    }
    connection.Queue(sql::kAddSums,
                     {Parameter::Integer(writer), Parameter::ByteArray(names),
                      Parameter::IntegerArray(items), Parameter::IntegerArray(bytes)});
  }
  connection.Queue(sql::kCommit);
}

}  // namespace stator::postgres
