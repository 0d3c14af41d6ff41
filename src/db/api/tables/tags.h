// Tags of tables (behaviour.md §9.8).
#ifndef STATOR_API_TABLES_TAGS_H_
#define STATOR_API_TABLES_TAGS_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "stator/result.h"
#include "stator/table_operations.h"

namespace stator {

using TagMap = std::vector<std::pair<std::string, std::string>>;  // sorted by key

// Checks the tags of a request one by one, and against each other.
Result<void> CheckTags(const std::vector<Tag>& tags);
// Adds or replaces them; at most 50 may be left. REQUIRES: CheckTags holds.
Result<void> MergeTags(const std::vector<Tag>& tags, TagMap& into);

// The table behind the ResourceArn of a tag operation: the checks that need no table.
Result<std::string> TaggedTableName(const std::optional<std::string>& arn, const Engine& engine);
// The table itself.
Result<TablePtr> FindTaggedTable(const std::string& name, const std::string& arn, Engine& engine);

}  // namespace stator

#endif  // STATOR_API_TABLES_TAGS_H_
