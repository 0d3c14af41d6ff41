// The operations on tables, their tags and their expiry on the wire.
#include "wire/table_fields.h"

#include "stator/time_to_live.h"

namespace stator {

template <class Visitor>
void Fields(Visitor& visit, CreateTableRequest& request) {
  visit("AttributeDefinitions", "AttributeDefinition", request.attribute_definitions);
  visit("TableName", request.table_name);
  visit("KeySchema", "KeySchemaElement", request.key_schema);
  visit("LocalSecondaryIndexes", "LocalSecondaryIndex", request.local_secondary_indexes);
  visit("GlobalSecondaryIndexes", "GlobalSecondaryIndex", request.global_secondary_indexes);
  visit("BillingMode", request.billing_mode);
  visit("TableThroughputMode", request.table_throughput_mode);
  visit("ProvisionedThroughput", request.provisioned_throughput);
  visit("StreamSpecification", request.stream_specification);
  visit("SSESpecification", request.sse_specification);
  visit("Tags", "Tag", request.tags);
  visit("TableClass", request.table_class);
  visit("DeletionProtectionEnabled", request.deletion_protection_enabled);
  visit("WarmThroughput", request.warm_throughput);
  visit("OnDemandThroughput", request.on_demand_throughput);
  visit.Unsupported({"ResourcePolicy", "VectorIndexes", "GlobalTableSourceArn"});
}

template <class Visitor>
void Fields(Visitor& visit, GlobalSecondaryIndexUpdate::UpdateAction& action) {
  visit("IndexName", action.index_name);
  visit("ProvisionedThroughput", action.provisioned_throughput);
  visit("OnDemandThroughput", action.on_demand_throughput);
  visit("WarmThroughput", action.warm_throughput);
}

template <class Visitor>
void Fields(Visitor& visit, GlobalSecondaryIndexUpdate::DeleteAction& action) {
  visit("IndexName", action.index_name);
}

template <class Visitor>
void Fields(Visitor& visit, GlobalSecondaryIndexUpdate& update) {
  visit("Update", "UpdateGlobalSecondaryIndexAction", update.update);
  visit("Create", "CreateGlobalSecondaryIndexAction", update.create);
  visit("Delete", "DeleteGlobalSecondaryIndexAction", update.remove);
}

template <class Visitor>
void Fields(Visitor& visit, UpdateTableRequest& request) {
  visit("AttributeDefinitions", "AttributeDefinition", request.attribute_definitions);
  visit("TableName", request.table_name);
  visit("BillingMode", request.billing_mode);
  visit("TableThroughputMode", request.table_throughput_mode);
  visit("ProvisionedThroughput", request.provisioned_throughput);
  visit("GlobalSecondaryIndexUpdates", "GlobalSecondaryIndexUpdate",
        request.global_secondary_index_updates);
  visit("StreamSpecification", request.stream_specification);
  visit("SSESpecification", request.sse_specification);
  visit("TableClass", request.table_class);
  visit("DeletionProtectionEnabled", request.deletion_protection_enabled);
  visit("OnDemandThroughput", request.on_demand_throughput);
  visit("WarmThroughput", request.warm_throughput);
  visit.Unsupported({"ReplicaUpdates", "MultiRegionConsistency", "GlobalTableWitnessUpdates",
                     "VectorIndexUpdates"});
}

template <class Visitor>
void Fields(Visitor& visit, DescribeTableRequest& request) {
  visit("TableName", request.table_name);
}

template <class Visitor>
void Fields(Visitor& visit, DeleteTableRequest& request) {
  visit("TableName", request.table_name);
}

template <class Visitor>
void Fields(Visitor& visit, DescribeTableResponse& response) {
  visit("Table", response.table);
  visit.Check(!response.table.table_name.empty(), "no description of the table");
}

template <class Visitor>
void Fields(Visitor& visit, TableDescriptionResponse& response) {
  visit("TableDescription", response.table);
  visit.Check(!response.table.table_name.empty(), "no description of the table");
}

template <class Visitor>
void Fields(Visitor& visit, ListTablesRequest& request) {
  visit("ExclusiveStartTableName", request.exclusive_start_table_name);
  visit("Limit", request.limit);
}

template <class Visitor>
void Fields(Visitor& visit, ListTablesResponse& response) {
  visit("TableNames", response.table_names);
  visit("LastEvaluatedTableName", response.last_evaluated_table_name);
}

template <class Visitor>
void Fields(Visitor& visit, TagResourceRequest& request) {
  visit("ResourceArn", request.resource_arn);
  visit("Tags", "Tag", request.tags);
}

template <class Visitor>
void Fields(Visitor& visit, UntagResourceRequest& request) {
  visit("ResourceArn", request.resource_arn);
  visit("TagKeys", request.tag_keys);
}

template <class Visitor>
void Fields(Visitor&, EmptyResponse&) {}

template <class Visitor>
void Fields(Visitor& visit, ListTagsOfResourceRequest& request) {
  visit("ResourceArn", request.resource_arn);
  visit("NextToken", request.next_token);
}

template <class Visitor>
void Fields(Visitor& visit, ListTagsOfResourceResponse& response) {
  visit.Pairs("Tags", "Key", "Value", response.tags);
  visit("NextToken", response.next_token);
}

template <class Visitor>
void Fields(Visitor& visit, TimeToLiveSpecification& specification) {
  visit("Enabled", specification.enabled);
  visit("AttributeName", specification.attribute_name);
}

template <class Visitor>
void Fields(Visitor& visit, UpdateTimeToLiveRequest& request) {
  visit("TableName", request.table_name);
  visit("TimeToLiveSpecification", request.specification);
}

template <class Visitor>
void Fields(Visitor& visit, UpdateTimeToLiveResponse& response) {
  visit.Group("TimeToLiveSpecification", [&](Visitor& specification) {
    specification("AttributeName", response.specification.attribute_name);
    specification("Enabled", response.specification.enabled);
  });
}

template <class Visitor>
void Fields(Visitor& visit, DescribeTimeToLiveRequest& request) {
  visit("TableName", request.table_name);
}

template <class Visitor>
void Fields(Visitor& visit, DescribeTimeToLiveResponse& response) {
  visit.Group("TimeToLiveDescription", [&](Visitor& description) {
    description("TimeToLiveStatus", response.status);
    description("AttributeName", response.attribute_name);
  });
}

template <class Visitor>
void Fields(Visitor&, DescribeLimitsRequest&) {}

template <class Visitor>
void Fields(Visitor& visit, DescribeLimitsResponse& response) {
  visit("AccountMaxReadCapacityUnits", response.account_max_read_capacity_units);
  visit("AccountMaxWriteCapacityUnits", response.account_max_write_capacity_units);
  visit("TableMaxReadCapacityUnits", response.table_max_read_capacity_units);
  visit("TableMaxWriteCapacityUnits", response.table_max_write_capacity_units);
}

template <class Visitor>
void Fields(Visitor&, DescribeEndpointsRequest&) {}

template <class Visitor>
void Fields(Visitor& visit, DescribeEndpointsResponse& response) {
  visit.ListOfOne("Endpoints", [&](Visitor& endpoint) {
    endpoint("Address", response.address);
    endpoint("CachePeriodInMinutes", response.cache_period_in_minutes);
  });
}

STATOR_WIRE_REQUEST(CreateTableRequest);
STATOR_WIRE_REQUEST(UpdateTableRequest);
STATOR_WIRE_REQUEST(DeleteTableRequest);
STATOR_WIRE_RESPONSE(TableDescriptionResponse);
STATOR_WIRE_OPERATION(DescribeTable);
STATOR_WIRE_OPERATION(ListTables);
STATOR_WIRE_REQUEST(TagResourceRequest);
STATOR_WIRE_REQUEST(UntagResourceRequest);
STATOR_WIRE_OPERATION(ListTagsOfResource);
STATOR_WIRE_OPERATION(UpdateTimeToLive);
STATOR_WIRE_OPERATION(DescribeTimeToLive);
STATOR_WIRE_OPERATION(DescribeLimits);
STATOR_WIRE_OPERATION(DescribeEndpoints);

// An empty body rather than {}.
template <>
void ResponseToJson(JsonWriter&, const EmptyResponse&) {}
template Result<EmptyResponse> ResponseFromJson<EmptyResponse>(JsonValue);

}  // namespace stator
