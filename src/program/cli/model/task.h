// A command that knows how to run itself.
#ifndef STATOR_CLI_MODEL_TASK_H_
#define STATOR_CLI_MODEL_TASK_H_

#include <functional>

namespace stator::cli {

struct Task {
  std::function<int()> run;  // returns the program's exit code; empty: another command was given
};

}  // namespace stator::cli

#endif  // STATOR_CLI_MODEL_TASK_H_
