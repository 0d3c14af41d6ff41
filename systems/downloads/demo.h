// `downloads demo`: a day with its accidents, on data of its own.
#ifndef STATOR_SYSTEMS_DOWNLOADS_DEMO_H_
#define STATOR_SYSTEMS_DOWNLOADS_DEMO_H_

namespace stator::systems::downloads {

// Returns the exit code.
int RunDemo();

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_DEMO_H_
