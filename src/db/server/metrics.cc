#include "server/metrics.h"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "server/options.h"

namespace stator::server {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

struct OperationTotals {
  std::map<std::string, std::uint64_t> outcomes;
  std::array<std::uint64_t, kLatencyBoundsUs.size() + 1> buckets{};
  std::uint64_t latency_sum_us = 0;
};
using Totals = std::map<std::string, OperationTotals>;

Totals AddUp(std::span<const LoopMetrics* const> loops) {
  Totals totals;
  for (const LoopMetrics* loop : loops) {
    loop->ForEachOperation([&](const OperationMetrics& operation) {
      OperationTotals& total = totals[operation.name()];
      for (const OperationMetrics::Outcome& outcome : operation.outcomes()) {
        total.outcomes[outcome.name] += outcome.count.value();
      }
      for (std::size_t i = 0; i < total.buckets.size(); ++i) {
        total.buckets[i] += operation.buckets()[i].value();
      }
      total.latency_sum_us += operation.latency_sum_us();
    });
  }
  return totals;
}

MetricFamily RequestCounts(const Totals& totals) {
  MetricFamily family{
      "stator_requests_total", "Requests by operation and outcome.", MetricType::Counter, {}};
  for (const auto& [operation, total] : totals) {
    for (const auto& [outcome, count] : total.outcomes) {
      ClientMetric metric;
      metric.label = {{"operation", operation}, {"outcome", outcome}};
      metric.counter.value = static_cast<double>(count);
      family.metric.push_back(std::move(metric));
    }
  }
  return family;
}

MetricFamily Latencies(const Totals& totals) {
  constexpr double kSecond = 1e6;
  MetricFamily family{"stator_request_duration_seconds",
                      "Time from the first byte of a request to its answer.",
                      MetricType::Histogram,
                      {}};
  for (const auto& [operation, total] : totals) {
    ClientMetric metric;
    metric.label = {{"operation", operation}};
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < total.buckets.size(); ++i) {
      count += total.buckets[i];
      const double bound = i < kLatencyBoundsUs.size()
                               ? static_cast<double>(kLatencyBoundsUs[i]) / kSecond
                               : std::numeric_limits<double>::infinity();
      metric.histogram.bucket.push_back({count, bound});
    }
    metric.histogram.sample_count = count;
    metric.histogram.sample_sum = static_cast<double>(total.latency_sum_us) / kSecond;
    family.metric.push_back(std::move(metric));
  }
  return family;
}

MetricFamily Single(std::string name, std::string help, MetricType type, std::uint64_t value) {
  ClientMetric metric;
  (type == MetricType::Counter ? metric.counter.value : metric.gauge.value) =
      static_cast<double>(value);
  return {std::move(name), std::move(help), type, {std::move(metric)}};
}

MetricFamily ConsumedUnits(const Database::Stats& stats) {
  MetricFamily family{"stator_consumed_units_total",
                      "Capacity units that requests consumed (serve --count-units).",
                      MetricType::Counter,
                      {}};
  const auto add = [&](const Database::ConsumedUnits& place, const char* kind, double units) {
    ClientMetric metric;
    metric.label = {{"table", place.table}, {"index", place.index}, {"kind", kind}};
    metric.counter.value = units;
    family.metric.push_back(std::move(metric));
  };
  for (const Database::ConsumedUnits& place : stats.consumed_units) {
    add(place, "read", place.reads);
    add(place, "write", place.writes);
  }
  return family;
}

MetricFamily Writable(const Database::Health& health) {
  ClientMetric metric;
  metric.label = {{"reason", health.is_writable() ? "none" : std::string(health.reason)}};
  metric.gauge.value = health.is_writable() ? 1 : 0;
  return {"stator_store_writable",
          "Whether writes are taken (1), and if not (0) why: no_space, failed_write, unreachable.",
          MetricType::Gauge,
          {std::move(metric)}};
}

// Of a store that servers share.
void AppendShared(const Database::Stats::Shared& shared, std::vector<MetricFamily>& families) {
  constexpr MetricType kCounter = MetricType::Counter;
  constexpr MetricType kGauge = MetricType::Gauge;
  families.push_back(Single("stator_shared_edition", "The edition of the tables' definitions.",
                            kGauge, shared.edition));
  families.push_back(Single("stator_shared_keeper",
                            "Whether this server works in the background for all (1).", kGauge,
                            shared.is_keeper ? 1 : 0));
  families.push_back(Single("stator_shared_rounds_retried_total",
                            "Rounds of writes decided again, because others came first.", kCounter,
                            shared.retried_rounds));
  families.push_back(Single("stator_shared_rounds_looked_up_total",
                            "Rounds whose connection was lost while they were committed.", kCounter,
                            shared.looked_up_rounds));
  families.push_back(Single("stator_shared_connections", "Open connections for reads.", kGauge,
                            shared.open_connections));
  families.push_back(Single("stator_shared_connections_used", "Those of them that are in use.",
                            kGauge, shared.used_connections));
  families.push_back(Single("stator_shared_reads_refused_total",
                            "Reads refused because no connection was free.", kCounter,
                            shared.refused_reads));
  families.push_back(Single("stator_shared_lag_milliseconds",
                            "Time since the shared database was last heard.", kGauge,
                            shared.lag_ms));
}

