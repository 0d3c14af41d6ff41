#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>

#include "engine/catalog/table.h"

namespace stator {
namespace table_codec_test {

using rc::gen::arbitrary;
using rc::gen::inRange;

// Any text that JSON can carry.
std::string AnyText() {
  std::string text;
  for (int code : *rc::gen::container<std::vector<int>>(inRange(0, 0x250))) {
    if (code < 0x80) {
      text.push_back(static_cast<char>(code));
    } else {
      text.push_back(static_cast<char>(0xC0 | (code >> 6)));
      text.push_back(static_cast<char>(0x80 | (code & 0x3F)));
    }
  }
  return text;
}

std::optional<std::int64_t> MaybeInteger() {
  if (!*arbitrary<bool>()) return std::nullopt;
  return *arbitrary<std::int64_t>();
}

template <class E>
E AnyOf(int count) {
  return static_cast<E>(*inRange(0, count));
}

std::vector<KeyAttribute> AnyKeys(int min, int max) {
  std::vector<KeyAttribute> keys(static_cast<std::size_t>(*inRange(min, max + 1)));
  for (KeyAttribute& key : keys) key = {AnyText(), AnyOf<ScalarType>(3)};
  return keys;
}

Throughput AnyThroughput() {
  return {.read_units = *arbitrary<std::int64_t>(),
          .write_units = *arbitrary<std::int64_t>(),
          .decreases_today = *arbitrary<std::int64_t>(),
          .last_increase_ms = MaybeInteger(),
          .last_decrease_ms = MaybeInteger()};
}

Index AnyIndex(IndexNumber number, bool global) {
  Index index;
  index.number = number;
  index.name = std::to_string(number) + AnyText();
  index.global = global;
  index.keys = {AnyKeys(1, global ? 4 : 1), AnyKeys(0, global ? 4 : 1)};
  index.projection = AnyOf<ProjectionType>(3);
  for (int i = *inRange(0, 4); i > 0; --i) index.non_key_attributes.push_back(AnyText());
  index.status = AnyOf<IndexStatus>(4);
  if (*arbitrary<bool>()) index.backfilling = *arbitrary<bool>();
  index.backfill_cursor = *arbitrary<std::string>();
  index.throughput = AnyThroughput();
  index.on_demand = {MaybeInteger(), MaybeInteger()};
  if (*arbitrary<bool>()) index.warm = {MaybeInteger(), MaybeInteger()};
  return index;
}

void AddAnyFeatures(Table& table) {
  if (*arbitrary<bool>()) {
    TableStream stream{*inRange<StreamNumber>(1, 9), AnyText(), AnyOf<StreamViewType>(4), {}};
    stream.shards.push_back({.number = 1});
    for (const std::uint64_t hash : *rc::gen::arbitrary<std::set<std::uint64_t>>()) {
      if (hash != 0)
        stream.shards.push_back({.number = stream.shards.size() + 1, .first_hash = hash});
    }
    table.stream = std::move(stream);
  }
  if (*arbitrary<bool>()) table.latest_stream_label = AnyText();
  if (*arbitrary<bool>()) table.time_to_live = {AnyText(), AnyOf<TimeToLiveStatus>(3), AnyText()};
  table.time_to_live_change_ms = MaybeInteger();
  if (*arbitrary<bool>()) table.recovery = {*arbitrary<std::int64_t>(), *inRange(1, 36)};
  if (*arbitrary<bool>()) {
    table.restored_from = {AnyText(), AnyText(), *arbitrary<std::int64_t>(), AnyText(),
                           *arbitrary<std::uint32_t>()};
  }
}

Table AnyTable() {
  Table table;
  table.number = *arbitrary<TableNumber>();
  table.version = static_cast<std::uint64_t>(*inRange<std::int64_t>(1, INT64_MAX));
  table.name = AnyText();
  table.id = AnyText();
  table.arn = AnyText();
  table.keys = {AnyKeys(1, 1), AnyKeys(0, 1)};
  for (int i = *inRange(0, 4); i > 0; --i) {
    table.attribute_definitions.emplace_back(AnyText(), AnyOf<ScalarType>(3));
  }
  std::ranges::sort(table.attribute_definitions);
  for (bool global : {false, true}) {
    for (int i = *inRange(0, 3); i > 0; --i) {
      table.indexes.push_back(AnyIndex(table.next_index_number++, global));
    }
  }
  for (Index& index : table.indexes) CompleteIndex(table.keys, index);
  table.status = AnyOf<TableStatus>(4);
  table.creation_ms = *arbitrary<std::int64_t>();
  table.billing_mode = AnyOf<BillingMode>(2);
  table.was_ever_pay_per_request = *arbitrary<bool>();
  table.last_update_to_pay_per_request_ms = MaybeInteger();
  table.throughput = AnyThroughput();
  table.on_demand = {MaybeInteger(), MaybeInteger()};
  if (*arbitrary<bool>()) table.warm = {MaybeInteger(), MaybeInteger()};
  if (*arbitrary<bool>()) table.table_class = AnyOf<TableClass>(2);
  table.table_class_update_ms = MaybeInteger();
  table.table_class_changes_ms = *arbitrary<std::vector<std::int64_t>>();
  table.deletion_protection = *arbitrary<bool>();
  table.deletion_protection_change_ms = *arbitrary<std::int64_t>();
  for (int i = *inRange(0, 4); i > 0; --i) table.tags.emplace_back(AnyText(), AnyText());
  AddAnyFeatures(table);
  return table;
}

void ExpectSame(const Throughput& a, const Throughput& b) {
  RC_ASSERT(a.read_units == b.read_units && a.write_units == b.write_units);
  RC_ASSERT(a.decreases_today == b.decreases_today);
  RC_ASSERT(a.last_increase_ms == b.last_increase_ms && a.last_decrease_ms == b.last_decrease_ms);
}

bool Same(const std::vector<KeyAttribute>& a, const std::vector<KeyAttribute>& b) {
  return std::ranges::equal(a, b, [](const KeyAttribute& x, const KeyAttribute& y) {
    return x.name == y.name && x.type == y.type;
  });
}

bool Same(const OnDemandThroughput& a, const OnDemandThroughput& b) {
  return a.max_read_request_units == b.max_read_request_units &&
         a.max_write_request_units == b.max_write_request_units;
}

bool Same(const std::optional<WarmThroughput>& a, const std::optional<WarmThroughput>& b) {
  return a.has_value() == b.has_value() &&
         (!a || (a->read_units_per_second == b->read_units_per_second &&
                 a->write_units_per_second == b->write_units_per_second));
}

void ExpectSame(const Index& a, const Index& b) {
  RC_ASSERT(a.number == b.number && a.name == b.name && a.global == b.global);
  RC_ASSERT(Same(a.keys.hash, b.keys.hash) && Same(a.keys.range, b.keys.range));
  RC_ASSERT(a.projection == b.projection && a.non_key_attributes == b.non_key_attributes);
  RC_ASSERT(a.entry_attributes == b.entry_attributes);
  RC_ASSERT(a.status == b.status && a.backfilling == b.backfilling);
  RC_ASSERT(a.backfill_cursor == b.backfill_cursor);
  ExpectSame(a.throughput, b.throughput);
  RC_ASSERT(Same(a.on_demand, b.on_demand) && Same(a.warm, b.warm));
}

void ExpectSame(const Table& a, const Table& b) {
  RC_ASSERT(a.number == b.number && a.version == b.version && a.name == b.name);
  RC_ASSERT(a.id == b.id && a.arn == b.arn);
  RC_ASSERT(Same(a.keys.hash, b.keys.hash) && Same(a.keys.range, b.keys.range));
  RC_ASSERT(a.attribute_definitions == b.attribute_definitions);
  RC_ASSERT(a.indexes.size() == b.indexes.size());
  for (std::size_t i = 0; i < a.indexes.size(); ++i) ExpectSame(a.indexes[i], b.indexes[i]);
  RC_ASSERT(a.next_index_number == b.next_index_number && a.status == b.status);
  RC_ASSERT(a.creation_ms == b.creation_ms && a.billing_mode == b.billing_mode);
  RC_ASSERT(a.was_ever_pay_per_request == b.was_ever_pay_per_request);
  RC_ASSERT(a.last_update_to_pay_per_request_ms == b.last_update_to_pay_per_request_ms);
  ExpectSame(a.throughput, b.throughput);
  RC_ASSERT(Same(a.on_demand, b.on_demand) && Same(a.warm, b.warm));
  RC_ASSERT(a.table_class == b.table_class && a.table_class_update_ms == b.table_class_update_ms);
  RC_ASSERT(a.table_class_changes_ms == b.table_class_changes_ms);
  RC_ASSERT(a.deletion_protection == b.deletion_protection);
  RC_ASSERT(a.deletion_protection_change_ms == b.deletion_protection_change_ms);
  RC_ASSERT(a.tags == b.tags);
  RC_ASSERT(a.stream == b.stream && a.latest_stream_label == b.latest_stream_label);
  RC_ASSERT(a.time_to_live == b.time_to_live && a.recovery == b.recovery);
  RC_ASSERT(a.restored_from == b.restored_from);
  RC_ASSERT(a.time_to_live_change_ms == b.time_to_live_change_ms);
}

TEST(TableCodec, EveryTableComesBackAsItWas) {
  EXPECT_TRUE(rc::check([] {
    const Table table = AnyTable();
    const std::optional<Table> decoded = DecodeTable(EncodeTable(table));
    RC_ASSERT(decoded.has_value());
    ExpectSame(table, *decoded);
  }));
}

TEST(TableCodec, ARowThatIsCutOffIsRefused) {
  EXPECT_TRUE(rc::check([] {
    const std::string row = EncodeTable(AnyTable());
    const auto length = static_cast<std::size_t>(*inRange<std::int64_t>(0, std::ssize(row)));
    RC_ASSERT(!DecodeTable(row.substr(0, length)));
  }));
}

TEST(TableCodec, DamagedRowsNeverCrash) {
  EXPECT_TRUE(rc::check([] {
    std::string row = EncodeTable(AnyTable());
    for (int i = *inRange(1, 8); i > 0; --i) {
      row[static_cast<std::size_t>(*inRange<std::int64_t>(0, std::ssize(row)))] =
          *arbitrary<char>();
    }
    const std::optional<Table> decoded = DecodeTable(row);
    RC_ASSERT((!decoded || decoded->keys.hash.size() == 1));
  }));
}

std::string Replaced(std::string row, std::string_view from, std::string_view to) {
  const std::size_t at = row.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return row.replace(at, from.size(), to);
}

TEST(TableCodec, RowsThatTheEngineCouldNotUseAreRefused) {
  Table table;
  table.number = 7;
  table.version = 1;
  table.name = "Music";
  table.keys.hash = {{"pk", ScalarType::kS}};
  Index index;
  index.number = table.next_index_number++;
  index.name = "by-year";
  index.global = true;
  index.keys.hash = {{"year", ScalarType::kN}};
  table.indexes.push_back(index);
  const std::string row = EncodeTable(table);
  ASSERT_TRUE(DecodeTable(row));
  EXPECT_FALSE(DecodeTable(""));
  EXPECT_FALSE(DecodeTable("[]"));
  EXPECT_FALSE(DecodeTable("{}"));
  EXPECT_FALSE(DecodeTable(Replaced(row, R"("format":1)", R"("format":2)")));
  EXPECT_FALSE(DecodeTable(Replaced(row, R"("number":7)", R"("number":-7)")));
  EXPECT_FALSE(DecodeTable(Replaced(row, R"("number":7)", R"("number":4294967296)")));
  EXPECT_FALSE(DecodeTable(Replaced(row, R"("version":1)", R"("version":0)")));
  EXPECT_FALSE(DecodeTable(Replaced(row, R"([["pk","S"]])", "[]"))) << "no partition key";
  EXPECT_FALSE(DecodeTable(Replaced(row, R"(["pk","S"])", R"(["pk","S"],["x","S"])")));
  EXPECT_FALSE(DecodeTable(Replaced(row, R"(["pk","S"])", R"(["pk","BOOL"])")));
  EXPECT_FALSE(DecodeTable(Replaced(row, R"("nextIndex":2)", R"("nextIndex":1)")));
  EXPECT_FALSE(DecodeTable(Replaced(row, R"("backfillCursor":"")", R"("backfillCursor":"x")")));
}

}  // namespace table_codec_test
}  // namespace stator
