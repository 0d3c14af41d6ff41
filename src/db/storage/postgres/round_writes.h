// The second trip of a round: what its mutations write, as statements.
#ifndef STATOR_STORAGE_POSTGRES_ROUND_WRITES_H_
#define STATOR_STORAGE_POSTGRES_ROUND_WRITES_H_

#include <cstdint>
#include <string_view>

#include "storage/postgres/connection.h"
#include "storage/postgres/decisions.h"

namespace stator::postgres {

// Adds them to the pipeline, in the order in which locks are taken (round_writer.h), with COMMIT at the end.
// REQUIRES: the decisions live until it has run.
void QueueWrites(Connection& connection, std::int64_t writer, const Decisions& decisions,
                 std::int64_t (*part_of)(std::string_view key));

}  // namespace stator::postgres

#endif  // STATOR_STORAGE_POSTGRES_ROUND_WRITES_H_
