// Rules about the structures that CreateTable and UpdateTable share: the framework's constraints,
// added in the order in which the service lists them; then those about streams, classes and
// encryption.
#ifndef STATOR_API_TABLES_TABLE_CONSTRAINTS_H_
#define STATOR_API_TABLES_TABLE_CONSTRAINTS_H_

#include <optional>
#include <string_view>
#include <vector>

#include "api/constraints.h"
#include "stator/result.h"
#include "stator/table_operations.h"

namespace stator {

void ConstrainDefinitions(Constraints& check,
                          const std::optional<std::vector<AttributeDefinition>>& definitions);
// Write units come before read units.
void ConstrainThroughput(Constraints& check, std::string_view path,
                         const std::optional<ProvisionedThroughput>& throughput);
void ConstrainKeySchema(Constraints& check, std::string_view path,
                        const std::optional<std::vector<KeySchemaElement>>& schema,
                        std::size_t max_length);
// The name of an index or a table. Minimum length, then the pattern: the order of the control plane.
void ConstrainNewName(Constraints& check, std::string_view path,
                      const std::optional<std::string>& name);
void ConstrainGlobalIndex(Constraints& check, std::string_view path,
                          const GlobalSecondaryIndex& index);
void ConstrainLocalIndex(Constraints& check, std::string_view path,
                         const LocalSecondaryIndex& index);
void ConstrainStream(Constraints& check, const std::optional<StreamSpecification>& stream);
void ConstrainSse(Constraints& check, const std::optional<SseSpecification>& sse);
void ConstrainTags(Constraints& check, const std::optional<std::vector<Tag>>& tags);

// The stream of a new table.
Result<void> CheckNewStream(const std::optional<StreamSpecification>& stream);
// A change of an existing table's stream.
Result<void> CheckStreamChange(const StreamSpecification& stream);

Result<void> CheckTableClass(const std::optional<Choice<TableClass>>& table_class);

Result<void> CheckSse(const std::optional<SseSpecification>& sse);

}  // namespace stator

#endif  // STATOR_API_TABLES_TABLE_CONSTRAINTS_H_
