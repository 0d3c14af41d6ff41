#include "systems/reconciler/commands.h"

namespace stator::systems::reconciler {
int RunDemo(const ConnectionOptions& where) {
  (void)where;
  return 0;
}
}  // namespace stator::systems::reconciler
