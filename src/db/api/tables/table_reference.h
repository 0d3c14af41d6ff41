// A TableName as it was sent: a bare name, or the table's ARN.
#ifndef STATOR_API_TABLES_TABLE_REFERENCE_H_
#define STATOR_API_TABLES_TABLE_REFERENCE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "engine/engine.h"
#include "stator/result.h"

namespace stator {

// The bare table name behind a reference. An ARN of another region, partition or resource type is a
// ValidationException, one of another account is AccessDenied (behaviour.md §1.1).
Result<std::string> TableNameOf(std::string_view reference, const Engine& engine);

inline constexpr std::size_t kMaxArnLength = 1024;
bool IsArn(std::string_view reference);
// What the ARN of a backup or of a transfer ends with.
bool IsArnId(std::string_view id);

// The TableName of a table operation: it must be there and be a proper name or ARN. Such errors are
// reported alone, before every other member's.
Result<std::string> RequiredTableName(const std::optional<std::string>& reference,
                                      const Engine& engine);

}  // namespace stator

#endif  // STATOR_API_TABLES_TABLE_REFERENCE_H_
