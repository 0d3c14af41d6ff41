#include "bench/client_loop.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace stator::bench {
namespace client_loop_test {

constexpr std::uint64_t kMillisecondNs = 1'000'000;
constexpr std::string_view kRequest = "POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n";
constexpr std::string_view kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
constexpr std::string_view kRefusal =
    "HTTP/1.1 400 Bad Request\r\nContent-Length: 32\r\n\r\n{\"__type\":\"ValidationException\"}";
constexpr std::string_view kLast =
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";

// Answers each request on a loopback port with what `answer` says for its number; empty: hangs up.
class TestServer {
 public:
  using Answer = std::function<std::string(int number)>;

  explicit TestServer(Answer answer) : answer_(std::move(answer)) {
    listener_ = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(listen(listener_, 16), 0);
    EXPECT_EQ(pipe(stop_.data()), 0);
    thread_ = std::thread([this] { Serve(); });
  }
  ~TestServer() {
    EXPECT_EQ(write(stop_[1], "x", 1), 1);
    thread_.join();
    for (const int fd : {listener_, stop_[0], stop_[1]}) close(fd);
  }

  sockaddr_storage Address() const {
    sockaddr_storage address{};
    socklen_t length = sizeof address;
    EXPECT_EQ(getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length), 0);
    return address;
  }

 private:
  void Serve() {
    std::vector<pollfd> fds = {{stop_[0], POLLIN, 0}, {listener_, POLLIN, 0}};
    while (poll(fds.data(), fds.size(), -1) > 0 && fds[0].revents == 0) {
      if (fds[1].revents != 0) fds.push_back({accept(listener_, nullptr, nullptr), POLLIN, 0});
      for (std::size_t i = 2; i < fds.size(); ++i) {
        if (fds[i].revents != 0 && !AnswerOn(fds[i].fd)) {
          close(fds[i].fd);
          fds.erase(fds.begin() + static_cast<std::ptrdiff_t>(i--));
        }
      }
    }
    for (std::size_t i = 2; i < fds.size(); ++i) close(fds[i].fd);
  }

  bool AnswerOn(int fd) {
    std::array<char, 4096> buffer;
    if (read(fd, buffer.data(), buffer.size()) <= 0) return false;
    const std::string answer = answer_(count_++);
    if (answer.empty()) return false;
    return write(fd, answer.data(), answer.size()) == static_cast<ssize_t>(answer.size());
  }

  const Answer answer_;
  int listener_ = -1;
  std::array<int, 2> stop_{};
  int count_ = 0;
  std::thread thread_;
};

// So many requests in all.
class Countdown final : public RequestSource {
 public:
  explicit Countdown(int count) : left_(count) {}
  Supply Next(Slot& slot, std::string_view& bytes) override {
    if (left_ == 0) return Supply::kNever;
    --left_;
    slot.operation = Operation::kGetItem;
    bytes = kRequest;
    return Supply::kRequest;
  }
  void OnAnswer(Slot&, int status, std::string_view) override {
    if (status == 0) ++broken;
  }

  int broken = 0;

 private:
  int left_;
};

LoopPlan PlanFor(const TestServer& server, int connections, std::uint64_t milliseconds) {
  return {.address = server.Address(),
          .connections = connections,
          .end_ns = NowNs() + milliseconds * kMillisecondNs};
}

constexpr std::uint64_t kLongMs = 60'000;  // the source ends the run

TEST(ClientLoop, EveryAnswerIsCountedOnce) {
  const TestServer server([](int) { return std::string(kOk); });
  Countdown source(500);
  LiveCounts live;
  const Tally tally = ClientLoop(PlanFor(server, 4, kLongMs), source, live).Run();
  EXPECT_EQ(tally.latencies[static_cast<std::size_t>(Operation::kGetItem)].count(), 500U);
  EXPECT_EQ(live.answers, 500U);
  EXPECT_EQ(tally.bytes_sent, 500 * kRequest.size());
  EXPECT_EQ(tally.bytes_received, 500 * kOk.size());
  EXPECT_EQ(tally.ErrorCount(), 0U);
}

TEST(ClientLoop, ErrorsAreCountedByTheirNames) {
  const TestServer server([](int number) { return std::string(number % 2 == 0 ? kOk : kRefusal); });
  Countdown source(100);
  LiveCounts live;
  const Tally tally = ClientLoop(PlanFor(server, 1, kLongMs), source, live).Run();
  EXPECT_EQ(tally.AllLatency().count(), 50U);
  EXPECT_EQ(tally.errors.at("ValidationException"), 50U);
}

TEST(ClientLoop, ABrokenConnectionIsMadeAgain) {
  const TestServer server(
      [](int number) { return number % 10 == 9 ? std::string() : std::string(kOk); });
  Countdown source(50);
  LiveCounts live;
  const Tally tally = ClientLoop(PlanFor(server, 1, kLongMs), source, live).Run();
  EXPECT_EQ(tally.AllLatency().count(), 45U);
  EXPECT_EQ(tally.errors.at("connection closed"), 5U);
  EXPECT_EQ(source.broken, 5);
}

TEST(ClientLoop, AServerMayAskForANewConnectionEachTime) {
  const TestServer server([](int) { return std::string(kLast); });
  Countdown source(20);
  LiveCounts live;
  const Tally tally = ClientLoop(PlanFor(server, 2, kLongMs), source, live).Run();
  EXPECT_EQ(tally.AllLatency().count(), 20U);
  EXPECT_EQ(tally.ErrorCount(), 0U);
}

TEST(ClientLoop, ARunEndsAtItsEnd) {
  const TestServer server([](int) { return std::string(kOk); });
  Countdown source(-1);
  LiveCounts live;
  const Tally tally = ClientLoop(PlanFor(server, 2, 50), source, live).Run();
  EXPECT_GT(tally.AllLatency().count(), 0U);
  EXPECT_NEAR(tally.measured_seconds, 0.05, 0.01);
}

// One connection, a request due every millisecond, and the first is answered after 60 of them: those
// that were due meanwhile have waited, and a load generator that did not count that would lie.
TEST(ClientLoop, AnOpenLoopCountsFromTheMomentARequestWasDue) {
  const TestServer server([](int number) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(60);
    while (number == 0 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    return std::string(kOk);
  });
  Countdown source(-1);
  LiveCounts live;
  LoopPlan plan = PlanFor(server, 1, 120);
  plan.requests_per_second = 1000;
  const Tally tally = ClientLoop(plan, source, live).Run();
  const Histogram latency = tally.AllLatency();
  EXPECT_GE(latency.max_ns(), 60 * kMillisecondNs);
  // Of the 120 that were due some 50 waited longer than 10 ms.
  EXPECT_GE(latency.QuantileNs(0.75), 10 * kMillisecondNs);
  EXPECT_NEAR(static_cast<double>(latency.count() + tally.unsent), 120, 2);
}

}  // namespace client_loop_test
}  // namespace stator::bench
