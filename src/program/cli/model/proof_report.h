// What `stator check --run` prints.
#ifndef STATOR_CLI_MODEL_PROOF_REPORT_H_
#define STATOR_CLI_MODEL_PROOF_REPORT_H_

#include <string>

#include "model/model.h"

namespace stator::cli {

// Runs every pattern on an engine in memory and prints what was predicted and what was measured, as
// a table or as JSON. False if one of them differs.
bool RunAndReport(const model::Model& model, double max_items, bool as_json);

}  // namespace stator::cli

#endif  // STATOR_CLI_MODEL_PROOF_REPORT_H_
