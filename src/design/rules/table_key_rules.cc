// KY16: a table must have a key.
#include "rules/families.h"

namespace stator::model {
namespace {

void CheckTableWithoutKey(const Subject& subject, Findings& findings) {
  for (const Table& table : subject.model.tables) {
    if (table.partition) continue;
    findings.Add(
        table.id, table.place,
        "no primary key is given: no item can be stored, and no index entry be traced back",
        "key: NAME str, the attribute that tells items apart (or two of them)");
  }
}

constexpr Rule kTableWithoutKey[] = {{
    .id = "KY16",
    .title = "a table without a key",
    .severity = Severity::kError,
    .check = CheckTableWithoutKey,
    .lesson =
        "Everything in DynamoDB hangs on the primary key: it says what a second write replaces, "
        "what a conditional write protects, what GetItem can find and how the index entries are "
        "told apart. A design that describes an index only has left out the first decision.",
    .bad = R"(model: 1
tables:
  calls:
    indexes:
      ByStatus: {pk: status str, project: keys}
entities:
  Call:
    table: calls
    attrs: {CallId: str ulid, status: str 8 enum=open|done}
    volume: {total: 1000, per: {status: 500}}
patterns:
  open: {query: calls.ByStatus, of: Call, where: status = open, needs: [status], page: 25, rate: 9/day}
)",
    .good = R"(model: 1
tables:
  calls:
    key: CallId str
    indexes:
      ByStatus: {pk: status str, project: keys}
entities:
  Call:
    table: calls
    attrs: {CallId: str ulid, status: str 8 enum=open|done}
    volume: {total: 1000, per: {status: 500}}
patterns:
  open: {query: calls.ByStatus, of: Call, where: status = open, needs: [status], page: 25, rate: 9/day}
)",
}};

}  // namespace

std::span<const Rule> TableKeyRules() { return kTableWithoutKey; }

}  // namespace stator::model
