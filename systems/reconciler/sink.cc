#include "systems/reconciler/sink.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <thread>
#include <unordered_set>

#include "systems/program/http.h"
#include "systems/program/items.h"
#include "systems/program/process.h"

namespace stator::systems::reconciler {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

constexpr std::string_view kFile = "file:";
constexpr std::size_t kChunk = 1 << 20;
// As much of a line as an id can take: keys of 3 KB, every byte escaped.
constexpr std::size_t kIdMax = 20 << 10;
constexpr std::string_view kLineStart = R"({"id":")";

class FileLock {
 public:
  explicit FileLock(int file) : file_(file) {
    do {
      held_ = ::flock(file_, LOCK_EX) == 0;
    } while (!held_ && errno == EINTR);
  }
  ~FileLock() {
    if (held_) ::flock(file_, LOCK_UN);
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  bool held() const { return held_; }

 private:
  int file_;
  bool held_ = false;
};

// The id between quotes, as it stands in the line; empty if the line has none.
std::string_view IdOfLine(std::string_view line) {
  if (!line.starts_with(kLineStart)) return {};
  line.remove_prefix(kLineStart.size());
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\') {
      ++i;
    } else if (line[i] == '"') {
      return line.substr(0, i);
    }
  }
  return {};
}

std::vector<Delivery> AllFailed(std::size_t count, const std::string& why) {
  return std::vector<Delivery>(count, Delivery{Delivery::Result::kFailed, why});
}

class FileSink final : public Sink {
 public:
  FileSink(std::string name, int file) : name_(std::move(name)), file_(file) {}
  ~FileSink() override { ::close(file_); }
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;

  const std::string& name() const override { return name_; }
  std::size_t batch() const override { return 100; }
  std::vector<Delivery> Deliver(const std::vector<Payload>& payloads,
                                std::chrono::steady_clock::time_point deadline) override;

 private:
  // Both fail with errno set.
  bool ReadNewLines();
  bool Append(std::string_view lines);
  void TakeLine(std::string_view start);

  std::string name_;
  int file_;
  std::int64_t end_ = 0;                 // of the lines that are known
  std::unordered_set<std::string> ids_;  // as they stand in the lines
};

void FileSink::TakeLine(std::string_view start) {
  if (const std::string_view id = IdOfLine(start); !id.empty()) ids_.emplace(id);
}

