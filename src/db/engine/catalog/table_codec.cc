// A table's row in the catalog is a JSON object, so that it can be read by a person and gain
// members:
//
//   {"format":1,"number":7,"version":3,"name":…,"id":…,"arn":…,"keys":KEYS,
//    "definitions":[["pk","S"],…],"indexes":[INDEX,…],"nextIndex":2,"status":"ACTIVE",…}
//   KEYS  := {"hash":[["pk","S"],…],"range":[…]}
//   INDEX := {"number":1,"name":…,"global":true,"keys":KEYS,
//             "projection":"INCLUDE","included":["a",…],…}
//
// Members without a value are left out. Counts are not part of a row.
#include <algorithm>
#include <set>

#include "engine/catalog/table.h"
#include "engine/catalog/table_features_codec.h"
#include "engine/catalog/table_row.h"
#include "value/json.h"
#include "value/json_writer.h"
#include "wire/enum_text.h"

namespace stator {
namespace {

constexpr std::int64_t kFormat = 1;
constexpr std::size_t kMaxIndexKeyParts = 4;

using table_row::Reader;
using table_row::WriteDefinition;
using table_row::WriteKeyAttributes;

void WriteOptional(JsonWriter& out, std::string_view key,
                   const std::optional<std::int64_t>& value) {
  if (value) out.Key(key).Integer(*value);
}

void WriteKeys(JsonWriter& out, const KeySchema& keys) {
  out.Key("keys").BeginObject();
  WriteKeyAttributes(out, "hash", keys.hash);
  WriteKeyAttributes(out, "range", keys.range);
  out.EndObject();
}

void WriteThroughput(JsonWriter& out, const Throughput& throughput) {
  out.Key("throughput").BeginObject();
  out.Key("read").Integer(throughput.read_units);
  out.Key("write").Integer(throughput.write_units);
  out.Key("decreasesToday").Integer(throughput.decreases_today);
  WriteOptional(out, "lastIncreaseMs", throughput.last_increase_ms);
  WriteOptional(out, "lastDecreaseMs", throughput.last_decrease_ms);
  out.EndObject();
}

void WriteOnDemand(JsonWriter& out, const OnDemandThroughput& on_demand) {
  out.Key("onDemand").BeginObject();
  WriteOptional(out, "maxRead", on_demand.max_read_request_units);
  WriteOptional(out, "maxWrite", on_demand.max_write_request_units);
  out.EndObject();
}

void WriteWarm(JsonWriter& out, const std::optional<WarmThroughput>& warm) {
  if (!warm) return;
  out.Key("warm").BeginObject();
  WriteOptional(out, "read", warm->read_units_per_second);
  WriteOptional(out, "write", warm->write_units_per_second);
  out.EndObject();
}

void WriteIndex(JsonWriter& out, const Index& index) {
  out.BeginObject();
  out.Key("number").Integer(index.number);
  out.Key("name").String(index.name);
  out.Key("global").Bool(index.global);
  WriteKeys(out, index.keys);
  out.Key("projection").String(EnumText(index.projection));
  out.Key("included").BeginArray();
  for (const std::string& name : index.non_key_attributes) out.String(name);
  out.EndArray();
  out.Key("status").String(EnumText(index.status));
  if (index.backfilling) out.Key("backfilling").Bool(*index.backfilling);
  out.Key("backfillCursor").Base64(index.backfill_cursor);
  WriteThroughput(out, index.throughput);
  WriteOnDemand(out, index.on_demand);
  WriteWarm(out, index.warm);
  out.EndObject();
}

KeySchema ReadKeys(Reader& in, std::size_t max_parts) {
  KeySchema keys;
  in.Object("keys", [&](Reader& inner) {
    keys.hash = inner.KeyAttributes("hash");
    keys.range = inner.KeyAttributes("range");
  });
  in.Require(!keys.hash.empty() && keys.hash.size() <= max_parts && keys.range.size() <= max_parts);
  return keys;
}

Throughput ReadThroughput(Reader& in) {
  Throughput throughput;
  in.Object("throughput", [&](Reader& inner) {
    throughput.read_units = inner.Integer("read");
    throughput.write_units = inner.Integer("write");
    throughput.decreases_today = inner.Integer("decreasesToday");
    throughput.last_increase_ms = inner.OptionalInteger("lastIncreaseMs");
    throughput.last_decrease_ms = inner.OptionalInteger("lastDecreaseMs");
  });
  return throughput;
}

OnDemandThroughput ReadOnDemand(Reader& in) {
  OnDemandThroughput on_demand;
  in.Object("onDemand", [&](Reader& inner) {
    on_demand.max_read_request_units = inner.OptionalInteger("maxRead");
    on_demand.max_write_request_units = inner.OptionalInteger("maxWrite");
  });
  return on_demand;
}

std::optional<WarmThroughput> ReadWarm(Reader& in) {
  if (!in.Has("warm")) return std::nullopt;
  WarmThroughput warm;
  in.Object("warm", [&](Reader& inner) {
    warm.read_units_per_second = inner.OptionalInteger("read");
    warm.write_units_per_second = inner.OptionalInteger("write");
  });
  return warm;
}

Index ReadIndex(Reader& in) {
  Index index;
  index.number = in.Number<IndexNumber>("number");
  index.name = in.String("name");
  index.global = in.Bool("global");
  index.keys = ReadKeys(in, index.global ? kMaxIndexKeyParts : 1);
  index.projection = in.Enum<ProjectionType>("projection");
  index.non_key_attributes = in.Strings("included");
  index.status = in.Enum<IndexStatus>("status");
  if (in.Has("backfilling")) index.backfilling = in.Bool("backfilling");
  index.backfill_cursor = in.Bytes("backfillCursor");
  index.throughput = ReadThroughput(in);
  index.on_demand = ReadOnDemand(in);
  index.warm = ReadWarm(in);
  return index;
}

// What the engine relies on beyond the shape of each member.
bool IsCoherent(const Table& table) {
  std::set<IndexNumber> numbers;
  std::set<std::string_view> names;
  for (const Index& index : table.indexes) {
    if (index.number == 0 || index.number >= table.next_index_number) return false;
    if (!numbers.insert(index.number).second || !names.insert(index.name).second) return false;
  }
  return table.version != 0 && std::ranges::is_sorted(table.indexes, {}, &Index::global) &&
         std::ranges::is_sorted(table.attribute_definitions);
}

void ReadTable(Reader& in, Table& table) {
  in.Require(in.Integer("format") == kFormat);
  table.number = in.Number<TableNumber>("number");
  table.version = in.Number<std::uint64_t>("version");
  table.name = in.String("name");
  table.id = in.String("id");
  table.arn = in.String("arn");
  table.keys = ReadKeys(in, 1);
  table.attribute_definitions = in.Definitions("definitions");
  in.Objects("indexes", [&](Reader& inner) { table.indexes.push_back(ReadIndex(inner)); });
  for (Index& index : table.indexes) CompleteIndex(table.keys, index);
  table.next_index_number = in.Number<IndexNumber>("nextIndex");
  table.status = in.Enum<TableStatus>("status");
  table.creation_ms = in.Integer("creationMs");
  table.billing_mode = in.Enum<BillingMode>("billingMode");
  table.was_ever_pay_per_request = in.Bool("wasEverPayPerRequest");
  table.last_update_to_pay_per_request_ms = in.OptionalInteger("lastUpdateToPayPerRequestMs");
  table.throughput = ReadThroughput(in);
  table.on_demand = ReadOnDemand(in);
  table.warm = ReadWarm(in);
  if (in.Has("tableClass")) table.table_class = in.Enum<TableClass>("tableClass");
  table.table_class_update_ms = in.OptionalInteger("tableClassUpdateMs");
  table.table_class_changes_ms = in.Integers("tableClassChangesMs");
  table.deletion_protection = in.Bool("deletionProtection");
  table.deletion_protection_change_ms = in.Integer("deletionProtectionChangeMs");
  table.tags = in.StringPairs("tags");
  ReadFeatures(in, table);
}

}  // namespace

std::string EncodeTable(const Table& table) {
  std::string json;
  JsonWriter out(json);
  out.BeginObject();
  out.Key("format").Integer(kFormat);
  out.Key("number").Integer(table.number);
  out.Key("version").Integer(static_cast<std::int64_t>(table.version));
  out.Key("name").String(table.name);
  out.Key("id").String(table.id);
  out.Key("arn").String(table.arn);
  WriteKeys(out, table.keys);
  out.Key("definitions").BeginArray();
  for (const auto& [name, type] : table.attribute_definitions) WriteDefinition(out, name, type);
  out.EndArray();
  out.Key("indexes").BeginArray();
  for (const Index& index : table.indexes) WriteIndex(out, index);
  out.EndArray();
  out.Key("nextIndex").Integer(table.next_index_number);
  out.Key("status").String(EnumText(table.status));
  out.Key("creationMs").Integer(table.creation_ms);
  out.Key("billingMode").String(EnumText(table.billing_mode));
  out.Key("wasEverPayPerRequest").Bool(table.was_ever_pay_per_request);
  WriteOptional(out, "lastUpdateToPayPerRequestMs", table.last_update_to_pay_per_request_ms);
  WriteThroughput(out, table.throughput);
  WriteOnDemand(out, table.on_demand);
  WriteWarm(out, table.warm);
  if (table.table_class) out.Key("tableClass").String(EnumText(*table.table_class));
  WriteOptional(out, "tableClassUpdateMs", table.table_class_update_ms);
  out.Key("tableClassChangesMs").BeginArray();
  for (std::int64_t change_ms : table.table_class_changes_ms) out.Integer(change_ms);
  out.EndArray();
  out.Key("deletionProtection").Bool(table.deletion_protection);
  out.Key("deletionProtectionChangeMs").Integer(table.deletion_protection_change_ms);
  out.Key("tags").BeginArray();
  for (const auto& [key, value] : table.tags) {
    out.BeginArray().String(key).String(value).EndArray();
  }
  out.EndArray();
  WriteFeatures(out, table);
  out.EndObject();
  return json;
}

std::optional<Table> DecodeTable(std::string_view json) {
  JsonDocument document;
  if (!document.Parse(json)) return std::nullopt;
  Table table;
  Reader in(document.root());
  if (in.ok()) ReadTable(in, table);
  if (!in.ok() || !IsCoherent(table)) return std::nullopt;
  return table;
}

}  // namespace stator
