#include "systems/downloads/workers.h"

#include <fmt/format.h>

#include <mutex>
#include <thread>
#include <vector>

namespace stator::systems::downloads {

std::expected<DownloadReport, std::string> DrainWith(int workers, Entities& entities,
                                                     const KeyPair& keys,
                                                     const OutputFolder& output,
                                                     const std::string& name) {
  std::mutex mutex;
  std::expected<DownloadReport, std::string> sum;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < workers; ++i) {
      threads.emplace_back([&, i] {
        Downloader downloader(entities, keys, output, fmt::format("{}-{}", name, i));
        const auto drained = downloader.Drain();
        const std::scoped_lock lock(mutex);
        if (!drained) sum = std::unexpected(drained.error());
        if (!sum) return;
        sum->completed += downloader.report().completed;
        sum->failed += downloader.report().failed;
        sum->was_there += downloader.report().was_there;
        sum->lost += downloader.report().lost;
        if (sum->problem.empty()) sum->problem = downloader.report().problem;
      });
    }
  }
  return sum;
}

}  // namespace stator::systems::downloads
