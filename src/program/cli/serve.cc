#include "cli/serve.h"

#include <sys/resource.h>

#include <cstdio>
#include <memory>

#include "base/log.h"
#include "cli/stop_signals.h"
#include "server/request_handler.h"
#include "server/listener.h"
#include "server/server.h"
#include "server/options.h"

namespace stator::cli {
namespace {

// Every connection is a file; the usual soft limit of 1024 is soon reached.
void RaiseFileLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

int Fail(const std::string& message) {
  std::fprintf(stderr, "stator: %s\n", message.c_str());
  return kExitFailure;
}

void WarnIfInsecure(const ServeCommand& command) {
  if (!command.server.credentials_file.empty() && !server::IsLoopbackHost(command.server.host)) {
    Log(LogLevel::kWarning,
        "requests and answers are not encrypted; let other machines come through a TLS proxy",
        {{"host", command.server.host}});
  }
  if (!command.insecure) return;
  Log(LogLevel::kWarning,
      "INSECURE: request signatures are not verified; whoever reaches this port owns the data",
      {{"host", command.server.host}});
}

void TellIfTurned(const ClockReading& clock) {
  if (clock.mode == ClockMode::kSystem) return;
  Log(LogLevel::kWarning, "tables do not go by the system's time",
      {{"clock", clock.mode == ClockMode::kFixed ? "fixed" : "offset"},
       {"now_ms", clock.now.time_since_epoch().count()}});
}

}  // namespace

int Serve(const ServeCommand& command) {
  ConfigureLog(command.log_level, command.log_format);
  RaiseFileLimit();
  StopSignals signals;

  auto database = Database::Open(command.database);
  if (!database) return Fail(database.error().message());
  server::DatabaseHandler handler(**database);
  auto server = server::Server::Start(command.server, handler);
  if (!server) return Fail(server.error());

  WarnIfInsecure(command);
  TellIfTurned((*database)->clock().Read());
  const std::string& directory = command.database.directory;
  Log(LogLevel::kInfo, "started",
      {{"version", server::kVersion},
       {"url", (*server)->url()},
       {"directory", directory.empty() ? "(memory)" : directory},
       {"threads", (*server)->thread_count()}});
  // Scripts wait for this line.
  std::printf("stator is ready at %s\n", (*server)->url().c_str());
  std::fflush(stdout);

  const std::string_view signal = signals.WaitForFirst();
  Log(LogLevel::kInfo, "stopping", {{"signal", signal}});
  (*server)->RequestStop();
  (*server)->Wait();
  server->reset();
  database->reset();
  Log(LogLevel::kInfo, "stopped");
  return kExitOk;
}

}  // namespace stator::cli
