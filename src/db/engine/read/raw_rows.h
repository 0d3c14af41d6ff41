// Writes rows that nothing else decides about: the catalog's own.
#ifndef STATOR_ENGINE_READ_RAW_ROWS_H_
#define STATOR_ENGINE_READ_RAW_ROWS_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stator/result.h"
#include "storage/store.h"

namespace stator {

// Rows to put, or to delete where there is no value.
using RawRows = std::vector<std::pair<std::string, std::optional<std::string>>>;

// Returns when all of them are durable.
Result<void> WriteRawRows(Store& store, RawRows rows);

}  // namespace stator

#endif  // STATOR_ENGINE_READ_RAW_ROWS_H_
