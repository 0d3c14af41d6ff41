#include "cli/model/model_endpoint.h"

#include <CLI/CLI.hpp>
#include <chrono>

#include "cli/model/model_file.h"
#include "stator/client.h"
#include "stator/database.h"

namespace stator::cli {

void AddEndpointOptions(CLI::App& command, EndpointOptions& options) {
  auto* url = command
                  .add_option("--endpoint", options.url,
                              "A server, e.g. http://127.0.0.1:8000, or `aws` for DynamoDB itself")
                  ->type_name("URL");
  command.add_option("--data", options.directory, "A directory that no server has open")
      ->type_name("DIR")
      ->excludes(url);
  command.add_option("--region", options.region, "Region of the endpoint")->type_name("NAME");
  command.add_option("--profile", options.profile, "Profile of ~/.aws/credentials")
      ->type_name("NAME");
  command.add_option("--prefix", options.table_prefix, "Put before the name of every table")
      ->type_name("TEXT");
}

std::unique_ptr<Endpoint> OpenEndpointOrComplain(const EndpointOptions& options) {
  if (options.url.empty() && options.directory.empty()) {
    Complain("say on which tables: --endpoint URL, or --data DIR");
    return nullptr;
  }
  if (!options.directory.empty()) {
    DatabaseOptions database{.directory = options.directory};
    if (!options.region.empty()) database.region = options.region;
    auto opened = Database::Open(std::move(database));
    if (opened) return *std::move(opened);
    Complain(opened.error().message());
    return nullptr;
  }
  ClientOptions client;
  if (options.url != "aws") client.endpoint = options.url;
  client.region = options.region;
  client.profile = options.profile;
  auto opened = Client::Open(std::move(client));
  if (opened) return *std::move(opened);
  Complain(opened.error().message());
  return nullptr;
}

TimeMs SystemNow() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

}  // namespace stator::cli
