// The commands of the program `calls`, by what they do to the book.
#ifndef STATOR_SYSTEMS_CALLS_COMMANDS_H_
#define STATOR_SYSTEMS_CALLS_COMMANDS_H_

#include "systems/calls/audit.h"
#include "systems/calls/call_book.h"
#include "systems/program/program.h"

namespace stator::systems::calls {

void AddChangeCommands(Program& program);  // schedule, complete, reschedule, …
void AddReadCommands(Program& program);    // next, last, timeline, lookup
void AddWorkCommands(Program& program);    // replay, audit, storm

// A day with the book, told step by step, with the units that each step consumed. Fails if the book
// is not empty, or if a step does not go as told. Turns the clock.
int RunDemo(Tables& tables);

// Prints the error with its kind, "conflict: …"; returns kFailed.
int Fail(const EntityError& error);
using systems::Fail;

// The audit of the tables' calls.
Result<CallAudit> AuditTables(Tables& tables);

}  // namespace stator::systems::calls

#endif  // STATOR_SYSTEMS_CALLS_COMMANDS_H_
