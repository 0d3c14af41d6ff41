#include "client/transport.h"

#include <array>
#include <utility>

namespace stator {
namespace {

constexpr std::size_t kReadBytes = 64 * 1024;

using State = http::ResponseParser::State;

TransportFailure FailureOf(const StreamProblem& problem, std::string_view doing,
                           const http::Url& url) {
  return {.message = std::string(doing) + " " + url.host_header + ": " + problem.message,
          .is_retryable = problem.kind != StreamProblem::Kind::kUntrusted};
}

}  // namespace

class HttpTransport::Lease {
 public:
  explicit Lease(HttpTransport& owner) : owner_(owner) {}
  ~Lease() { owner_.GiveBack(std::move(stream)); }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  std::unique_ptr<ByteStream> stream;  // kept if it is still here at the end
  bool is_kept = false;                // it has carried a request before

 private:
  HttpTransport& owner_;
};

HttpTransport::HttpTransport(HttpTransportOptions options) : options_(std::move(options)) {}

bool HttpTransport::TakePlace(Deadline deadline) {
  std::unique_lock lock(mutex_);
  const bool free = place_freed_.wait_until(
      lock, deadline, [this] { return places_taken_ < options_.max_connections; });
  if (free) ++places_taken_;
  return free;
}

std::unique_ptr<ByteStream> HttpTransport::TakeIdle() {
  for (;;) {
    std::unique_ptr<ByteStream> stream;
    {
      const std::scoped_lock lock(mutex_);
      if (idle_.empty()) return nullptr;
      stream = std::move(idle_.back());
      idle_.pop_back();
    }
    // One that has something to say is at its end, or answers what nobody asked.
    if (stream->IsQuiet()) return stream;
  }
}

void HttpTransport::GiveBack(std::unique_ptr<ByteStream> stream) {
  {
    const std::scoped_lock lock(mutex_);
    if (stream) idle_.push_back(std::move(stream));
    --places_taken_;
  }
  place_freed_.notify_one();
}

StreamResult<std::unique_ptr<ByteStream>> HttpTransport::Connect() const {
  const Deadline deadline = std::chrono::steady_clock::now() + options_.connect_timeout;
  StreamResult<std::unique_ptr<Socket>> socket = Socket::Connect(options_.url, deadline);
  if (!socket) return std::unexpected(std::move(socket).error());
  if (!options_.url.is_tls) return *std::move(socket);
  return options_.tls->Connect(*std::move(socket), options_.url.host, deadline);
}

std::expected<http::Response, TransportFailure> HttpTransport::Exchange(std::string_view request) {
  if (!TakePlace(std::chrono::steady_clock::now() + options_.request_timeout)) {
    return std::unexpected(TransportFailure{.message = "all connections were busy for too long"});
  }
  Lease lease(*this);
  lease.stream = TakeIdle();
  lease.is_kept = lease.stream != nullptr;
  for (;;) {
    if (!lease.stream) {
      StreamResult<std::unique_ptr<ByteStream>> stream = Connect();
      if (!stream) {
        return std::unexpected(FailureOf(stream.error(), "cannot connect to", options_.url));
      }
      lease.stream = *std::move(stream);
      lease.is_kept = false;
    }
    const Deadline deadline = std::chrono::steady_clock::now() + options_.request_timeout;
    Outcome outcome = ExchangeOn(lease, request, deadline);
    if (!outcome.answer || !outcome.answer->keep_alive) lease.stream.reset();
    if (!outcome.was_stale) return std::move(outcome.answer);
  }
}

HttpTransport::Outcome HttpTransport::ExchangeOn(Lease& lease, std::string_view request,
                                                 Deadline deadline) const {
  const auto fail = [&](const StreamProblem& problem, bool received) {
    const bool was_stale = lease.is_kept && !received && problem.kind == StreamProblem::Kind::kLost;
    return Outcome{std::unexpected(FailureOf(problem, "no answer from", options_.url)), was_stale};
  };
  const StreamResult<void> written = lease.stream->Write(request, deadline);
  if (!written && written.error().kind != StreamProblem::Kind::kLost) {
    return fail(written.error(), false);
  }
  // A server that refuses a request may answer before it has read it, and close: its answer is
  // worth more than the failed write.
  http::ResponseParser parser(options_.limits);
  std::array<char, kReadBytes> buffer;
  bool received = false;
  for (State state = State::kMore; state != State::kDone;) {
    const StreamResult<std::size_t> count = lease.stream->Read(buffer, deadline);
    if (!count) return fail(written ? count.error() : written.error(), received);
    if (*count == 0 && !received) {
      return fail({StreamProblem::Kind::kLost, "the connection was closed"}, false);
    }
    received = true;
    state = *count == 0 ? parser.TakeEnd() : parser.Take({buffer.data(), *count});
    if (state == State::kBroken) {
      return fail({StreamProblem::Kind::kLost, "the answer cannot be read: " + parser.problem()},
                  true);
    }
  }
  return {std::move(parser.response())};
}

}  // namespace stator