bool FileSink::ReadNewLines() {
  struct stat about{};
  if (::fstat(file_, &about) != 0) return false;
  if (about.st_size < end_) {  // somebody emptied it: what it holds now counts
    end_ = 0;
    ids_.clear();
  }
  std::string chunk(kChunk, '\0');
  std::string line;  // the start of the line that is being read
  for (std::int64_t at = end_; at < about.st_size;) {
    const ssize_t got = ::pread(file_, chunk.data(), chunk.size(), at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got == 0;
    std::string_view rest(chunk.data(), static_cast<std::size_t>(got));
    while (!rest.empty()) {
      const std::size_t length = rest.find('\n');
      const std::string_view part = rest.substr(0, length);
      line += part.substr(0, kIdMax - std::min(kIdMax, line.size()));
      if (length == std::string_view::npos) break;
      TakeLine(line);
      line.clear();
      rest.remove_prefix(length + 1);
      end_ = at + got - static_cast<std::int64_t>(rest.size());
    }
    at += got;
  }
  if (end_ == about.st_size) return true;
  return ::ftruncate(file_, end_) == 0;
}

bool FileSink::Append(std::string_view lines) {
  if (WriteAll(file_, lines) && ::fdatasync(file_) == 0) {
    end_ += static_cast<std::int64_t>(lines.size());
    return true;
  }
  const int why = errno;
  const bool restored = ::ftruncate(file_, end_) == 0;
  errno = restored ? why : EIO;
  return false;
}

std::vector<Delivery> FileSink::Deliver(const std::vector<Payload>& payloads,
                                        std::chrono::steady_clock::time_point deadline) {
  const FileLock lock(file_);
  if (!lock.held()) return AllFailed(payloads.size(), name_ + ": it cannot be locked");
  if (std::chrono::steady_clock::now() >= deadline) {
    return AllFailed(payloads.size(), "it took too long to get at the file");
  }
  if (!ReadNewLines()) return AllFailed(payloads.size(), name_ + ": " + std::strerror(errno));
  std::vector<Delivery> deliveries;
  std::vector<std::string> fresh;
  std::string lines;
  for (const Payload& payload : payloads) {
    const std::string line = payload.json + "\n";
    std::string id(IdOfLine(line));
    const bool is_new = ids_.insert(id).second;
    deliveries.push_back({is_new ? Delivery::Result::kDelivered : Delivery::Result::kThereAlready});
    if (!is_new) continue;
    lines += line;
    fresh.push_back(std::move(id));
  }
  if (lines.empty() || Append(lines)) return deliveries;
  const std::string why = name_ + ": " + std::strerror(errno);
  for (const std::string& id : fresh) ids_.erase(id);
  for (Delivery& delivery : deliveries) {
    if (delivery.result == Delivery::Result::kDelivered) {
      delivery = {Delivery::Result::kFailed, why};
    }
  }
  return deliveries;
}

Delivery DeliveryOf(const HttpReply& reply) {
  if (reply.status >= 200 && reply.status < 300) {
    const auto body = ItemOfJson(reply.body);
    const bool resolved = body && TextOf(*body, "outcome") == "RESOLVED";
    return {resolved ? Delivery::Result::kResolved : Delivery::Result::kDelivered};
  }
  const bool final = reply.status == 400 || reply.status == 410 || reply.status == 422;
  return {final ? Delivery::Result::kRefused : Delivery::Result::kFailed,
          fmt::format("the receiver answered {}", reply.status)};
}

class HttpSink final : public Sink {
 public:
  HttpSink(HttpSinkOptions options, std::unique_ptr<HttpPoster> poster)
      : options_(std::move(options)), poster_(std::move(poster)) {
    if (options_.wait) return;
    options_.wait = [](std::chrono::milliseconds time) { std::this_thread::sleep_for(time); };
  }

  const std::string& name() const override { return options_.url; }
  std::size_t batch() const override { return 10; }
  std::vector<Delivery> Deliver(const std::vector<Payload>& payloads,
                                SteadyTime deadline) override {
    std::vector<Delivery> deliveries(payloads.size(),
                                     {Delivery::Result::kNotSent, "an earlier one failed"});
    for (std::size_t i = 0; i < payloads.size(); ++i) {
      deliveries[i] = DeliverOne(payloads[i], deadline);
      if (deliveries[i].is_worth_another_try()) break;
    }
    return deliveries;
  }

 private:
  Delivery Post(const Payload& payload) {
    const auto reply = poster_->Post(payload.json, JsonText(payload.id));
    if (reply) return DeliveryOf(*reply);
    const HttpFailure& failure = reply.error();
    if (failure.may_have_arrived) {
      return {Delivery::Result::kUnknown, "no answer: " + failure.message};
    }
    return {Delivery::Result::kNotSent, "the receiver cannot be reached: " + failure.message};
  }

  Delivery DeliverOne(const Payload& payload, SteadyTime deadline) {
    std::chrono::milliseconds wait = options_.first_wait;
    Delivery delivery{Delivery::Result::kNotSent, "there was no time left to deliver it"};
    for (int attempt = 0; attempt < options_.attempts; ++attempt) {
      if (attempt > 0) {
        options_.wait(wait);
        wait *= 2;
      }
      // Nothing may be under way when the lease ends.
      if (std::chrono::steady_clock::now() + HttpPoster::kTimeout > deadline) break;
      const Delivery::Result before = delivery.result;
      delivery = Post(payload);
      if (!delivery.is_worth_another_try()) return delivery;
      // What one attempt may have done, no later attempt undoes.
      delivery.result = std::max(delivery.result, before);
    }
    return delivery;
  }

  HttpSinkOptions options_;
  std::unique_ptr<HttpPoster> poster_;
};

}  // namespace

Fallible<std::unique_ptr<Sink>> OpenFileSink(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path whole =
      std::filesystem::weakly_canonical(std::filesystem::absolute(path, failed), failed);
  if (failed) return std::unexpected(fmt::format("{}: {}", path, failed.message()));
  const int file = ::open(whole.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0) return std::unexpected(fmt::format("{}: {}", path, std::strerror(errno)));
  auto sink = std::make_unique<FileSink>("file:" + whole.string(), file);
  struct stat about{};
  if (::fstat(file, &about) != 0 || !S_ISREG(about.st_mode)) {
    return std::unexpected(fmt::format("{} is not a file that lines can be added to", path));
  }
  SyncFolder(whole.parent_path());
  return sink;
}

Fallible<std::unique_ptr<Sink>> OpenHttpSink(HttpSinkOptions options) {
  TRY(auto poster, HttpPoster::Open(options.url));
  return std::make_unique<HttpSink>(std::move(options), std::move(poster));
}

Fallible<std::unique_ptr<Sink>> OpenSink(const std::string& name) {
  if (name.starts_with("http://") || name.starts_with("https://")) {
    return OpenHttpSink({.url = name});
  }
  return OpenFileSink(name.starts_with(kFile) ? name.substr(kFile.size()) : name);
}

Fallible<Sink*> Sinks::Find(const std::string& name) {
  if (name.empty() || name == own_->name()) return own_.get();
  const auto found = others_.find(name);
  if (found != others_.end()) return found->second.get();
  auto opened = OpenSink(name);
  if (!opened) return std::unexpected(opened.error());
  return others_.emplace(name, *std::move(opened)).first->second.get();
}

}  // namespace stator::systems::reconciler
