#include "server/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <thread>
#include <utility>
#include <vector>

#include "auth/authenticator.h"
#include "auth/credentials_file.h"
#include "base/clock.h"
#include "base/try.h"
#include "server/event_loop.h"
#include "server/listener.h"
#include "server/memory_budget.h"
#include "server/metrics.h"

namespace stator::server {

namespace {

std::expected<std::unique_ptr<Authenticator>, std::string> MakeAuthenticator(
    const ServerOptions& options, const std::string& region) {
  if (!options.credentials_file.empty()) {
    // Clients sign with the real time, so this is not the clock of the tables, which can be turned.
    static const SystemClock clock;
    ASSIGN_OR_RETURN(auto credentials, LoadCredentials(options.credentials_file));
    const Wording wording = options.classic_wording ? Wording::kClassic : Wording::kCurrent;
    return std::make_unique<VerifySignature>(
        std::move(credentials), VerifySignature::Options{.region = region, .wording = wording},
        clock);
  }
  if (options.accept_unsigned) return std::make_unique<AcceptUnsigned>();
  return std::make_unique<AcceptAny>();
}

std::shared_ptr<MemoryBudget> MakeBudget(const ServerOptions& options) {
  const std::size_t limit = options.memory_limit > 0 ? options.memory_limit : DefaultMemoryLimit();
  const std::size_t cores = std::max(2U, std::thread::hardware_concurrency());
  const std::size_t share = options.memory_per_peer > 0
                                ? options.memory_per_peer
                                : std::min(limit / 4, cores * kPeerBytesPerCoreMax);
  return std::make_shared<MemoryBudget>(
      MemoryBudget::Limits{.bytes = limit,
                           .bytes_per_peer = std::min(share, limit),
                           .connections_per_peer = options.connections_per_peer});
}

}  // namespace

struct Server::Impl {
  Impl(ServerOptions chosen, RequestHandler& handler, std::unique_ptr<Authenticator> checks)
      : options(std::move(chosen)),
        authenticator(std::move(checks)),
        shared{.options = options,
               .handler = handler,
               .authenticator = *authenticator,
               .metrics_page =
                   [this, &handler] {
                     return MetricsPage(loop_metrics, handler.GetStats(), handler.GetHealth());
                   },
               .memory = MakeBudget(options)} {}

  ServerOptions options;
  std::uint16_t port = 0;
  std::unique_ptr<Authenticator> authenticator;
  std::vector<const LoopMetrics*> loop_metrics;
  EventLoop::Shared shared;
  std::vector<std::unique_ptr<EventLoop>> loops;
};

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Server::~Server() {
  RequestStop();
  Wait();
}

std::expected<std::unique_ptr<Server>, std::string> Server::Start(ServerOptions options,
                                                                  RequestHandler& handler) {
  std::signal(SIGPIPE, SIG_IGN);  // a vanished peer is an error of one write, not of the process
  ASSIGN_OR_RETURN(auto authenticator, MakeAuthenticator(options, handler.region()));
  auto impl = std::make_unique<Impl>(std::move(options), handler, std::move(authenticator));
  const unsigned wanted =
      impl->options.threads > 0 ? impl->options.threads : std::thread::hardware_concurrency();
  const std::size_t count = std::max(1U, wanted);
  ASSIGN_OR_RETURN(Listeners listeners,
                   Listeners::Open(impl->options.host, impl->options.port, count));
  impl->port = listeners.port();
  for (std::size_t i = 0; i < count; ++i) {
    impl->loops.push_back(std::make_unique<EventLoop>(impl->shared, listeners.Take()));
    impl->loop_metrics.push_back(&impl->loops.back()->metrics());
  }
  for (const auto& loop : impl->loops) loop->Start();
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

std::uint16_t Server::port() const { return impl_->port; }

std::string Server::url() const {
  const std::string& host = impl_->options.host;
  const bool v6 = host.find(':') != std::string::npos;
  return fmt::format("http://{}{}{}:{}", v6 ? "[" : "", host, v6 ? "]" : "", impl_->port);
}

std::size_t Server::thread_count() const { return impl_->loops.size(); }

void Server::RequestStop() {
  for (const auto& loop : impl_->loops) loop->RequestStop();
}

void Server::Wait() {
  for (const auto& loop : impl_->loops) loop->Join();
}

}  // namespace stator::server
