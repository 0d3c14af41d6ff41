#include "floors/floor_server.h"

#include <cstdio>
#include <memory>

#include "base/log.h"
#include "cli/stop_signals.h"
#include "server/server.h"

namespace stator::bench {

int ServeFloor(const server::ServerOptions& options, const HandlerMaker& make_handler) {
  ConfigureLog(LogLevel::kWarning, LogFormat::kText);  // as a quiet Stator
  cli::StopSignals signals;
  const std::unique_ptr<FloorHandler> handler = make_handler();
  if (!handler) return 1;
  auto server = server::Server::Start(options, *handler);
  if (!server) {
    std::fprintf(stderr, "%s\n", server.error().c_str());
    return 1;
  }
  std::printf("stator is ready at %s\n", (*server)->url().c_str());
  std::fflush(stdout);
  signals.WaitForFirst();
  (*server)->RequestStop();
  (*server)->Wait();
  return 0;
}

}  // namespace stator::bench
