// Reads the structures that CreateTable, UpdateTable and restores share, members in the order of the
// service model.
#ifndef STATOR_API_TABLES_TABLE_MEMBERS_H_
#define STATOR_API_TABLES_TABLE_MEMBERS_H_

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "api/member_reader.h"
#include "stator/table_operations.h"

namespace stator {

std::optional<std::vector<AttributeDefinition>> ReadAttributeDefinitions(MemberReader& in);
std::optional<std::vector<KeySchemaElement>> ReadKeySchema(MemberReader& in);
std::optional<std::vector<LocalSecondaryIndex>> ReadLocalIndexes(
    MemberReader& in, std::string_view name = "LocalSecondaryIndexes");
std::optional<std::vector<GlobalSecondaryIndex>> ReadGlobalIndexes(
    MemberReader& in, std::string_view name = "GlobalSecondaryIndexes");
std::optional<std::vector<GlobalSecondaryIndexUpdate>> ReadGlobalIndexUpdates(MemberReader& in);
std::optional<ProvisionedThroughput> ReadProvisionedThroughput(
    MemberReader& in, std::string_view name = "ProvisionedThroughput");
std::optional<OnDemandThroughput> ReadOnDemandThroughput(
    MemberReader& in, std::string_view name = "OnDemandThroughput");
std::optional<WarmThroughput> ReadWarmThroughput(MemberReader& in);
std::optional<StreamSpecification> ReadStreamSpecification(MemberReader& in);
std::optional<SseSpecification> ReadSseSpecification(MemberReader& in,
                                                     std::string_view name = "SSESpecification");
std::optional<std::vector<Tag>> ReadTags(MemberReader& in);

// Refuses members that would be wrong to ignore: the caller relies on what they ask for.
void RefuseUnsupported(MemberReader& in, std::initializer_list<std::string_view> names);

}  // namespace stator

#endif  // STATOR_API_TABLES_TABLE_MEMBERS_H_
