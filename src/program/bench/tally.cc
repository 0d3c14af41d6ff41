#include "bench/tally.h"

#include <algorithm>
#include <cctype>

namespace stator::bench {

Histogram Tally::AllLatency() const {
  Histogram all;
  for (const Histogram& latency : latencies) all.Merge(latency);
  return all;
}

std::uint64_t Tally::ErrorCount() const {
  std::uint64_t count = 0;
  for (const auto& [name, number] : errors) count += number;
  return count;
}

void Tally::Merge(const Tally& other) {
  for (std::size_t i = 0; i < latencies.size(); ++i) latencies[i].Merge(other.latencies[i]);
  for (const auto& [name, number] : other.errors) errors[name] += number;
  bytes_sent += other.bytes_sent;
  bytes_received += other.bytes_received;
  body_bytes_received += other.body_bytes_received;
  unsent += other.unsent;
  cpu_seconds += other.cpu_seconds;
  run_seconds = std::max(run_seconds, other.run_seconds);
  measured_seconds = std::max(measured_seconds, other.measured_seconds);
}

std::string ErrorNameIn(std::string_view body) {
  constexpr std::string_view kType = "\"__type\"";
  const std::size_t type = body.find(kType);
  if (type == std::string_view::npos) return {};
  const std::size_t begin = body.find('"', type + kType.size());
  if (begin == std::string_view::npos) return {};
  std::string_view name = body.substr(begin + 1);
  name = name.substr(0, name.find('"'));
  name.remove_prefix(std::min(name.find('#') + 1, name.size()));  // npos + 1 is 0
  const bool is_name =
      std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0; });
  return is_name ? std::string(name) : std::string();
}

}  // namespace stator::bench
