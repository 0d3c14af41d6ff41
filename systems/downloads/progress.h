// How downloads go, for people: a line for every file that ends, and on a terminal, below them, the
// files under way and all of them together.
#ifndef STATOR_SYSTEMS_DOWNLOADS_PROGRESS_H_
#define STATOR_SYSTEMS_DOWNLOADS_PROGRESS_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "systems/downloads/downloader.h"

namespace stator::systems::downloads {

// "999 bytes", "1.5 KB", "12.3 MB"
std::string BytesText(std::int64_t bytes);

struct FileProgress {
  std::string id;
  std::int64_t size_bytes = 0;
  std::int64_t there_bytes = 0;
};

struct DayProgress {
  std::int64_t files = 0;  // all that are waiting or were begun
  std::int64_t files_ended = 0;
  std::int64_t bytes = 0;           // of all files
  std::int64_t bytes_there = 0;     // of those that ended, and of those under way
  std::int64_t bytes_received = 0;  // since the start; what was there before is not among them
  std::vector<FileProgress> under_way;
};

// What the terminal shows: a line for each file under way, as far as there is room, and one for the
// day. No line is longer than `width`.
std::vector<std::string> ProgressLines(const DayProgress& day, std::chrono::milliseconds elapsed,
                                       std::size_t width);

// Shows it: finished files on standard output, the rest on standard error if that is a terminal.
class ProgressDisplay final : public DownloadObserver {
 public:
  ProgressDisplay();
  ~ProgressDisplay() override;
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  bool is_on_terminal() const { return is_terminal_; }
  // What is waiting to be downloaded.
  void Expect(std::int64_t files, std::int64_t bytes);
  // Removes what is not a line of its own.
  void Clear();

  void Began(const Job& job) override;
  void Grew(const Job& job, std::int64_t plain_bytes) override;
  void Ended(const Job& job, std::string_view outcome) override;

 private:
  void Draw(bool at_once);
  void Erase();

  const bool is_terminal_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  DayProgress day_;
  std::map<std::string, FileProgress> under_way_;
  std::size_t lines_drawn_ = 0;
  std::chrono::steady_clock::time_point drawn_at_;
};

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_PROGRESS_H_
