#include "cli/model/model_commands.h"

#include "cli/model/apply_command.h"
#include "cli/model/audit_command.h"
#include "cli/model/chart_command.h"
#include "cli/model/check_command.h"
#include "cli/model/cost_command.h"
#include "cli/model/diff_command.h"
#include "cli/model/generate_command.h"

namespace stator::cli {

void AddModelCommands(CLI::App& app, Task& task) {
  AddApplyCommand(app, task);
  AddAuditCommand(app, task);
  AddChartCommand(app, task);
  AddCheckCommand(app, task);
  AddExplainCommand(app, task);
  AddCostCommand(app, task);
  AddDiffCommand(app, task);
  AddGenerateCommand(app, task);
  AddImportWorkbenchCommand(app, task);
}

}  // namespace stator::cli
