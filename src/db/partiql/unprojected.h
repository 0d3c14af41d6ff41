// What a read by keys through an index filters on although the index does not have it.
#ifndef STATOR_PARTIQL_UNPROJECTED_H_
#define STATOR_PARTIQL_UNPROJECTED_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "partiql/read_plan.h"

namespace stator::partiql {

// The attributes for "Secondary index {i} does not project one or more filter attributes: [{x}]",
// sorted; empty when DynamoDB accepts the statement. It accepts a scan, and a plan of which one read
// filters on nothing that is missing; otherwise it names what the read of the greatest partition
// lacks.
std::vector<std::string> UnprojectedFilterNames(
    const ReadPlan& plan, const std::function<bool(std::string_view)>& is_projected);

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_UNPROJECTED_H_
