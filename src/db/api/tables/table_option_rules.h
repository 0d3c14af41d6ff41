// Rules about streams, encryption and the table class (behaviour.md §9.3 and §9.4).
#ifndef STATOR_API_TABLES_TABLE_OPTION_RULES_H_
#define STATOR_API_TABLES_TABLE_OPTION_RULES_H_

#include <optional>

#include "stator/result.h"
#include "stator/table_operations.h"

namespace stator {

// The stream of a new table.
Result<void> CheckNewStream(const std::optional<StreamSpecification>& stream);
// A change of an existing table's stream.
Result<void> CheckStreamChange(const StreamSpecification& stream);

Result<void> CheckTableClass(const std::optional<Choice<TableClass>>& table_class);

Result<void> CheckSse(const std::optional<SseSpecification>& sse);

}  // namespace stator

#endif  // STATOR_API_TABLES_TABLE_OPTION_RULES_H_
