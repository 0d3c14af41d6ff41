#include "cli/caller.h"

#include <filesystem>
#include <utility>

#include "bench/call.h"
#include "bench/endpoint.h"
#include "bench/request.h"
#include "stator/database.h"
#include "value/json.h"

namespace stator::cli {
namespace {

std::string MemberText(const JsonDocument& document, std::string_view name) {
  if (document.root().kind() != JsonKind::kObject) return {};
  const std::optional<JsonValue> member = document.root().Member(name);
  if (!member || member->kind() != JsonKind::kString) return {};
  return std::string(member->string());
}

CallFailure FailureOf(const bench::CallAnswer& answer) {
  JsonDocument document;
  if (!document.Parse(answer.body)) {
    return {{}, "the server answered with HTTP status " + std::to_string(answer.status)};
  }
  std::string type = MemberText(document, "__type");
  type.erase(0, type.find('#') + 1);
  std::string message = MemberText(document, "message");
  if (message.empty()) message = MemberText(document, "Message");
  return {std::move(type), std::move(message)};
}

class ServerCaller final : public Caller {
 public:
  ServerCaller(const bench::Endpoint& endpoint, const sockaddr_storage& address)
      : address_(address), factory_(endpoint, std::nullopt) {}

  std::expected<std::string, CallFailure> Call(std::string_view operation,
                                               std::string_view json) override {
    auto answer = bench::Call(address_, factory_, operation, json);
    if (!answer) return std::unexpected(CallFailure{{}, std::move(answer).error()});
    if (answer->status != 200) return std::unexpected(FailureOf(*answer));
    return std::move(answer->body);
  }

 private:
  const sockaddr_storage address_;
  bench::RequestFactory factory_;
};

class DirectoryCaller final : public Caller {
 public:
  explicit DirectoryCaller(std::unique_ptr<Database> database) : database_(std::move(database)) {}

  std::expected<std::string, CallFailure> Call(std::string_view operation,
                                               std::string_view json) override {
    auto answer = database_->Execute(operation, json);
    if (answer) return *std::move(answer);
    return std::unexpected(
        CallFailure{std::string(answer.error().name()), answer.error().message()});
  }

 private:
  std::unique_ptr<Database> database_;
};

}  // namespace

std::expected<std::unique_ptr<Caller>, std::string> MakeCaller(const DataSource& source) {
  if (!source.endpoint.empty()) {
    const auto endpoint = bench::ParseEndpoint(source.endpoint);
    if (!endpoint) return std::unexpected(endpoint.error());
    const auto address = bench::FirstAddress(*endpoint);
    if (!address) return std::unexpected(address.error());
    return std::make_unique<ServerCaller>(*endpoint, *address);
  }
  if (!source.may_create && !std::filesystem::is_directory(source.directory)) {
    return std::unexpected("there is no directory " + source.directory);
  }
  DatabaseOptions options;
  options.directory = source.directory;
  options.s3_root = source.s3_root;
  options.region = source.region;
  options.account = source.account;
  auto database = Database::Open(std::move(options));
  if (!database) return std::unexpected(database.error().message());
  return std::make_unique<DirectoryCaller>(*std::move(database));
}

}  // namespace stator::cli
