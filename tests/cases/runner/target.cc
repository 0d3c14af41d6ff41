#include "target.h"

#include <fmt/format.h>

#include "http_client.h"
#include "server/request_handler.h"
#include "server/server.h"

namespace stator::cases {
namespace {

class EmbeddedTarget final : public Target {
 public:
  explicit EmbeddedTarget(std::unique_ptr<Database> database) : Target(std::move(database)) {}

  Database::Answer Call(std::string_view operation, std::string_view body) override {
    auto answer = database().Execute(operation, body);
    if (!answer) return Database::ErrorAnswer(answer.error());
    return {.http_status = 200, .body = *std::move(answer), .error_name = {}};
  }

  std::expected<void, std::string> Advance(std::chrono::milliseconds by) override {
    if (!database().clock().Advance(by)) return std::unexpected("the clock cannot go there");
    return {};
  }
};

class HttpTarget final : public Target {
 public:
  explicit HttpTarget(std::unique_ptr<Database> database)
      : Target(std::move(database)), handler_(Target::database()) {}

  // Empty when the server answers.
  std::string Start() {
    server::ServerOptions options;
    options.port = 0;
    options.threads = 1;
    options.accept_unsigned = true;
    auto started = server::Server::Start(options, handler_);
    if (!started) return started.error();
    server_ = *std::move(started);
    return client_.Connect(server_->port()) ? "" : "cannot connect to the server";
  }

  Database::Answer Call(std::string_view operation, std::string_view body) override {
    auto answer = client_.Post(operation, body);
    if (!answer) return {.http_status = 0, .body = answer.error(), .error_name = {}};
    return {.http_status = answer->status, .body = std::move(answer->body), .error_name = {}};
  }

  std::expected<void, std::string> Advance(std::chrono::milliseconds by) override {
    const double seconds = std::chrono::duration<double>(by).count();
    const auto answer = client_.PostJson("/_stator/clock",
                                         fmt::format(R"({{"advance_seconds": {:.3f}}})", seconds));
    if (!answer) return std::unexpected(answer.error());
    if (answer->status != 200) return std::unexpected(answer->body);
    return {};
  }

 private:
  server::DatabaseHandler handler_;
  std::unique_ptr<server::Server> server_;
  HttpClient client_;  // closed before the server stops, which waits for its connections
};

}  // namespace

std::expected<std::unique_ptr<Target>, std::string> Target::Open(const TargetOptions& options) {
  DatabaseOptions database_options;
  database_options.directory = options.directory.string();
  database_options.classic_wording = options.classic_wording;
  database_options.clock = options.clock;
  database_options.s3_root = options.buckets.string();
  auto database = Database::Open(database_options);
  if (!database) return std::unexpected(database.error().message());
  if (!options.http) return std::make_unique<EmbeddedTarget>(*std::move(database));
  auto target = std::make_unique<HttpTarget>(*std::move(database));
  if (auto problem = target->Start(); !problem.empty()) return std::unexpected(problem);
  return target;
}

}  // namespace stator::cases
