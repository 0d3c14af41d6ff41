// What a running server has counted, beside what a model expects.
#ifndef STATOR_CLI_MODEL_MEASURED_UNITS_H_
#define STATOR_CLI_MODEL_MEASURED_UNITS_H_

#include <expected>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "model/cost/cost.h"

namespace stator::cli {

struct MeasuredUnits {
  double reads = 0;
  double writes = 0;
};
// By table and index; the index is empty for the table itself.
using MeasuredByPlace = std::map<std::pair<std::string, std::string>, MeasuredUnits>;

// The counters of a page of metrics in Prometheus' format. Lines of others are passed over.
MeasuredByPlace ParseMeasuredUnits(std::string_view metrics);

// Asks the server. The error is for people: also when the server does not count.
std::expected<MeasuredByPlace, std::string> ReadMeasuredUnits(const std::string& url);

// One row per table and index. The server's counts have no day; what can be compared is how
// the units are shared out.
std::string MeasuredText(const model::Cost& cost, const MeasuredByPlace& measured);
std::string MeasuredJson(const model::Cost& cost, const MeasuredByPlace& measured);

}  // namespace stator::cli

#endif  // STATOR_CLI_MODEL_MEASURED_UNITS_H_
