// What `stator cost` prints.
#ifndef STATOR_CLI_MODEL_COST_REPORT_H_
#define STATOR_CLI_MODEL_COST_REPORT_H_

#include <string>
#include <vector>

#include "model/claims/claims.h"
#include "model/cost/cost.h"

namespace stator::cli {

std::string CostText(const model::Model& model, const model::Cost& cost,
                     const std::vector<model::ClaimResult>& claims);
std::string CostJson(const model::Model& model, const model::Cost& cost,
                     const std::vector<model::ClaimResult>& claims);

}  // namespace stator::cli

#endif  // STATOR_CLI_MODEL_COST_REPORT_H_
