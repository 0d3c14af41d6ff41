// Requests and responses of the table operations, with DynamoDB's own names.
#ifndef STATOR_TABLE_OPERATIONS_H_
#define STATOR_TABLE_OPERATIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stator/expression.h"

namespace stator {

enum class ScalarType : std::uint8_t { kS, kN, kB };
enum class KeyType : std::uint8_t { kHash, kRange };
enum class ProjectionType : std::uint8_t { kAll, kKeysOnly, kInclude };
enum class BillingMode : std::uint8_t { kProvisioned, kPayPerRequest };
enum class TableClass : std::uint8_t { kStandard, kStandardInfrequentAccess };
enum class TableStatus : std::uint8_t { kCreating, kUpdating, kDeleting, kActive };
enum class IndexStatus : std::uint8_t { kCreating, kUpdating, kDeleting, kActive };
enum class StreamViewType : std::uint8_t { kKeysOnly, kNewImage, kOldImage, kNewAndOldImages };
enum class SseType : std::uint8_t { kAes256, kKms };

struct AttributeDefinition {
  std::optional<std::string> attribute_name;
  std::optional<Choice<ScalarType>> attribute_type;
};
struct KeySchemaElement {
  std::optional<std::string> attribute_name;
  std::optional<Choice<KeyType>> key_type;
};
struct IndexProjection {
  std::optional<Choice<ProjectionType>> projection_type;
  std::optional<std::vector<std::string>> non_key_attributes;
};
struct ProvisionedThroughput {
  std::optional<std::int64_t> read_capacity_units;
  std::optional<std::int64_t> write_capacity_units;
};
struct OnDemandThroughput {
  std::optional<std::int64_t> max_read_request_units;
  std::optional<std::int64_t> max_write_request_units;
};
struct WarmThroughput {
  std::optional<std::int64_t> read_units_per_second;
  std::optional<std::int64_t> write_units_per_second;
};
struct StreamSpecification {
  std::optional<bool> stream_enabled;
  std::optional<Choice<StreamViewType>> stream_view_type;
};
struct SseSpecification {
  std::optional<bool> enabled;
  std::optional<Choice<SseType>> sse_type;
  std::optional<std::string> kms_master_key_id;
};
struct Tag {
  std::optional<std::string> key;
  std::optional<std::string> value;
};

struct LocalSecondaryIndex {
  std::optional<std::string> index_name;
  std::optional<std::vector<KeySchemaElement>> key_schema;
  std::optional<IndexProjection> projection;
};
struct GlobalSecondaryIndex {
  std::optional<std::string> index_name;
  std::optional<std::vector<KeySchemaElement>> key_schema;
  std::optional<IndexProjection> projection;
  std::optional<ProvisionedThroughput> provisioned_throughput;
  std::optional<OnDemandThroughput> on_demand_throughput;
  std::optional<WarmThroughput> warm_throughput;
};

struct CreateTableRequest {
  std::optional<std::vector<AttributeDefinition>> attribute_definitions;
  std::optional<std::string> table_name;
  std::optional<std::vector<KeySchemaElement>> key_schema;
  std::optional<std::vector<LocalSecondaryIndex>> local_secondary_indexes;
  std::optional<std::vector<GlobalSecondaryIndex>> global_secondary_indexes;
  std::optional<Choice<BillingMode>> billing_mode;
  std::optional<Choice<BillingMode>> table_throughput_mode;  // an alias of billing_mode
  std::optional<ProvisionedThroughput> provisioned_throughput;
  std::optional<StreamSpecification> stream_specification;
  std::optional<SseSpecification> sse_specification;
  std::optional<std::vector<Tag>> tags;
  std::optional<Choice<TableClass>> table_class;
  std::optional<bool> deletion_protection_enabled;
  std::optional<WarmThroughput> warm_throughput;
  std::optional<OnDemandThroughput> on_demand_throughput;
};

struct GlobalSecondaryIndexUpdate {
  struct UpdateAction {
    std::optional<std::string> index_name;
    std::optional<ProvisionedThroughput> provisioned_throughput;
    std::optional<OnDemandThroughput> on_demand_throughput;
    std::optional<WarmThroughput> warm_throughput;
  };
  struct DeleteAction {
    std::optional<std::string> index_name;
  };
  std::optional<UpdateAction> update;
  std::optional<GlobalSecondaryIndex> create;
  std::optional<DeleteAction> remove;
};

struct UpdateTableRequest {
  std::optional<std::vector<AttributeDefinition>> attribute_definitions;
  std::optional<std::string> table_name;
  std::optional<Choice<BillingMode>> billing_mode;
  std::optional<Choice<BillingMode>> table_throughput_mode;
  std::optional<ProvisionedThroughput> provisioned_throughput;
  std::optional<std::vector<GlobalSecondaryIndexUpdate>> global_secondary_index_updates;
  std::optional<StreamSpecification> stream_specification;
  std::optional<SseSpecification> sse_specification;
  std::optional<Choice<TableClass>> table_class;
  std::optional<bool> deletion_protection_enabled;
  std::optional<OnDemandThroughput> on_demand_throughput;
  std::optional<WarmThroughput> warm_throughput;
};

// What DynamoDB tells about a table.
struct TableDescription {
  struct Throughput {
    std::int64_t read_capacity_units = 0;
    std::int64_t write_capacity_units = 0;
    std::int64_t number_of_decreases_today = 0;
    std::optional<std::int64_t> last_increase_ms;
    std::optional<std::int64_t> last_decrease_ms;
  };
  struct Warm {
    std::int64_t read_units_per_second = 0;
    std::int64_t write_units_per_second = 0;
    IndexStatus status = IndexStatus::kActive;
  };
  struct Index {
    std::string index_name;
    std::vector<std::pair<std::string, KeyType>> key_schema;
    ProjectionType projection_type = ProjectionType::kAll;
    std::vector<std::string> non_key_attributes;
    std::int64_t index_size_bytes = 0;
    std::int64_t item_count = 0;
    std::string index_arn;
    // Global indexes only.
    IndexStatus index_status = IndexStatus::kActive;
    std::optional<bool> backfilling;
    Throughput provisioned_throughput;
    std::optional<OnDemandThroughput> on_demand_throughput;
    std::optional<Warm> warm_throughput;
  };

