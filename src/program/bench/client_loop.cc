#include "bench/client_loop.h"

#include <sys/timerfd.h>
#include <unistd.h>
#include <uv.h>

#include <algorithm>
#include <ctime>
#include <deque>
#include <string>
#include <vector>

#include "base/check.h"
#include "bench/client_connection.h"

namespace stator::bench {
namespace {

constexpr std::uint64_t kNsPerSecond = 1'000'000'000;
constexpr std::uint64_t kGraceNs = 5 * kNsPerSecond;  // for the last answers
constexpr std::uint64_t kTickMs = 20;
constexpr std::size_t kReadBufferBytes = 256 * 1024;

double ThreadCpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

// The moments at which requests are due.
class Schedule {
 public:
  Schedule(std::uint64_t start_ns, double per_second)
      : start_ns_(start_ns), interval_ns_(1e9 / per_second) {}
  std::uint64_t NextNs() const {
    return start_ns_ + static_cast<std::uint64_t>(static_cast<double>(sent_) * interval_ns_);
  }
  void Advance() { ++sent_; }
  std::uint64_t LeftBefore(std::uint64_t end_ns) const {
    const std::uint64_t next_ns = NextNs();
    if (next_ns >= end_ns) return 0;
    return static_cast<std::uint64_t>(static_cast<double>(end_ns - next_ns) / interval_ns_) + 1;
  }

 private:
  std::uint64_t start_ns_;
  double interval_ns_;
  std::uint64_t sent_ = 0;
};

}  // namespace

std::uint64_t NowNs() { return uv_hrtime(); }

class ClientLoop::Impl final : public ClientConnection::Owner {
 public:
  Impl(const LoopPlan& plan, RequestSource& source, LiveCounts& live)
      : plan_(plan),
        source_(source),
        live_(live),
        is_open_(plan.requests_per_second > 0),
        schedule_(NowNs(), is_open_ ? plan.requests_per_second : 1),
        read_buffer_(kReadBufferBytes, '\0') {}

  Tally Run();

  void OnReady(ClientConnection& connection) override { Continue(connection, NowNs()); }
  void OnAnswer(ClientConnection& connection, std::size_t byte_count) override;
  void OnBroken(ClientConnection& connection, std::string_view reason) override;

 private:
  struct Member {
    explicit Member(const ClientConnection::Parts& parts) : connection(parts) {}
    ClientConnection connection;
    bool finished = false;
  };

  void StartHandles();
  void OpenConnections();
  void Continue(ClientConnection& connection, std::uint64_t now_ns);
  void SendNext(ClientConnection& connection, std::uint64_t due_ns);
  void SendDue(std::uint64_t now_ns);
  void WakeAt(std::uint64_t due_ns);
  void OnTick();
  void AskAgain(Member& member, std::uint64_t now_ns);
  void Finish(Member& member);
  void Finish(ClientConnection& connection);
  void Record(const ClientConnection& connection, std::size_t byte_count, std::uint64_t now_ns);
  void CountError(const std::string& name);

