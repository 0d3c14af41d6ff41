// A RequestHandler for tests of HTTP. The operation names the behaviour:
//   GetItem  answers at once with its request
//   PutItem  waits until the test completes it, on any thread
//   Scan     answers at once with as many bytes as the request's number says: {"n":1000}
//   Query    forgets to answer
#ifndef STATOR_SERVER_TESTING_FAKE_HANDLER_H_
#define STATOR_SERVER_TESTING_FAKE_HANDLER_H_

#include <algorithm>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/request_handler.h"

namespace stator::server {

class FakeHandler final : public RequestHandler {
 public:
  bool Knows(std::string_view operation) const override {
    static const std::set<std::string_view> kKnown = {"GetItem", "PutItem", "Scan", "Query"};
    return kKnown.contains(operation);
  }

  Error Unknown(std::string_view) const override { return Error::UnknownOperation(); }

  void Handle(std::string_view operation, std::string_view padded_json, AnswerCallback done,
              const std::atomic<bool>&) override {
    if (operation == "PutItem") {
      const std::scoped_lock lock(mutex_);
      waiting_.push_back({padded_json, std::move(done)});
      changed_.notify_all();
    } else if (operation == "GetItem") {
      done({.http_status = 200, .body = std::string(padded_json)});
    } else if (operation == "Scan") {
      done({.http_status = 200, .body = std::string(NumberIn(padded_json), 'x')});
    }
  }

  Answer ErrorAnswer(const Error& error) const override {
    return {.http_status = 400,
            .body = "{\"__type\":\"" + std::string(error.name()) + "\",\"message\":\"" +
                    error.message() + "\"}",
            .error_name = error.name()};
  }

  const std::string& region() const override { return region_; }

  Database::Stats GetStats() const override {
    return {.tables = 3, .commits = 11, .mutations = 22, .syncs = 5, .statement_scans = 7};
  }

  Database::Health GetHealth() const override {
    const std::scoped_lock lock(mutex_);
    return health_;
  }
  void SetHealth(Database::Health health) {
    const std::scoped_lock lock(mutex_);
    health_ = std::move(health);
  }

  TurnableClock& clock() override { return clock_; }

  // Blocks until `count` requests wait to be completed.
  void WaitForWaiting(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_.size() >= count; });
  }
  std::size_t WaitingCount() {
    const std::scoped_lock lock(mutex_);
    return waiting_.size();
  }

  // Answers a waiting request with its own text, on this thread.
  void Complete(std::size_t index) {
    std::unique_lock lock(mutex_);
    AnswerUnlocked(Take(index), lock);
  }
  // Waits for a request first.
  void CompleteNext() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !waiting_.empty(); });
    AnswerUnlocked(Take(0), lock);
  }

 private:
  using Waiting = std::pair<std::string_view, AnswerCallback>;

  Waiting Take(std::size_t index) {
    Waiting taken = std::move(waiting_[index]);
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(index));
    return taken;
  }
  static void AnswerUnlocked(Waiting request, std::unique_lock<std::mutex>& lock) {
    lock.unlock();
    request.second({.http_status = 200, .body = std::string(request.first)});
  }

  static std::size_t NumberIn(std::string_view json) {
    std::size_t number = 0;
    const std::size_t digit = std::min(json.find_first_of("0123456789"), json.size());
    std::from_chars(json.data() + digit, json.data() + json.size(), number);
    return number;
  }

  const std::string region_ = "us-east-1";
  // 2026-01-01T00:00:00Z
  TurnableClock clock_{ClockSetting::FixedAt(TimeMs(std::chrono::milliseconds(1'767'225'600'000)))};
  mutable std::mutex mutex_;
  Database::Health health_;
  std::condition_variable changed_;
  std::vector<Waiting> waiting_;
};

}  // namespace stator::server

#endif  // STATOR_SERVER_TESTING_FAKE_HANDLER_H_
