#include "systems/downloads/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "systems/program/output.h"

namespace stator::systems::downloads {
namespace {

constexpr std::size_t kFileLinesMax = 8;
constexpr auto kDrawInterval = std::chrono::milliseconds(100);
constexpr std::int64_t kBarWidth = 20;

std::string Bar(std::int64_t part, std::int64_t whole) {
  const std::int64_t full =
      whole <= 0 ? 0 : std::clamp<std::int64_t>(part * kBarWidth / whole, 0, kBarWidth);
  return fmt::format("[{:#<{}}{:.<{}}]", "", full, "", kBarWidth - full);
}

std::string TimeLeft(const DayProgress& day, std::chrono::milliseconds elapsed) {
  if (day.bytes_received <= 0 || elapsed.count() <= 0) return {};
  const double speed =
      static_cast<double>(day.bytes_received) / static_cast<double>(elapsed.count()) * 1000;
  const auto left = std::max<std::int64_t>(day.bytes - day.bytes_there, 0);
  const auto seconds = static_cast<std::int64_t>(static_cast<double>(left) / speed + 0.5);
  const std::string time = seconds < 3600 ? fmt::format("{}:{:02}", seconds / 60, seconds % 60)
                                          : fmt::format("{}:{:02}:{:02}", seconds / 3600,
                                                        seconds / 60 % 60, seconds % 60);
  return fmt::format(", {}/s, {} left", BytesText(static_cast<std::int64_t>(speed)), time);
}

// Cuts between two characters.
void Clip(std::string& line, std::size_t width) {
  if (line.size() <= width) return;
  while (width > 0 && (static_cast<unsigned char>(line[width]) & 0xC0) == 0x80) --width;
  line.resize(width);
}

std::size_t TerminalWidth() {
  winsize size = {};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

}  // namespace

std::string BytesText(std::int64_t bytes) {
  if (bytes < 1000) return fmt::format("{} bytes", bytes);
  auto number = static_cast<double>(bytes);
  for (const char* unit : {"KB", "MB", "GB"}) {
    number /= 1000;
    if (number < 999.95) return fmt::format("{:.1f} {}", number, unit);
  }
  return fmt::format("{:.1f} TB", number / 1000);
}

std::vector<std::string> ProgressLines(const DayProgress& day, std::chrono::milliseconds elapsed,
                                       std::size_t width) {
  std::vector<std::string> lines;
  std::size_t name_width = 0;
  for (const FileProgress& file : day.under_way) name_width = std::max(name_width, file.id.size());
  for (const FileProgress& file : day.under_way) {
    if (lines.size() == kFileLinesMax && day.under_way.size() > kFileLinesMax + 1) {
      lines.push_back(fmt::format("and {} more", day.under_way.size() - kFileLinesMax));
      break;
    }
    lines.push_back(fmt::format("{:<{}}  {}  {} of {}", file.id, name_width,
                                Bar(file.there_bytes, file.size_bytes), BytesText(file.there_bytes),
                                BytesText(file.size_bytes)));
  }
  lines.push_back(fmt::format("{} of {} files, {} of {}{}", day.files_ended, day.files,
                              BytesText(day.bytes_there), BytesText(day.bytes),
                              TimeLeft(day, elapsed)));
  for (std::string& line : lines) Clip(line, width);
  return lines;
}

ProgressDisplay::ProgressDisplay() : is_terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressDisplay::~ProgressDisplay() { Clear(); }

void ProgressDisplay::Expect(std::int64_t files, std::int64_t bytes) {
  const std::scoped_lock lock(mutex_);
  day_.files = day_.files_ended + files;
  day_.bytes = day_.bytes_there + bytes;
}

void ProgressDisplay::Clear() {
  const std::scoped_lock lock(mutex_);
  Erase();
}

void ProgressDisplay::Began(const Job& job) {
  const std::scoped_lock lock(mutex_);
  under_way_[job.file.name.id()] = {.id = job.file.name.id(), .size_bytes = job.file.size_bytes};
  Draw(false);
}

void ProgressDisplay::Grew(const Job& job, std::int64_t plain_bytes) {
  const std::scoped_lock lock(mutex_);
  const auto it = under_way_.find(job.file.name.id());
  if (it == under_way_.end()) return;
  FileProgress& file = it->second;
  day_.bytes_received += std::max<std::int64_t>(plain_bytes - file.there_bytes, 0);
  day_.bytes_there += plain_bytes - file.there_bytes;
  file.there_bytes = plain_bytes;
  Draw(false);
}

void ProgressDisplay::Ended(const Job& job, std::string_view outcome) {
  const std::scoped_lock lock(mutex_);
  const auto it = under_way_.find(job.file.name.id());
  if (it != under_way_.end()) {
    // It counts as a whole, however it ended.
    day_.bytes_there += it->second.size_bytes - it->second.there_bytes;
    under_way_.erase(it);
  }
  ++day_.files_ended;
  day_.files = std::max(day_.files, day_.files_ended);
  day_.bytes = std::max(day_.bytes, day_.bytes_there);
  Erase();
  PrintLine(
      fmt::format("{} ({}): {}", job.file.name.id(), BytesText(job.file.size_bytes), outcome));
  Draw(true);
}

void ProgressDisplay::Draw(bool at_once) {
  const auto now = std::chrono::steady_clock::now();
  if (!is_terminal_ || (!at_once && now - drawn_at_ < kDrawInterval)) return;
  drawn_at_ = now;
  day_.under_way.clear();
  for (const auto& [id, file] : under_way_) day_.under_way.push_back(file);
  const auto lines =
      ProgressLines(day_, std::chrono::duration_cast<std::chrono::milliseconds>(now - start_),
                    TerminalWidth() - 1);
  Erase();
  for (const std::string& line : lines) fmt::print(stderr, "{}\n", line);
  std::fflush(stderr);
  lines_drawn_ = lines.size();
}

void ProgressDisplay::Erase() {
  // Up to the first of our lines, and everything below it away.
  if (lines_drawn_ > 0) fmt::print(stderr, "\x1b[{}A\r\x1b[J", lines_drawn_);
  std::fflush(stderr);
  lines_drawn_ = 0;
}

}  // namespace stator::systems::downloads
