// GET /metrics: everything that is counted, in Prometheus' text format.
#ifndef STATOR_SERVER_METRICS_PAGE_H_
#define STATOR_SERVER_METRICS_PAGE_H_

#include <span>
#include <string>

#include "server/metrics.h"
#include "stator/database.h"

namespace stator::server {

std::string MetricsPage(std::span<const LoopMetrics* const> loops, const Database::Stats& stats);

}  // namespace stator::server

#endif  // STATOR_SERVER_METRICS_PAGE_H_
