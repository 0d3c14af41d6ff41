#include "cli/operations.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>

#include "stator/client.h"
#include "stator/database.h"

namespace stator::cli {
namespace {

constexpr std::chrono::milliseconds kPause{100};

}  // namespace

std::expected<std::unique_ptr<Endpoint>, std::string> OpenSource(const DataSource& source) {
  if (!source.endpoint.empty()) {
    ClientOptions options{.max_attempts = source.max_attempts};
    if (source.is_patient) options.request_timeout = std::chrono::hours(24);
    if (source.endpoint != "aws") options.endpoint = source.endpoint;
    options.region = source.region;
    options.profile = source.profile;
    auto client = Client::Open(std::move(options));
    if (!client) return std::unexpected(client.error().message());
    return *std::move(client);
  }
  if (!source.may_create && !std::filesystem::is_directory(source.directory)) {
    return std::unexpected("there is no directory " + source.directory);
  }
  DatabaseOptions options{.directory = source.directory};
  options.s3_root = source.s3_root;
  options.backup_directory = source.backup_dir;
  if (!source.region.empty()) options.region = source.region;
  if (!source.account.empty()) options.account = source.account;
  auto database = Database::Open(std::move(options));
  if (!database) return std::unexpected(database.error().message());
  return *std::move(database);
}

std::optional<JsonValue> Answer::Find(Path path) const {
  if (!is_json_) return std::nullopt;
  std::optional<JsonValue> value = document_.root();
  for (const std::string_view name : path) {
    if (!value || value->kind() != JsonKind::kObject) return std::nullopt;
    value = value->Member(name);
  }
  return value;
}

std::string Answer::Text(Path path) const {
  const std::optional<JsonValue> value = Find(path);
  if (!value || value->kind() != JsonKind::kString) return {};
  return std::string(value->string());
}

std::int64_t Answer::Integer(Path path) const {
  const std::optional<JsonValue> value = Find(path);
  if (!value) return 0;
  const bool is_number = value->kind() == JsonKind::kInteger || value->kind() == JsonKind::kDecimal;
  return is_number ? value->integer() : 0;
}

std::vector<std::string> Answer::Texts(std::string_view list, std::string_view name) const {
  std::vector<std::string> texts;
  const std::optional<JsonValue> found = Find({list});
  if (!found || found->kind() != JsonKind::kArray) return texts;
  for (const JsonValue& element : found->Elements()) {
    if (element.kind() != JsonKind::kObject) continue;
    const std::optional<JsonValue> member = element.Member(name);
    if (member && member->kind() == JsonKind::kString) texts.emplace_back(member->string());
  }
  return texts;
}

std::vector<std::string> Answer::Texts(std::string_view list) const {
  std::vector<std::string> texts;
  const std::optional<JsonValue> found = Find({list});
  if (!found || found->kind() != JsonKind::kArray) return texts;
  for (const JsonValue& element : found->Elements()) {
    if (element.kind() == JsonKind::kString) texts.emplace_back(element.string());
  }
  return texts;
}

CallResult Call(Endpoint& endpoint, std::string_view operation,
                const std::function<void(JsonWriter&)>& write) {
  std::string json;
  JsonWriter out(json);
  out.BeginObject();
  write(out);
  out.EndObject();
  const auto answer = endpoint.Execute(operation, json);
  if (answer) return Answer(*answer);
  const Error& error = answer.error();
  const bool answered = error.code() != ErrorCode::kNoAnswer;
  return std::unexpected(
      CallFailure{answered ? std::string(error.name()) : std::string(), error.message()});
}

CallResult WaitFor(Endpoint& endpoint, const Waiting& waiting) {
  ProgressLine line;
  for (;;) {
    CallResult answer = Call(endpoint, waiting.operation, [&](JsonWriter& out) {
      out.Key(waiting.member).String(waiting.value);
    });
    if (!answer) return answer;
    line.Show(waiting.progress(*answer));
    const auto& not_yet = waiting.not_yet;
    if (std::ranges::find(not_yet, waiting.status(*answer)) == not_yet.end()) return answer;
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace stator::cli
