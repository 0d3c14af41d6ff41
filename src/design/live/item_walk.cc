#include "live/item_walk.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <numeric>
#include <thread>

#include "base/try.h"
#include "value/item_json.h"
#include "value/json.h"
#include "value/json_writer.h"

namespace stator::live {
namespace {

constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{16} << 20;

std::optional<std::string> ReadFile(const std::string& path) {
  std::error_code failed;
  const std::uintmax_t bytes = std::filesystem::file_size(path, failed);
  if (failed || bytes > kMaxFileBytes) return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::optional<SegmentPosition> ReadSegment(JsonValue json) {
  if (json.kind() != JsonKind::kObject) return std::nullopt;
  const auto read = json.Member("read");
  const auto done = json.Member("done");
  if (!read || read->kind() != JsonKind::kInteger || !done || done->kind() != JsonKind::kBool) {
    return std::nullopt;
  }
  SegmentPosition segment{.read = read->integer(), .done = done->boolean(), .key = {}};
  if (const auto key = json.Member("key")) {
    auto item = ReadItem(*key, Wording::kCurrent);
    if (!item || item->problem() != nullptr) return std::nullopt;
    segment.key = *std::move(item);
  }
  return segment;
}

std::string CheckpointText(const std::string& fingerprint,
                           const std::vector<SegmentPosition>& segments) {
  std::string text;
  JsonWriter json(text);
  json.BeginObject();
  json.Key("work").String(fingerprint);
  json.Key("segments").BeginArray();
  for (const SegmentPosition& segment : segments) {
    json.BeginObject();
    json.Key("read").Integer(segment.read);
    json.Key("done").Bool(segment.done);
    if (segment.key) {
      json.Key("key");
      WriteItem(json, segment.key->view());
    }
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return text;
}

Error FileError(const std::string& path) {
  return Error::InternalServerError(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
}

class Walk {
 public:
  Walk(Endpoint& endpoint, const WalkOptions& options,
       const std::function<Result<void>(ItemView item)>& visit,
       const std::function<void(std::int64_t read)>& seen)
      : endpoint_(endpoint), options_(options), visit_(visit), seen_(seen) {}

  Result<WalkResult> Run() {
    const auto segments = static_cast<std::size_t>(std::max(1, options_.segments));
    positions_.resize(segments);
    if (!options_.checkpoint.empty()) {
      if (auto loaded = LoadCheckpoint(options_.checkpoint, options_.fingerprint, segments)) {
        positions_ = *std::move(loaded);
      }
    }
    WalkResult result{.read = 0, .resumed_at = ReadSoFar(), .stopped = false};
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < segments; ++i) threads.emplace_back([this, i] { RunSegment(i); });
    }
    if (failure_) return std::unexpected(*failure_);
    result.read = ReadSoFar();
    result.stopped = Stopped();
    if (!result.stopped && !options_.checkpoint.empty()) RemoveCheckpoint(options_.checkpoint);
    return result;
  }

 private:
  std::int64_t ReadSoFar() const {
    return std::accumulate(
        positions_.begin(), positions_.end(), std::int64_t{0},
        [](std::int64_t sum, const SegmentPosition& segment) { return sum + segment.read; });
  }

  bool Stopped() const { return options_.stop != nullptr && options_.stop->load(); }

  void RunSegment(std::size_t segment) {
    while (!positions_[segment].done && !Stopped()) {
      {
        const std::lock_guard lock(mutex_);
        if (failure_) return;
      }
      if (auto done = RunPage(segment); !done) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = done.error();
        return;
      }
    }
  }

  Result<void> RunPage(std::size_t segment) {
    ScanRequest request{.table_name = options_.table_name, .limit = options_.page_items};
    request.exclusive_start_key = positions_[segment].key;
    request.consistent_read = true;
    if (positions_.size() > 1) {
      request.total_segments = static_cast<std::int64_t>(positions_.size());
      request.segment = static_cast<std::int64_t>(segment);
    }
    ASSIGN_OR_RETURN(const ScanResponse page, endpoint_.Scan(request));
    for (std::size_t i = 0; page.items && i < page.items->size(); ++i) {
      RETURN_IF_ERROR(visit_((*page.items)[i]));
    }
    const std::lock_guard lock(mutex_);
    positions_[segment].read += page.count;
    positions_[segment].key = page.last_evaluated_key;
    positions_[segment].done = !page.last_evaluated_key.has_value();
    if (seen_) seen_(ReadSoFar());
    if (options_.checkpoint.empty()) return {};
    return SaveCheckpoint(options_.checkpoint, options_.fingerprint, positions_);
  }

  Endpoint& endpoint_;
  const WalkOptions& options_;
  const std::function<Result<void>(ItemView item)>& visit_;
  const std::function<void(std::int64_t read)>& seen_;
  std::mutex mutex_;  // guards what follows; a segment's own position is read without it
  std::vector<SegmentPosition> positions_;
  std::optional<Error> failure_;
};

}  // namespace

std::optional<std::vector<SegmentPosition>> LoadCheckpoint(const std::string& path,
                                                           const std::string& fingerprint,
                                                           std::size_t segments) {
  const std::optional<std::string> text = ReadFile(path);
  JsonDocument document;
  if (!text || !document.Parse(*text)) return std::nullopt;
  const JsonValue root = document.root();
  if (root.kind() != JsonKind::kObject) return std::nullopt;
  const auto work = root.Member("work");
  const auto list = root.Member("segments");
  if (!work || work->kind() != JsonKind::kString || work->string() != fingerprint || !list ||
      list->kind() != JsonKind::kArray) {
    return std::nullopt;
  }
  std::vector<SegmentPosition> positions;
  for (const JsonValue element : list->Elements()) {
    std::optional<SegmentPosition> segment = ReadSegment(element);
    if (!segment) return std::nullopt;
    positions.push_back(*std::move(segment));
  }
  if (positions.size() != segments) return std::nullopt;
  return positions;
}

Result<void> SaveCheckpoint(const std::string& path, const std::string& fingerprint,
                            const std::vector<SegmentPosition>& segments) {
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  const std::string text = CheckpointText(fingerprint, segments);
  const std::string fresh = path + ".new";
  const int file = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return std::unexpected(FileError(fresh));
  const bool written =
      ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
      ::fsync(file) == 0;
  if (::close(file) != 0 || !written) return std::unexpected(FileError(fresh));
  if (std::rename(fresh.c_str(), path.c_str()) != 0) return std::unexpected(FileError(path));
  return {};
}

void RemoveCheckpoint(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
}

Result<WalkResult> WalkItems(Endpoint& endpoint, const WalkOptions& options,
                             const std::function<Result<void>(ItemView item)>& visit,
                             const std::function<void(std::int64_t read)>& seen) {
  return Walk(endpoint, options, visit, seen).Run();
}

}  // namespace stator::live
