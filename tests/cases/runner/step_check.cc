#include "step_check.h"

#include <fmt/format.h>

namespace stator::cases {
namespace {

// The member that carries an error's message: these types, unlike all others, spell it with a
// capital.
std::string_view MessageMember(std::string_view error_type) {
  const bool capital =
      error_type == "SerializationException" || error_type == "AccessDeniedException";
  return capital ? "Message" : "message";
}

std::string TypeOf(const JsonValue& body) {
  if (body.kind() != JsonKind::kObject) return {};
  const auto type = body.Member("__type");
  if (!type || type->kind() != JsonKind::kString) return {};
  return std::string(type->string().substr(type->string().find('#') + 1));
}

std::string_view TextOf(const JsonValue& body, std::string_view member) {
  const auto value = body.Member(member);
  return value && value->kind() == JsonKind::kString ? value->string() : std::string_view();
}

// The expected body is only the text of the message; nothing else may come with it.
Differences CheckMessage(const Call& call, std::string_view expected, const JsonValue& body) {
  const std::string_view member = MessageMember(call.error_type);
  if (!MatchesText(expected, TextOf(body, member)) || body.Members().size() != 2) {
    return {fmt::format("expected {}: {}\n{:>20}: {}", member, expected, "got", ToText(body))};
  }
  return {};
}

}  // namespace

Differences CheckAnswer(const Call& call, const Database::Answer& answer, SavedValues& saved) {
  JsonDocument actual;
  // TagResource and UntagResource succeed with an empty body.
  const std::string_view body = answer.body.empty() ? "{}" : std::string_view(answer.body);
  if (!actual.Parse(body)) return {"the answer is not JSON: " + answer.body};
  const std::string type = TypeOf(actual.root());
  if (answer.http_status != call.status || type != call.error_type) {
    return {fmt::format("expected {} {}, got {} {}", call.status, call.error_type,
                        answer.http_status, ToText(actual.root()))};
  }
  const auto expanded = Expand(call.expected, saved);
  if (!expanded) return {expanded.error()};
  if (expanded->empty()) return {};
  if (!expanded->starts_with('{')) return CheckMessage(call, *expanded, actual.root());

  std::string text = *expanded;
  if (call.status >= 400 && text.find("\"__type\"") == std::string::npos) {
    // The line of the status has named the type already.
    text.insert(1, text.find_first_not_of(" \n", 1) == text.find('}') ? R"("__type": "$any")"
                                                                      : R"("__type": "$any", )");
  }
  JsonDocument expected;
  if (!expected.Parse(text)) return {"the expected body is not JSON: " + text};
  return Match(expected.root(), actual.root(), saved);
}

}  // namespace stator::cases
