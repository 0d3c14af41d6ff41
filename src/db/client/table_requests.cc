#include "client/requests.h"

namespace stator {

void WriteMembers(MemberWriter& out, const AttributeDefinition& definition) {
  out.Member("AttributeName", definition.attribute_name);
  out.Member("AttributeType", definition.attribute_type);
}

void WriteMembers(MemberWriter& out, const KeySchemaElement& element) {
  out.Member("AttributeName", element.attribute_name);
  out.Member("KeyType", element.key_type);
}

void WriteMembers(MemberWriter& out, const IndexProjection& projection) {
  out.Member("ProjectionType", projection.projection_type);
  out.Member("NonKeyAttributes", projection.non_key_attributes);
}

void WriteMembers(MemberWriter& out, const ProvisionedThroughput& throughput) {
  out.Member("ReadCapacityUnits", throughput.read_capacity_units);
  out.Member("WriteCapacityUnits", throughput.write_capacity_units);
}

void WriteMembers(MemberWriter& out, const OnDemandThroughput& throughput) {
  out.Member("MaxReadRequestUnits", throughput.max_read_request_units);
  out.Member("MaxWriteRequestUnits", throughput.max_write_request_units);
}

void WriteMembers(MemberWriter& out, const WarmThroughput& throughput) {
  out.Member("ReadUnitsPerSecond", throughput.read_units_per_second);
  out.Member("WriteUnitsPerSecond", throughput.write_units_per_second);
}

void WriteMembers(MemberWriter& out, const StreamSpecification& stream) {
  out.Member("StreamEnabled", stream.stream_enabled);
  out.Member("StreamViewType", stream.stream_view_type);
}

void WriteMembers(MemberWriter& out, const SseSpecification& sse) {
  out.Member("Enabled", sse.enabled);
  out.Member("SSEType", sse.sse_type);
  out.Member("KMSMasterKeyId", sse.kms_master_key_id);
}

void WriteMembers(MemberWriter& out, const Tag& tag) {
  out.Member("Key", tag.key);
  out.Member("Value", tag.value);
}

void WriteMembers(MemberWriter& out, const LocalSecondaryIndex& index) {
  out.Member("IndexName", index.index_name);
  out.Member("KeySchema", index.key_schema);
  out.Member("Projection", index.projection);
}

void WriteMembers(MemberWriter& out, const GlobalSecondaryIndex& index) {
  out.Member("IndexName", index.index_name);
  out.Member("KeySchema", index.key_schema);
  out.Member("Projection", index.projection);
  out.Member("ProvisionedThroughput", index.provisioned_throughput);
  out.Member("OnDemandThroughput", index.on_demand_throughput);
  out.Member("WarmThroughput", index.warm_throughput);
}

void WriteMembers(MemberWriter& out, const GlobalSecondaryIndexUpdate::UpdateAction& action) {
  out.Member("IndexName", action.index_name);
  out.Member("ProvisionedThroughput", action.provisioned_throughput);
  out.Member("OnDemandThroughput", action.on_demand_throughput);
  out.Member("WarmThroughput", action.warm_throughput);
}

void WriteMembers(MemberWriter& out, const GlobalSecondaryIndexUpdate::DeleteAction& action) {
  out.Member("IndexName", action.index_name);
}

void WriteMembers(MemberWriter& out, const GlobalSecondaryIndexUpdate& update) {
  out.Member("Update", update.update);
  out.Member("Create", update.create);
  out.Member("Delete", update.remove);
}

void WriteMembers(MemberWriter& out, const CreateTableRequest& request) {
  out.Member("AttributeDefinitions", request.attribute_definitions);
  out.Member("TableName", request.table_name);
  out.Member("KeySchema", request.key_schema);
  out.Member("LocalSecondaryIndexes", request.local_secondary_indexes);
  out.Member("GlobalSecondaryIndexes", request.global_secondary_indexes);
  out.Member("BillingMode", request.billing_mode);
  out.Member("TableThroughputMode", request.table_throughput_mode);
  out.Member("ProvisionedThroughput", request.provisioned_throughput);
  out.Member("StreamSpecification", request.stream_specification);
  out.Member("SSESpecification", request.sse_specification);
  out.Member("Tags", request.tags);
  out.Member("TableClass", request.table_class);
  out.Member("DeletionProtectionEnabled", request.deletion_protection_enabled);
  out.Member("WarmThroughput", request.warm_throughput);
  out.Member("OnDemandThroughput", request.on_demand_throughput);
}

void WriteMembers(MemberWriter& out, const DescribeTableRequest& request) {
  out.Member("TableName", request.table_name);
}

void WriteMembers(MemberWriter& out, const UpdateTableRequest& request) {
  out.Member("AttributeDefinitions", request.attribute_definitions);
  out.Member("TableName", request.table_name);
  out.Member("BillingMode", request.billing_mode);
  out.Member("TableThroughputMode", request.table_throughput_mode);
  out.Member("ProvisionedThroughput", request.provisioned_throughput);
  out.Member("GlobalSecondaryIndexUpdates", request.global_secondary_index_updates);
  out.Member("StreamSpecification", request.stream_specification);
  out.Member("SSESpecification", request.sse_specification);
  out.Member("TableClass", request.table_class);
  out.Member("DeletionProtectionEnabled", request.deletion_protection_enabled);
  out.Member("OnDemandThroughput", request.on_demand_throughput);
  out.Member("WarmThroughput", request.warm_throughput);
}

void WriteMembers(MemberWriter& out, const DeleteTableRequest& request) {
  out.Member("TableName", request.table_name);
}

void WriteMembers(MemberWriter& out, const ListTablesRequest& request) {
  out.Member("ExclusiveStartTableName", request.exclusive_start_table_name);
  out.Member("Limit", request.limit);
}

}  // namespace stator
