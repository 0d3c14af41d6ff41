#include "cli/answers.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace stator::cli {
namespace {

constexpr std::chrono::milliseconds kPause{100};

}  // namespace

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

CallResult CallWith(Caller& caller, std::string_view operation,
                    const std::function<void(JsonWriter&)>& write) {
  std::string json;
  JsonWriter out(json);
  out.BeginObject();
  write(out);
  out.EndObject();
  auto answer = caller.Call(operation, json);
  if (!answer) return std::unexpected(std::move(answer).error());
  return Answer(*answer);
}

CallResult WaitFor(Caller& caller, const Waiting& waiting) {
  ProgressLine line;
  for (;;) {
    CallResult answer = CallWith(caller, waiting.operation, [&](JsonWriter& out) {
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
