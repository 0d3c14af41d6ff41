#include "api/tables/table_members.h"

#include <fmt/format.h>

namespace stator {
namespace {

std::optional<IndexProjection> ReadProjection(MemberReader& in) {
  return in.Structure<IndexProjection>(
      "Projection", "Projection", [](MemberReader& inner, IndexProjection& projection) {
        projection.projection_type = inner.Enum<ProjectionType>("ProjectionType");
        projection.non_key_attributes = inner.Strings("NonKeyAttributes");
      });
}

void ReadLocalIndex(MemberReader& in, LocalSecondaryIndex& index) {
  index.index_name = in.String("IndexName");
  index.key_schema = ReadKeySchema(in);
  index.projection = ReadProjection(in);
}

void ReadGlobalIndex(MemberReader& in, GlobalSecondaryIndex& index) {
  index.index_name = in.String("IndexName");
  index.key_schema = ReadKeySchema(in);
  index.projection = ReadProjection(in);
  index.provisioned_throughput = ReadProvisionedThroughput(in);
  index.on_demand_throughput = ReadOnDemandThroughput(in);
  index.warm_throughput = ReadWarmThroughput(in);
}

void ReadUpdateAction(MemberReader& in, GlobalSecondaryIndexUpdate::UpdateAction& action) {
  action.index_name = in.String("IndexName");
  action.provisioned_throughput = ReadProvisionedThroughput(in);
  action.on_demand_throughput = ReadOnDemandThroughput(in);
  action.warm_throughput = ReadWarmThroughput(in);
}

void ReadIndexUpdate(MemberReader& in, GlobalSecondaryIndexUpdate& update) {
  using Update = GlobalSecondaryIndexUpdate;
  update.update = in.Structure<Update::UpdateAction>("Update", "UpdateGlobalSecondaryIndexAction",
                                                     ReadUpdateAction);
  update.create = in.Structure<GlobalSecondaryIndex>("Create", "CreateGlobalSecondaryIndexAction",
                                                     ReadGlobalIndex);
  update.remove =
      in.Structure<Update::DeleteAction>("Delete", "DeleteGlobalSecondaryIndexAction",
                                         [](MemberReader& inner, Update::DeleteAction& action) {
                                           action.index_name = inner.String("IndexName");
                                         });
}

}  // namespace

std::optional<std::vector<AttributeDefinition>> ReadAttributeDefinitions(MemberReader& in) {
  return in.Structures<AttributeDefinition>(
      "AttributeDefinitions", "AttributeDefinition",
      [](MemberReader& inner, AttributeDefinition& definition) {
        definition.attribute_name = inner.String("AttributeName");
        definition.attribute_type = inner.Enum<ScalarType>("AttributeType");
      });
}

std::optional<std::vector<KeySchemaElement>> ReadKeySchema(MemberReader& in) {
  return in.Structures<KeySchemaElement>("KeySchema", "KeySchemaElement",
                                         [](MemberReader& inner, KeySchemaElement& element) {
                                           element.attribute_name = inner.String("AttributeName");
                                           element.key_type = inner.Enum<KeyType>("KeyType");
                                         });
}

std::optional<std::vector<LocalSecondaryIndex>> ReadLocalIndexes(MemberReader& in,
                                                                 std::string_view name) {
  return in.Structures<LocalSecondaryIndex>(name, "LocalSecondaryIndex", ReadLocalIndex);
}

std::optional<std::vector<GlobalSecondaryIndex>> ReadGlobalIndexes(MemberReader& in,
                                                                   std::string_view name) {
  return in.Structures<GlobalSecondaryIndex>(name, "GlobalSecondaryIndex", ReadGlobalIndex);
}

std::optional<std::vector<GlobalSecondaryIndexUpdate>> ReadGlobalIndexUpdates(MemberReader& in) {
  return in.Structures<GlobalSecondaryIndexUpdate>("GlobalSecondaryIndexUpdates",
                                                   "GlobalSecondaryIndexUpdate", ReadIndexUpdate);
}

std::optional<ProvisionedThroughput> ReadProvisionedThroughput(MemberReader& in,
                                                               std::string_view name) {
  return in.Structure<ProvisionedThroughput>(
      name, "ProvisionedThroughput", [](MemberReader& inner, ProvisionedThroughput& throughput) {
        throughput.read_capacity_units = inner.Integer("ReadCapacityUnits", "Long");
        throughput.write_capacity_units = inner.Integer("WriteCapacityUnits", "Long");
      });
}

std::optional<OnDemandThroughput> ReadOnDemandThroughput(MemberReader& in, std::string_view name) {
  return in.Structure<OnDemandThroughput>(
      name, "OnDemandThroughput", [](MemberReader& inner, OnDemandThroughput& throughput) {
        throughput.max_read_request_units = inner.Integer("MaxReadRequestUnits", "Long");
        throughput.max_write_request_units = inner.Integer("MaxWriteRequestUnits", "Long");
      });
}

std::optional<WarmThroughput> ReadWarmThroughput(MemberReader& in) {
  return in.Structure<WarmThroughput>(
      "WarmThroughput", "WarmThroughput", [](MemberReader& inner, WarmThroughput& throughput) {
        throughput.read_units_per_second = inner.Integer("ReadUnitsPerSecond", "Long");
        throughput.write_units_per_second = inner.Integer("WriteUnitsPerSecond", "Long");
      });
}

std::optional<StreamSpecification> ReadStreamSpecification(MemberReader& in) {
  return in.Structure<StreamSpecification>("StreamSpecification", "StreamSpecification",
                                           [](MemberReader& inner, StreamSpecification& stream) {
                                             stream.stream_enabled = inner.Boolean("StreamEnabled");
                                             stream.stream_view_type =
                                                 inner.Enum<StreamViewType>("StreamViewType");
                                           });
}

std::optional<SseSpecification> ReadSseSpecification(MemberReader& in, std::string_view name) {
  return in.Structure<SseSpecification>(name, "SSESpecification",
                                        [](MemberReader& inner, SseSpecification& sse) {
                                          sse.enabled = inner.Boolean("Enabled");
                                          sse.sse_type = inner.Enum<SseType>("SSEType");
                                          sse.kms_master_key_id = inner.String("KMSMasterKeyId");
                                        });
}

std::optional<std::vector<Tag>> ReadTags(MemberReader& in) {
  return in.Structures<Tag>("Tags", "Tag", [](MemberReader& inner, Tag& tag) {
    tag.key = inner.String("Key");
    tag.value = inner.String("Value");
  });
}

void RefuseUnsupported(MemberReader& in, std::initializer_list<std::string_view> names) {
  for (std::string_view name : names) {
    if (in.Find(name)) {
      in.Fail(
          Error::Validation(fmt::format("{} is not supported by this version of Stator", name)));
    }
  }
}

}  // namespace stator