  struct RestoreSummary {
    std::optional<std::string> source_backup_arn;
    std::string source_table_arn;
    std::int64_t restore_ms = 0;
    bool restore_in_progress = false;
  };

  // DeleteTable does not tell the definitions, the keys and the time of creation: empty, and 0.
  std::vector<std::pair<std::string, ScalarType>> attribute_definitions;
  std::string table_name;
  std::vector<std::pair<std::string, KeyType>> key_schema;
  TableStatus table_status = TableStatus::kActive;
  std::int64_t creation_ms = 0;
  Throughput provisioned_throughput;
  std::int64_t table_size_bytes = 0;
  std::int64_t item_count = 0;
  std::string table_arn;
  std::string table_id;
  std::optional<BillingMode> billing_mode;  // BillingModeSummary, where DynamoDB shows it
  std::optional<std::int64_t> last_update_to_pay_per_request_ms;
  std::vector<Index> local_secondary_indexes;
  std::vector<Index> global_secondary_indexes;
  std::optional<StreamViewType> stream_view_type;  // StreamSpecification, while a stream is enabled
  std::optional<std::string> latest_stream_label;
  std::optional<std::string> latest_stream_arn;
  std::optional<TableClass> table_class;
  std::optional<std::int64_t> table_class_update_ms;
  std::optional<OnDemandThroughput> on_demand_throughput;
  std::optional<Warm> warm_throughput;
  std::optional<RestoreSummary> restore_summary;
  bool deletion_protection_enabled = false;
};

// What changes a table answers with its description.
struct TableDescriptionResponse {
  TableDescription table;
};
using CreateTableResponse = TableDescriptionResponse;
using DeleteTableResponse = TableDescriptionResponse;
using UpdateTableResponse = TableDescriptionResponse;

struct DescribeTableRequest {
  std::optional<std::string> table_name;
};
struct DescribeTableResponse {
  TableDescription table;
};
struct DeleteTableRequest {
  std::optional<std::string> table_name;
};

struct ListTablesRequest {
  std::optional<std::string> exclusive_start_table_name;
  std::optional<std::int64_t> limit;
};
struct ListTablesResponse {
  std::vector<std::string> table_names;
  std::optional<std::string> last_evaluated_table_name;
};

struct TagResourceRequest {
  std::optional<std::string> resource_arn;
  std::optional<std::vector<Tag>> tags;
};
struct UntagResourceRequest {
  std::optional<std::string> resource_arn;
  std::optional<std::vector<std::string>> tag_keys;
};
struct ListTagsOfResourceRequest {
  std::optional<std::string> resource_arn;
  std::optional<std::string> next_token;
};
struct ListTagsOfResourceResponse {
  std::vector<std::pair<std::string, std::string>> tags;
  std::optional<std::string> next_token;
};
// TagResource and UntagResource answer with an empty body.
struct EmptyResponse {};
using TagResourceResponse = EmptyResponse;
using UntagResourceResponse = EmptyResponse;

struct DescribeLimitsRequest {};
struct DescribeLimitsResponse {
  std::int64_t account_max_read_capacity_units = 80'000;
  std::int64_t account_max_write_capacity_units = 80'000;
  std::int64_t table_max_read_capacity_units = 40'000;
  std::int64_t table_max_write_capacity_units = 40'000;
};

struct DescribeEndpointsRequest {};
struct DescribeEndpointsResponse {
  std::string address;
  std::int64_t cache_period_in_minutes = 1440;
};

}  // namespace stator

#endif  // STATOR_TABLE_OPERATIONS_H_
