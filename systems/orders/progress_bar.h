// How far long work has come: a bar on a terminal, nothing elsewhere.
#ifndef STATOR_SYSTEMS_ORDERS_PROGRESS_BAR_H_
#define STATOR_SYSTEMS_ORDERS_PROGRESS_BAR_H_

#include <string>

#include "stator/live.h"

namespace stator::systems::orders {

// "filling GSI3  [############........]  1200 of 2000, 950 changed"
std::string ProgressText(const LiveProgress& progress);

// Draws over itself on standard error. Called from several threads, one after the other.
LiveProgressCallback DrawProgress();
// Takes the bar away, so that a line can be printed.
void ClearProgress();

}  // namespace stator::systems::orders

#endif  // STATOR_SYSTEMS_ORDERS_PROGRESS_BAR_H_
