// Changes that UpdateTable makes to a table's stream (behaviour.md §9.4).
#ifndef STATOR_API_TABLES_STREAM_CHANGE_H_
#define STATOR_API_TABLES_STREAM_CHANGE_H_

#include <optional>

#include "base/clock.h"
#include "engine/catalog/table.h"
#include "engine/store_access.h"
#include "engine/streams/stream_catalog.h"
#include "stator/result.h"
#include "stator/table_operations.h"

namespace stator {

struct StreamChange {
  std::optional<Stream> stream;  // as it shall be; absent: nothing changes
  RawRows rows;                  // to be stored with the table
};

Result<StreamChange> ChangeStream(const std::optional<StreamSpecification>& sent,
                                  const StreamCatalog& streams, TimeMs now, Table& table);

}  // namespace stator

#endif  // STATOR_API_TABLES_STREAM_CHANGE_H_
