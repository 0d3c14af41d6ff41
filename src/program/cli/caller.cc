#include "cli/caller.h"

#include <filesystem>
#include <utility>

#include "stator/client.h"
#include "stator/database.h"

namespace stator::cli {
namespace {

// A command that somebody waits for gives up sooner than a program.
constexpr int kAttempts = 3;

Result<std::unique_ptr<Endpoint>> OpenDirectory(const DataSource& source) {
  DatabaseOptions options;
  options.directory = source.directory;
  options.s3_root = source.s3_root;
  options.region = source.region;
  options.account = source.account;
  auto database = Database::Open(std::move(options));
  if (!database) return std::unexpected(database.error());
  return *std::move(database);
}

}  // namespace

std::expected<std::string, CallFailure> Caller::Call(std::string_view operation,
                                                     std::string_view json) {
  auto answer = endpoint_->Execute(operation, json);
  if (answer) return *std::move(answer);
  const Error& error = answer.error();
  const bool answered = error.code() != ErrorCode::kNoAnswer;
  return std::unexpected(
      CallFailure{answered ? std::string(error.name()) : std::string(), error.message()});
}

std::expected<std::unique_ptr<Caller>, std::string> MakeCaller(const DataSource& source) {
  if (!source.endpoint.empty()) {
    auto client = Client::Open({.endpoint = source.endpoint, .max_attempts = kAttempts});
    if (!client) return std::unexpected(client.error().message());
    return std::make_unique<Caller>(*std::move(client));
  }
  if (!source.may_create && !std::filesystem::is_directory(source.directory)) {
    return std::unexpected("there is no directory " + source.directory);
  }
  auto database = OpenDirectory(source);
  if (!database) return std::unexpected(database.error().message());
  return std::make_unique<Caller>(*std::move(database));
}

}  // namespace stator::cli
