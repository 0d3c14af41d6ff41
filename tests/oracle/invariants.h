// What must be true of a table whatever happened to it: each index is the projection of the table,
// once an item, in order; the segments of a parallel scan partition it; and its counts are those of
// its items.
#ifndef STATOR_TESTS_ORACLE_INVARIANTS_H_
#define STATOR_TESTS_ORACLE_INVARIANTS_H_

#include "stator/database.h"
#include "tests/oracle/reference_table.h"
#include "tests/oracle/verdict.h"

namespace stator::oracle {

// Looks at the table and at those of its indexes that the reference knows.
Verdict CheckInvariants(Database& database, const ReferenceTable& reference);

// The stream as a second way to the table: who reads all records from the beginning and does what
// they say has the same items.

// Reads the table's stream over all its shards, parents before their children, and compares what
// comes of it with the reference. Each record must also fit what the records before it left.
Verdict CheckStream(Database& database, const ReferenceTable& reference);

}  // namespace stator::oracle

#endif  // STATOR_TESTS_ORACLE_INVARIANTS_H_
