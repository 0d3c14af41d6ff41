#include "systems/orders/charts.h"

#include <algorithm>
#include <fstream>

#include "stator/design.h"

namespace stator::systems::orders {
namespace {

// One folder, below the one that was asked for.
bool IsFolderName(const std::string& job) {
  const auto harmless = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  return !job.empty() && job.front() != '.' && std::ranges::all_of(job, harmless);
}

}  // namespace

std::expected<std::vector<std::filesystem::path>, std::string> WriteCharts(
    const Model& model, const std::filesystem::path& out, const std::string& job) {
  if (!IsFolderName(job)) {
    return std::unexpected("`" + job + "` is no name of a job: letters, digits, -, _ and .");
  }
  const std::filesystem::path folder = out / "docs" / "specs" / "jobs" / job;
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return std::unexpected(folder.string() + ": " + failed.message());
  std::vector<std::filesystem::path> written;
  for (const DesignChart& chart : DrawEntityCharts(model)) {
    const std::filesystem::path path = folder / chart.file_name;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << chart.text;
    file.close();
    if (!file) return std::unexpected("cannot write " + path.string());
    written.push_back(path);
  }
  return written;
}

}  // namespace stator::systems::orders
