// The endpoint that a command works on: a server, AWS, or a directory.
#ifndef STATOR_CLI_MODEL_MODEL_ENDPOINT_H_
#define STATOR_CLI_MODEL_MODEL_ENDPOINT_H_

#include <memory>
#include <string>

#include "stator/clock.h"
#include "stator/endpoint.h"

namespace CLI {
class App;
}

namespace stator::cli {

struct EndpointOptions {
  std::string url;
  std::string directory;
  std::string region;
  std::string profile;
  std::string table_prefix;
};

void AddEndpointOptions(CLI::App& command, EndpointOptions& options);

// Null, after complaining, if it cannot be opened.
std::unique_ptr<Endpoint> OpenEndpointOrComplain(const EndpointOptions& options);

TimeMs SystemNow();

}  // namespace stator::cli

#endif  // STATOR_CLI_MODEL_MODEL_ENDPOINT_H_