MetricFamily BuildInfo() {
  ClientMetric metric;
  metric.label = {{"version", std::string(kVersion)}};
  metric.gauge.value = 1;
  return {"stator_build_info", "The version that runs.", MetricType::Gauge, {std::move(metric)}};
}

std::uint64_t ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t total_pages = 0;
  std::uint64_t resident_pages = 0;
  statm >> total_pages >> resident_pages;
  return resident_pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

std::string_view OutcomeName(int http_status) {
  static constexpr std::array<std::pair<int, std::string_view>, 10> kNames = {{{400, "http_400"},
                                                                               {403, "http_403"},
                                                                               {404, "http_404"},
                                                                               {405, "http_405"},
                                                                               {408, "http_408"},
                                                                               {413, "http_413"},
                                                                               {414, "http_414"},
                                                                               {415, "http_415"},
                                                                               {431, "http_431"},
                                                                               {503, "http_503"}}};
  for (const auto& [status, name] : kNames) {
    if (status == http_status) return name;
  }
  return "http_other";
}

void OperationMetrics::Record(std::string_view error_name, std::chrono::microseconds latency) {
  const auto latency_us = static_cast<std::uint64_t>(std::max<std::int64_t>(latency.count(), 0));
  const auto* bound = std::ranges::lower_bound(kLatencyBoundsUs, latency_us);
  buckets_[static_cast<std::size_t>(bound - kLatencyBoundsUs.begin())].Add(1);
  latency_sum_us_.Add(latency_us);
  FindOutcome(error_name.empty() ? "ok" : error_name).count.Add(1);
}

OperationMetrics::Outcome& OperationMetrics::FindOutcome(std::string_view error_name) {
  for (Outcome& outcome : outcomes_) {
    if (outcome.name == error_name) return outcome;
  }
  const std::scoped_lock lock(*mutex_);
  if (outcomes_.size() > kOutcomesMax) return outcomes_.back();
  return outcomes_.emplace_back(outcomes_.size() == kOutcomesMax ? "other" : error_name);
}

OperationMetrics& LoopMetrics::ForOperation(std::string_view name) {
  // Only this thread adds, so it may look without the lock.
  for (OperationMetrics& operation : operations_) {
    if (operation.name() == name) return operation;
  }
  const std::scoped_lock lock(mutex_);
  OperationMetrics& added = operations_.emplace_back(name);
  added.mutex_ = &mutex_;
  return added;
}

std::string MetricsPage(std::span<const LoopMetrics* const> loops, const Database::Stats& stats,
                        const Database::Health& health) {
  std::uint64_t opened = 0;
  std::uint64_t closed = 0;
  std::uint64_t refused = 0;
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  for (const LoopMetrics* loop : loops) {
    // Closed first, so that a connection closed meanwhile cannot make the difference negative.
    closed += loop->connections_closed.value();
    opened += loop->connections_opened.value();
    refused += loop->connections_refused.value();
    bytes_in += loop->bytes_in.value();
    bytes_out += loop->bytes_out.value();
  }
  const Totals totals = AddUp(loops);
  constexpr MetricType kCounter = MetricType::Counter;
  constexpr MetricType kGauge = MetricType::Gauge;
  std::vector<MetricFamily> families = {
      RequestCounts(totals),
      Latencies(totals),
      Single("stator_connections", "Open connections.", kGauge,
             opened > closed ? opened - closed : 0),
      Single("stator_connections_opened_total", "Connections accepted.", kCounter, opened),
      Single("stator_connections_refused_total", "Connections above the limit.", kCounter, refused),
      Single("stator_received_bytes_total", "Bytes read from clients.", kCounter, bytes_in),
      Single("stator_sent_bytes_total", "Bytes written to clients.", kCounter, bytes_out),
      Single("stator_tables", "Tables.", kGauge, stats.tables),
      Single("stator_store_commits_total", "Batches committed.", kCounter, stats.commits),
      Single("stator_store_mutations_total", "Mutations committed.", kCounter, stats.mutations),
      Single("stator_store_syncs_total", "Syncs to disk.", kCounter, stats.syncs),
      Writable(health),
      Single("stator_store_disk_bytes", "Bytes on disk.", kGauge, stats.disk_bytes),
      Single("stator_store_cache_bytes", "Bytes in the block cache.", kGauge, stats.cache_bytes),
      Single("stator_partiql_scans_total",
             "PartiQL statements that read a whole table or index, for want of a key.", kCounter,
             stats.statement_scans),
      Single("stator_expired_items_total", "Items deleted by time to live.", kCounter,
             stats.expired_items),
      Single("stator_expiry_lag_seconds", "How long the oldest expired item has been due.", kGauge,
             stats.expiry_lag_seconds),
      Single("stator_stream_records_total", "Records written to streams.", kCounter,
             stats.stream_records),
      Single("process_resident_memory_bytes", "Resident memory.", kGauge, ResidentBytes()),
      BuildInfo(),
  };
  // Shown even before the first request, so that a reader can tell "none" from "not counted".
  if (stats.counts_units) families.push_back(ConsumedUnits(stats));
  if (stats.shared) AppendShared(*stats.shared, families);
  return prometheus::TextSerializer().Serialize(families);
}

}  // namespace stator::server
