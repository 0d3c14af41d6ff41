#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace stator {

void CheckFailed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "stator: internal check failed: %s at %s:%d\n", condition, file, line);
  std::abort();
}

}  // namespace stator
