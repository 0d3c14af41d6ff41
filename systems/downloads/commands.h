// What the subcommands of the program do. Each returns the exit code: 0 done, 1 not done; what is wrong
// with the command line is found before.
#ifndef STATOR_SYSTEMS_DOWNLOADS_COMMANDS_H_
#define STATOR_SYSTEMS_DOWNLOADS_COMMANDS_H_

#include <cstdint>
#include <string>

#include "systems/program/connection.h"

namespace stator::systems::downloads {

struct CommandOptions {
  ConnectionOptions connection;
  std::string date;  // empty: today
  std::string source_url = "http://127.0.0.1:8700";
  std::string keys_directory = "keys";
  std::string output_directory = "output";
  std::string name = "downloader";
  int workers = 1;
  double watch_seconds = 0;  // look again so often; 0: once
  bool again = false;
  std::string timeout = "2h";
  std::int64_t attempts_max = 5;
  int port = 8700;
  std::size_t files = 10;
  std::int64_t file_bytes = 65536;
  std::int64_t bytes_per_second = 0;
  std::string environment = "dev";
  std::string moment;       // ISO 8601; empty: the latest
  std::string into_prefix;  // of restored tables
};

int ServeSource(const CommandOptions& options);
int RunCommand(const CommandOptions& options);
int DownloaderCommand(const CommandOptions& options);
int PollerCommand(const CommandOptions& options);
int RequeueCommand(const CommandOptions& options);
int DashboardCommand(const CommandOptions& options);
int SetUpCommand(const CommandOptions& options);
int RestoreCommand(const CommandOptions& options);
int DemoCommand();

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_COMMANDS_H_
