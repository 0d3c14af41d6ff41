// A day with the book, told step by step, with the units that each step has consumed.
#ifndef STATOR_SYSTEMS_CALLS_DEMO_H_
#define STATOR_SYSTEMS_CALLS_DEMO_H_

namespace stator::systems::calls {

struct Program;

// Prints the account. Returns the exit code: 1 if the book is not empty, or if a step does not go as
// told. Turns the connection's clock.
int RunDemo(Program& program);

}  // namespace stator::systems::calls

#endif  // STATOR_SYSTEMS_CALLS_DEMO_H_
