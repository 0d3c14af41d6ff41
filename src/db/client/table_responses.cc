#include "client/response_parts.h"
#include "client/responses.h"

namespace stator {
namespace {

using Description = TableDescription;

// The names and the words of a list such as KeySchema; an element needs both.
template <class Word>
std::vector<std::pair<std::string, Word>> ReadPairs(MemberReader& in, std::string_view name,
                                                    std::string_view word_name) {
  using Pair = std::pair<std::string, Word>;
  auto pairs = in.Structures<Pair>(name, name, [word_name](MemberReader& one, Pair& pair) {
    const std::optional<std::string> attribute = one.String("AttributeName");
    const std::optional<Word> word = ReadWord<Word>(one, word_name);
    if (!attribute || !word) return one.Fail(Error::Serialization("half of an attribute"));
    pair = {*attribute, *word};
  });
  if (!pairs) return {};
  return *std::move(pairs);
}

Description::Throughput ReadThroughput(MemberReader& in) {
  using Throughput = Description::Throughput;
  return in
      .Structure<Throughput>(
          "ProvisionedThroughput", "ProvisionedThroughputDescription",
          [](MemberReader& one, Throughput& throughput) {
            throughput.read_capacity_units = one.Integer("ReadCapacityUnits").value_or(0);
            throughput.write_capacity_units = one.Integer("WriteCapacityUnits").value_or(0);
            throughput.number_of_decreases_today =
                one.Integer("NumberOfDecreasesToday").value_or(0);
            throughput.last_increase_ms = one.TimestampMs("LastIncreaseDateTime");
            throughput.last_decrease_ms = one.TimestampMs("LastDecreaseDateTime");
          })
      .value_or(Throughput());
}

std::optional<OnDemandThroughput> ReadOnDemand(MemberReader& in) {
  return in.Structure<OnDemandThroughput>(
      "OnDemandThroughput", "OnDemandThroughput", [](MemberReader& one, OnDemandThroughput& out) {
        out.max_read_request_units = one.Integer("MaxReadRequestUnits");
        out.max_write_request_units = one.Integer("MaxWriteRequestUnits");
      });
}

std::optional<Description::Warm> ReadWarm(MemberReader& in) {
  using Warm = Description::Warm;
  return in.Structure<Warm>(
      "WarmThroughput", "TableWarmThroughputDescription", [](MemberReader& one, Warm& warm) {
        warm.read_units_per_second = one.Integer("ReadUnitsPerSecond").value_or(0);
        warm.write_units_per_second = one.Integer("WriteUnitsPerSecond").value_or(0);
        warm.status = ReadWord<IndexStatus>(one, "Status").value_or(IndexStatus::kActive);
      });
}

void ReadIndexMembers(MemberReader& in, Description::Index& index) {
  index.index_name = in.String("IndexName").value_or("");
  index.key_schema = ReadPairs<KeyType>(in, "KeySchema", "KeyType");
  in.Structure<bool>("Projection", "Projection", [&](MemberReader& one, bool&) {
    index.projection_type =
        ReadWord<ProjectionType>(one, "ProjectionType").value_or(ProjectionType::kAll);
    index.non_key_attributes = one.Strings("NonKeyAttributes").value_or(index.non_key_attributes);
  });
  index.index_size_bytes = in.Integer("IndexSizeBytes").value_or(0);
  index.item_count = in.Integer("ItemCount").value_or(0);
  index.index_arn = in.String("IndexArn").value_or("");
  index.index_status = ReadWord<IndexStatus>(in, "IndexStatus").value_or(IndexStatus::kActive);
  index.backfilling = in.Boolean("Backfilling");
  index.provisioned_throughput = ReadThroughput(in);
  index.on_demand_throughput = ReadOnDemand(in);
  index.warm_throughput = ReadWarm(in);
}

std::vector<Description::Index> ReadIndexes(MemberReader& in, std::string_view name) {
  auto indexes = in.Structures<Description::Index>(name, name, ReadIndexMembers);
  if (!indexes) return {};
  return *std::move(indexes);
}

// Settings that DynamoDB shows in summaries of their own.
void ReadSummaries(MemberReader& in, Description& table) {
  in.Structure<bool>("BillingModeSummary", "BillingModeSummary", [&](MemberReader& one, bool&) {
    table.billing_mode = ReadWord<BillingMode>(one, "BillingMode");
    table.last_update_to_pay_per_request_ms = one.TimestampMs("LastUpdateToPayPerRequestDateTime");
  });
  in.Structure<bool>("TableClassSummary", "TableClassSummary", [&](MemberReader& one, bool&) {
    table.table_class = ReadWord<TableClass>(one, "TableClass");
    table.table_class_update_ms = one.TimestampMs("LastUpdateDateTime");
  });
  in.Structure<bool>("StreamSpecification", "StreamSpecification", [&](MemberReader& one, bool&) {
    if (one.Boolean("StreamEnabled").value_or(false)) {
      table.stream_view_type = ReadWord<StreamViewType>(one, "StreamViewType");
    }
  });
  table.restore_summary = in.Structure<Description::RestoreSummary>(
      "RestoreSummary", "RestoreSummary", [](MemberReader& one, auto& restore) {
        restore.source_backup_arn = one.String("SourceBackupArn");
        restore.source_table_arn = one.String("SourceTableArn").value_or("");
        restore.restore_ms = one.TimestampMs("RestoreDateTime").value_or(0);
        restore.restore_in_progress = one.Boolean("RestoreInProgress").value_or(false);
      });
}

void ReadTableMembers(MemberReader& in, Description& table) {
  table.attribute_definitions = ReadPairs<ScalarType>(in, "AttributeDefinitions", "AttributeType");
  table.table_name = in.String("TableName").value_or("");
  table.key_schema = ReadPairs<KeyType>(in, "KeySchema", "KeyType");
  table.table_status = ReadWord<TableStatus>(in, "TableStatus").value_or(TableStatus::kActive);
  table.creation_ms = in.TimestampMs("CreationDateTime").value_or(0);
  table.provisioned_throughput = ReadThroughput(in);
  table.table_size_bytes = in.Integer("TableSizeBytes").value_or(0);
  table.item_count = in.Integer("ItemCount").value_or(0);
  table.table_arn = in.String("TableArn").value_or("");
  table.table_id = in.String("TableId").value_or("");
  table.local_secondary_indexes = ReadIndexes(in, "LocalSecondaryIndexes");
  table.global_secondary_indexes = ReadIndexes(in, "GlobalSecondaryIndexes");
  table.latest_stream_label = in.String("LatestStreamLabel");
  table.latest_stream_arn = in.String("LatestStreamArn");
  table.on_demand_throughput = ReadOnDemand(in);
  table.warm_throughput = ReadWarm(in);
  table.deletion_protection_enabled = in.Boolean("DeletionProtectionEnabled").value_or(false);
  ReadSummaries(in, table);
}

}  // namespace

void ReadMembers(MemberReader& in, TableDescriptionResponse& response) {
  // DescribeTable has a name of its own for it.
  const std::string_view name = in.Find("Table") ? "Table" : "TableDescription";
  auto table = in.Structure<Description>(name, name, ReadTableMembers);
  if (!table) return in.Fail(Error::Serialization("no description of the table"));
  response.table = *std::move(table);
}

}  // namespace stator