  const LoopPlan plan_;
  RequestSource& source_;
  LiveCounts& live_;
  const bool is_open_;
  Schedule schedule_;
  std::string read_buffer_;
  uv_loop_t loop_{};
  uv_timer_t tick_{};
  int alarm_fd_ = -1;  // open loop: a timer far finer than libuv's
  uv_poll_t alarm_{};
  std::deque<Member> members_;
  std::size_t unfinished_ = 0;
  std::vector<ClientConnection*> idle_;  // open loop: ready, and nothing is due
  Tally tally_;
};

Tally ClientLoop::Impl::Run() {
  const double cpu_before = ThreadCpuSeconds();
  const std::uint64_t begin_ns = NowNs();
  STATOR_CHECK(uv_loop_init(&loop_) == 0);
  StartHandles();
  OpenConnections();
  uv_run(&loop_, UV_RUN_DEFAULT);
  STATOR_CHECK(uv_loop_close(&loop_) == 0);
  if (alarm_fd_ >= 0) close(alarm_fd_);

  const std::uint64_t now_ns = NowNs();
  const std::uint64_t end_ns = std::min(now_ns, plan_.end_ns);
  const std::uint64_t from_ns = std::clamp(plan_.measure_from_ns, begin_ns, end_ns);
  tally_.measured_seconds = static_cast<double>(end_ns - from_ns) / 1e9;
  tally_.run_seconds = static_cast<double>(now_ns - begin_ns) / 1e9;
  tally_.cpu_seconds = ThreadCpuSeconds() - cpu_before;
  if (is_open_) tally_.unsent = schedule_.LeftBefore(plan_.end_ns);
  return std::move(tally_);
}

void ClientLoop::Impl::StartHandles() {
  uv_timer_init(&loop_, &tick_);
  tick_.data = this;
  uv_timer_start(
      &tick_, [](uv_timer_t* timer) { static_cast<Impl*>(timer->data)->OnTick(); }, kTickMs,
      kTickMs);
  if (!is_open_) return;
  alarm_fd_ = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  STATOR_CHECK(alarm_fd_ >= 0);
  STATOR_CHECK(uv_poll_init(&loop_, &alarm_, alarm_fd_) == 0);
  alarm_.data = this;
  uv_poll_start(&alarm_, UV_READABLE, [](uv_poll_t* poll, int, int) {
    auto* self = static_cast<Impl*>(poll->data);
    std::uint64_t expirations = 0;
    (void)!read(self->alarm_fd_, &expirations, sizeof expirations);
    self->SendDue(NowNs());
  });
}

void ClientLoop::Impl::OpenConnections() {
  const ClientConnection::Parts parts{
      .loop = &loop_,
      .owner = *this,
      .address = reinterpret_cast<const sockaddr*>(&plan_.address),
      .read_buffer = uv_buf_init(read_buffer_.data(), static_cast<unsigned>(read_buffer_.size()))};
  unfinished_ = static_cast<std::size_t>(plan_.connections);
  for (int i = 0; i < plan_.connections; ++i) {
    members_.emplace_back(parts);
    members_.back().connection.Connect();
  }
}

void ClientLoop::Impl::Continue(ClientConnection& connection, std::uint64_t now_ns) {
  if (now_ns >= plan_.end_ns) return Finish(connection);
  if (!is_open_) return SendNext(connection, now_ns);
  idle_.push_back(&connection);
  SendDue(now_ns);
}

void ClientLoop::Impl::SendDue(std::uint64_t now_ns) {
  while (!idle_.empty()) {
    const std::uint64_t due_ns = schedule_.NextNs();
    if (due_ns >= plan_.end_ns) return;
    if (due_ns > now_ns) return WakeAt(due_ns);
    ClientConnection& connection = *idle_.back();
    idle_.pop_back();
    schedule_.Advance();
    SendNext(connection, due_ns);
  }
}

void ClientLoop::Impl::WakeAt(std::uint64_t due_ns) {
  itimerspec when{};
  when.it_value.tv_sec = static_cast<time_t>(due_ns / kNsPerSecond);
  when.it_value.tv_nsec = static_cast<long>(due_ns % kNsPerSecond);
  timerfd_settime(alarm_fd_, TFD_TIMER_ABSTIME, &when, nullptr);
}

void ClientLoop::Impl::SendNext(ClientConnection& connection, std::uint64_t due_ns) {
  std::string_view bytes;
  switch (source_.Next(connection.slot, bytes)) {
    case RequestSource::Supply::kNever:
      return Finish(connection);
    case RequestSource::Supply::kLater:
      return;  // the tick asks again
    case RequestSource::Supply::kRequest:
      break;
  }
  connection.due_ns = due_ns;
  if (is_open_) connection.sent_ns = NowNs();
  if (due_ns >= plan_.measure_from_ns) tally_.bytes_sent += bytes.size();
  connection.Send(bytes, source_.WantsBodies());
}

void ClientLoop::Impl::OnAnswer(ClientConnection& connection, std::size_t byte_count) {
  const std::uint64_t now_ns = NowNs();
  const int status = connection.response().head().status;
  if (status == kStatusOk) {
    Record(connection, byte_count, now_ns);
  } else {
    const std::string name = ErrorNameIn(connection.response().body());
    CountError(name.empty() ? "HTTP " + std::to_string(status) : name);
  }
  source_.OnAnswer(connection.slot, status, connection.response().body());
  if (connection.state() == ClientConnection::State::kReady) {
    Continue(connection, now_ns);
  } else {
    connection.Connect();  // the server asked for a new connection
  }
}

void ClientLoop::Impl::Record(const ClientConnection& connection, std::size_t byte_count,
                              std::uint64_t now_ns) {
  live_.answers.store(live_.answers.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  if (connection.due_ns < plan_.measure_from_ns) return;
  // In a closed loop an answer after the end does not count: the rate is of those before it.
  if (!is_open_ && now_ns > plan_.end_ns) return;
  const auto operation = static_cast<std::size_t>(connection.slot.operation);
  tally_.latencies[operation].Record(now_ns - connection.due_ns);
  if (is_open_) tally_.service.Record(now_ns - connection.sent_ns);
  tally_.bytes_received += byte_count;
  tally_.body_bytes_received += connection.response().head().body_bytes;
}

void ClientLoop::Impl::OnBroken(ClientConnection& connection, std::string_view reason) {
  CountError(std::string(reason));
  std::erase(idle_, &connection);
  source_.OnAnswer(connection.slot, 0, {});
}

void ClientLoop::Impl::CountError(const std::string& name) {
  ++tally_.errors[name];
  live_.errors.store(live_.errors.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

// Connections that broke, or had to wait, are looked after here: a server that refuses everything
// is not asked a million times per second.
void ClientLoop::Impl::OnTick() {
  const std::uint64_t now_ns = NowNs();
  for (Member& member : members_) {
    if (!member.finished) AskAgain(member, now_ns);
  }
}

void ClientLoop::Impl::AskAgain(Member& member, std::uint64_t now_ns) {
  using State = ClientConnection::State;
  ClientConnection& connection = member.connection;
  const bool ended = now_ns >= plan_.end_ns;
  switch (connection.state()) {
    case State::kClosed:
      return ended || source_.GivesUp() ? Finish(member) : connection.Connect();
    case State::kReady:
      if (ended) return Finish(member);
      if (!is_open_) return SendNext(connection, now_ns);
      return;
    case State::kConnecting:
    case State::kBusy:
      if (!ended || now_ns - plan_.end_ns < kGraceNs) return;
      CountError("no answer");
      return Finish(member);
  }
}

void ClientLoop::Impl::Finish(ClientConnection& connection) {
  const auto found =
      std::ranges::find(members_, &connection, [](Member& m) { return &m.connection; });
  Finish(*found);
}

void ClientLoop::Impl::Finish(Member& member) {
  if (member.finished) return;
  member.finished = true;
  std::erase(idle_, &member.connection);
  member.connection.Close();
  if (--unfinished_ > 0) return;
  uv_close(reinterpret_cast<uv_handle_t*>(&tick_), nullptr);
  if (is_open_) uv_close(reinterpret_cast<uv_handle_t*>(&alarm_), nullptr);
}

ClientLoop::ClientLoop(const LoopPlan& plan, RequestSource& source, LiveCounts& live)
    : impl_(std::make_unique<Impl>(plan, source, live)) {}

ClientLoop::~ClientLoop() = default;

Tally ClientLoop::Run() { return impl_->Run(); }

}  // namespace stator::bench
