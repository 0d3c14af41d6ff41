#include "tests/cases/runner/answer_check.h"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "value/json_text.h"

namespace stator::cases {

namespace {

constexpr std::string_view kSave = "$save ";
constexpr std::string_view kOthers = "$others";
constexpr std::string_view kUnordered = "$unordered";

bool IsNumber(const JsonValue& value) {
  return value.kind() == JsonKind::kInteger || value.kind() == JsonKind::kDecimal;
}

bool IsString(const JsonValue& value, std::string_view text) {
  return value.kind() == JsonKind::kString && value.string() == text;
}

bool IsUuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool dash = at == 8 || at == 13 || at == 18 || at == 23;
    const bool hex = std::isxdigit(static_cast<unsigned char>(text[at])) != 0;
    if (dash ? text[at] != '-' : !hex) return false;
  }
  return true;
}

// Seconds since the epoch with milliseconds, later than 2020.
bool IsTimestamp(const JsonValue& value) {
  constexpr double kYear2020 = 1'577'836'800;
  return IsNumber(value) && value.number() > kYear2020 && value.number() < 10 * kYear2020;
}

class Matcher {
 public:
  explicit Matcher(SavedValues& saved) : saved_(saved) {}

  void Compare(const JsonValue& expected, const JsonValue& actual, const std::string& path) {
    if (expected.kind() == JsonKind::kString) return CompareString(expected, actual, path);
    if (IsNumber(expected)) {
      if (!IsNumber(actual) || expected.number() != actual.number()) Differ(expected, actual, path);
      return;
    }
    if (expected.kind() == JsonKind::kObject) {
      if (const auto elements = expected.Member(kUnordered)) {
        return CompareUnordered(*elements, actual, path);
      }
    }
    if (expected.kind() != actual.kind()) return Differ(expected, actual, path);
    switch (expected.kind()) {
      case JsonKind::kObject:
        return CompareObjects(expected, actual, path);
      case JsonKind::kArray:
        return CompareArrays(expected, actual, path);
      case JsonKind::kBool:
        if (expected.boolean() != actual.boolean()) Differ(expected, actual, path);
        return;
      default:
        return;
    }
  }

  Differences differences;

 private:
  void CompareString(const JsonValue& expected, const JsonValue& actual, const std::string& path) {
    const std::string_view text = expected.string();
    const bool is_string = actual.kind() == JsonKind::kString;
    bool same = is_string && MatchesText(text, actual.string());
    if (text == "$any") same = true;
    if (text == "$number") same = IsNumber(actual);
    if (text == "$timestamp") same = IsTimestamp(actual);
    if (text == "$uuid") same = is_string && IsUuid(actual.string());
    if (text.starts_with(kSave)) {
      saved_.insert_or_assign(std::string(text.substr(kSave.size())), ToText(actual));
      same = true;
    }
    if (!same) Differ(expected, actual, path);
  }

  void CompareObjects(const JsonValue& expected, const JsonValue& actual, const std::string& path) {
    const bool open = expected.Member(kOthers).has_value();
    for (const auto& [name, value] : expected.Members()) {
      if (name == kOthers) continue;
      const auto found = actual.Member(name);
      const std::string place = path + "." + std::string(name);
      if (IsString(value, "$absent")) {
        if (found) Add(place, "expected to be absent, got " + ToText(*found));
      } else if (!found) {
        Add(place, "expected " + ToText(value) + ", but it is absent");
      } else {
        Compare(value, *found, place);
      }
    }
    if (open) return;
    for (const auto& [name, value] : actual.Members()) {
      if (expected.Member(name)) continue;
      Add(path + "." + std::string(name), "not expected, got " + ToText(value));
    }
  }

  void CompareArrays(const JsonValue& expected, const JsonValue& actual, const std::string& path) {
    const auto wanted = expected.Elements();
    const auto got = actual.Elements();
    if (wanted.size() != got.size()) return Differ(expected, actual, path);
    for (std::size_t at = 0; at < wanted.size(); ++at) {
      Compare(wanted[at], got[at], fmt::format("{}[{}]", path, at));
    }
  }

  void CompareUnordered(const JsonValue& expected, const JsonValue& actual,
                        const std::string& path) {
    if (actual.kind() != JsonKind::kArray) return Differ(expected, actual, path);
    auto left = actual.Elements();
    for (const JsonValue& wanted : expected.Elements()) {
      const auto found = std::ranges::find_if(left, [&](const JsonValue& candidate) {
        return Match(wanted, candidate, saved_).empty();
      });
      if (found == left.end()) {
        Add(path, "has no element " + ToText(wanted) + ", got " + ToText(actual));
      } else {
        left.erase(found);
      }
    }
    for (const JsonValue& extra : left) Add(path, "not expected, got element " + ToText(extra));
  }

  void Differ(const JsonValue& expected, const JsonValue& actual, const std::string& path) {
    Add(path, "expected " + ToText(expected) + ", got " + ToText(actual));
  }
  void Add(const std::string& path, const std::string& what) {
    differences.push_back(fmt::format("{}: {}", path.empty() ? "body" : path, what));
  }

  SavedValues& saved_;
};

void AppendQuoted(std::string& out, std::string_view text) {
  out += '"';
  AppendJsonEscaped(out, text);
  out += '"';
}

void AppendText(std::string& out, const JsonValue& value) {
  std::string_view separator;
  switch (value.kind()) {
    case JsonKind::kNull:
      out += "null";
      return;
    case JsonKind::kBool:
      out += value.boolean() ? "true" : "false";
      return;
    case JsonKind::kInteger:
      out += std::to_string(value.integer());
      return;
    case JsonKind::kDecimal:
      out += fmt::format("{}", value.number());
      return;
    case JsonKind::kString:
      return AppendQuoted(out, value.string());
    case JsonKind::kArray:
      out += '[';
      for (const JsonValue& element : value.Elements()) {
        out += std::exchange(separator, ", ");
        AppendText(out, element);
      }
      out += ']';
      return;
    case JsonKind::kObject:
      out += '{';
      for (const auto& [name, member] : value.Members()) {
        out += std::exchange(separator, ", ");
        AppendQuoted(out, name);
        out += ": ";
        AppendText(out, member);
      }
      out += '}';
  }
}

}  // namespace

Differences Match(const JsonValue& expected, const JsonValue& actual, SavedValues& saved) {
  Matcher matcher(saved);
  matcher.Compare(expected, actual, "");
  return std::move(matcher.differences);
}

bool MatchesText(std::string_view pattern, std::string_view text) {
  constexpr std::string_view kAnyText = "{*}";
  const auto wildcard = pattern.find(kAnyText);
  if (wildcard == std::string_view::npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, wildcard))) return false;
  const std::string_view rest = pattern.substr(wildcard + kAnyText.size());
  for (std::size_t at = wildcard; at <= text.size(); ++at) {
    if (MatchesText(rest, text.substr(at))) return true;
  }
  return false;
}

std::string ToText(const JsonValue& value) {
  std::string out;
  AppendText(out, value);
  return out;
}

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
