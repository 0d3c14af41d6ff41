#include "systems/program/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <thread>
#include <vector>

namespace stator::systems {

void ForEach(std::size_t count, int threads, const std::function<void(std::size_t index)>& work) {
  std::atomic<std::size_t> next = 0;
  const auto run = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  const std::size_t used = std::min(count, static_cast<std::size_t>(std::max(threads, 1)));
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < used; ++i) others.emplace_back(run);
  run();
}

StopSignal::StopSignal() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
}

bool StopSignal::Came(std::chrono::milliseconds wait) {
  const timespec time{.tv_sec = wait.count() / 1000, .tv_nsec = wait.count() % 1000 * 1'000'000};
  if (!came_) came_ = sigtimedwait(&signals_, nullptr, &time) > 0;
  return came_;
}

TemporaryFolder::TemporaryFolder(const std::string& name) {
  path_ = (std::filesystem::temp_directory_path() / (name + "-XXXXXX")).string();
  if (::mkdtemp(path_.data()) != nullptr) return;
  fmt::print(stderr, "{} cannot be created\n", path_);
  std::exit(1);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

bool WriteAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool SyncFolder(const std::filesystem::path& folder) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return false;
  const bool synced = ::fsync(file) == 0;
  ::close(file);
  return synced;
}

}  // namespace stator::systems
