// What a program asks of its process: threads, signals, files that survive a crash, and a folder of
// its own.
#ifndef STATOR_SYSTEMS_PROGRAM_PROCESS_H_
#define STATOR_SYSTEMS_PROGRAM_PROCESS_H_

#include <csignal>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace stator::systems {

// Calls work(0) … work(count - 1), each once, on up to `threads` threads, and waits for all.
void ForEach(std::size_t count, int threads, const std::function<void(std::size_t index)>& work);

// SIGINT and SIGTERM, looked for between two steps of work. From its construction on these signals
// no longer end the process. REQUIRES: the process has one thread when this is constructed.
class StopSignal {
 public:
  StopSignal();
  // True if a signal has come. Waits for one that long at most.
  bool Came(std::chrono::milliseconds wait = {});

 private:
  sigset_t signals_;
  bool came_ = false;
};

// A new folder, deleted with everything in it at the end.
class TemporaryFolder {
 public:
  // Called /tmp/NAME-…; ends the process if it cannot be created.
  explicit TemporaryFolder(const std::string& name);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Both fail with errno set.
bool WriteAll(int file, std::string_view bytes);
// A file that was created or renamed survives a power failure only once its folder is synced.
bool SyncFolder(const std::filesystem::path& folder);

}  // namespace stator::systems

#endif  // STATOR_SYSTEMS_PROGRAM_PROCESS_H_
