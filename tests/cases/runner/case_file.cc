#include "tests/cases/runner/case_file.h"

#include <charconv>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <optional>

namespace stator::cases {

namespace {

constexpr int kIncludeDepthMax = 4;

std::string_view Trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// What follows `prefix`, if the line starts with it.
std::optional<std::string_view> After(std::string_view line, std::string_view prefix) {
  if (!line.starts_with(prefix)) return std::nullopt;
  return Trimmed(line.substr(prefix.size()));
}

class Parser {
 public:
  Parser(std::string name, std::filesystem::path directory, int depth)
      : name_(std::move(name)), directory_(std::move(directory)), depth_(depth) {}

  ParsedCase Parse(std::string_view text) {
    while (!text.empty() && error_.empty()) {
      ++line_number_;
      const auto end = text.find('\n');
      TakeLine(text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    CheckLastCall();
    if (!error_.empty()) return std::unexpected(error_);
    return std::move(result_);
  }

 private:
  enum class Reading { kNothing, kRequest, kExpected, kObject };

  void TakeLine(std::string_view line) {
    if (line.starts_with('#')) return;
    if (const auto operation = After(line, ">")) return StartCall(*operation);
    if (const auto answer = After(line, "<")) return StartAnswer(*answer);
    if (const auto file = After(line, "include:")) return Include(*file);
    if (const auto wording = After(line, "wording:")) return SetWording(*wording);
    if (const auto setting = After(line, "clock:")) return SetClock(*setting);
    if (const auto what = After(line, "wait:")) return Wait(*what);
    if (const auto duration = After(line, "advance:")) return Advance(*duration);
    if (const auto object = After(line, "object:")) return StartObject(*object);
    if (const auto buckets = After(line, "buckets:")) return SetBuckets(*buckets);
    if (Trimmed(line).empty()) return;
    TakeBody(line);
  }

  void StartCall(std::string_view operation) {
    CheckLastCall();
    if (operation.empty()) return Fail("an operation must follow '>'");
    result_.steps.push_back({.place = Place(), .call = {.operation = std::string(operation)}});
    reading_ = Reading::kRequest;
  }

  void StartAnswer(std::string_view answer) {
    if (reading_ != Reading::kRequest) return Fail("'<' must follow a request");
    Call& call = result_.steps.back().call;
    const auto space = answer.find(' ');
    const std::string_view status = answer.substr(0, space);
    const auto parsed = std::from_chars(status.data(), status.data() + status.size(), call.status);
    if (parsed.ec != std::errc() || parsed.ptr != status.data() + status.size()) {
      return Fail("an HTTP status must follow '<'");
    }
    if (space != std::string_view::npos) call.error_type = Trimmed(answer.substr(space));
    if ((call.status >= 400) != !call.error_type.empty()) {
      return Fail("an error has a type, a success has none");
    }
    reading_ = Reading::kExpected;
  }

  void TakeBody(std::string_view line) {
    if (reading_ == Reading::kNothing) return Fail("this line belongs to no request or answer");
    Call& call = result_.steps.back().call;
    std::string& body = reading_ == Reading::kExpected ? call.expected : call.request;
    if (!body.empty()) body += '\n';
    body += Trimmed(line);
  }

  void Include(std::string_view file) {
    CheckLastCall();
    if (depth_ == kIncludeDepthMax) return Fail("includes are nested too deep");
    const auto path = directory_ / file;
    std::ifstream in(path, std::ios::binary);
    if (!in) return Fail("cannot read " + path.string());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    Parser included(std::string(file), path.parent_path(), depth_ + 1);
    auto parsed = included.Parse(text);
    if (!parsed) return Fail(parsed.error());
    result_.buckets = result_.buckets || parsed->buckets;
    std::move(parsed->steps.begin(), parsed->steps.end(), std::back_inserter(result_.steps));
  }

  void SetWording(std::string_view wording) {
    if (wording != "classic") return Fail("the only wording to choose is 'classic'");
    result_.classic_wording = true;
  }

  void SetClock(std::string_view text) {
    if (depth_ > 0) return Fail("the clock is set by the case, not by what it includes");
    const auto setting = ClockSetting::Parse(text);
    if (!setting) return Fail(setting.error());
    result_.clock = *setting;
  }

  void Wait(std::string_view what) {
    CheckLastCall();
    if (what != "background") return Fail("the only thing to wait for is 'background'");
    result_.steps.push_back({.kind = Step::Kind::kWaitForBackground, .place = Place()});
  }

  void Advance(std::string_view duration) {
    CheckLastCall();
    const auto parsed = ParseDuration(duration);
    if (!parsed) return Fail("a duration such as 31d, -2h or 1.5s must follow 'advance:'");
    result_.steps.push_back(
        {.kind = Step::Kind::kAdvanceClock, .place = Place(), .call = {}, .advance = *parsed});
  }

  void SetBuckets(std::string_view setting) {
    if (setting != "yes") return Fail("the only setting of buckets is 'yes'");
    result_.buckets = true;
  }

  void StartObject(std::string_view object) {
    CheckLastCall();
    if (object.find('/') == std::string_view::npos) return Fail("bucket/key must follow 'object:'");
    result_.buckets = true;
    result_.steps.push_back({.kind = Step::Kind::kPutObject,
                             .place = Place(),
                             .call = {},
                             .advance = {},
                             .object = std::string(object)});
    reading_ = Reading::kObject;
  }

  // A request without an answer would be a test without an assertion.
  void CheckLastCall() {
    if (reading_ == Reading::kRequest) Fail("the request before this line has no answer");
    reading_ = Reading::kNothing;
  }

  std::string Place() const { return name_ + ":" + std::to_string(line_number_); }
  void Fail(const std::string& reason) {
    if (error_.empty()) error_ = Place() + ": " + reason;
  }

  std::string name_;
  std::filesystem::path directory_;
  int depth_;
  int line_number_ = 0;
  Reading reading_ = Reading::kNothing;
  CaseFile result_;
  std::string error_;
};

}  // namespace

ParsedCase ParseCase(std::string_view text, const std::string& name,
                     const std::filesystem::path& directory) {
  return Parser(name, directory, 0).Parse(text);
}

ParsedCase ReadCase(const std::filesystem::path& file, const std::filesystem::path& root) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::unexpected("cannot read " + file.string());
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return ParseCase(text, std::filesystem::relative(file, root).string(), file.parent_path());
}

namespace {

constexpr std::size_t kRepeatMax = 5'000'000;

// Takes a text in backquotes from the front of `rest`.
std::optional<std::string_view> TakeQuoted(std::string_view& rest) {
  const auto first = rest.find_first_not_of(' ');
  if (first == std::string_view::npos || rest[first] != '`') return std::nullopt;
  const auto end = rest.find('`', first + 1);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view text = rest.substr(first + 1, end - first - 1);
  rest.remove_prefix(end + 1);
  return text;
}

void AppendCounted(std::string& out, std::string_view text, std::size_t count) {
  while (true) {
    const auto at = text.find("$i");
    out += text.substr(0, at);
    if (at == std::string_view::npos) return;
    out += std::to_string(count);
    text.remove_prefix(at + 2);
  }
}

std::expected<std::string, std::string> Repeat(std::string_view arguments) {
  std::size_t times = 0;
  const auto number = std::from_chars(arguments.data(), arguments.data() + arguments.size(), times);
  if (number.ec != std::errc() || times > kRepeatMax) {
    return std::unexpected("repeat needs a number");
  }
  std::string_view rest = arguments.substr(static_cast<std::size_t>(number.ptr - arguments.data()));
  const auto text = TakeQuoted(rest);
  if (!text) return std::unexpected("repeat needs a text in backquotes");
  const std::string_view separator = TakeQuoted(rest).value_or("");
  std::string out;
  for (std::size_t count = 1; count <= times; ++count) {
    if (count > 1) out += separator;
    AppendCounted(out, *text, count);
  }
  return out;
}

// Where the directive that starts at `text` ends: braces between backquotes do not count.
std::size_t FindEnd(std::string_view text) {
  bool quoted = false;
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    if (text[at] == '`') quoted = !quoted;
    if (!quoted && text[at] == '}' && text[at + 1] == '}') return at;
  }
  return std::string_view::npos;
}

// What stands between the quotes of the saved text that "text NAME" names.
std::optional<std::string_view> SavedText(std::string_view directive, const SavedValues& saved) {
  constexpr std::string_view kText = "text ";
  if (!directive.starts_with(kText)) return std::nullopt;
  const auto value = saved.find(directive.substr(kText.size()));
  if (value == saved.end() || !value->second.starts_with('"')) return std::nullopt;
  return std::string_view(value->second).substr(1, value->second.size() - 2);
}

}  // namespace

std::expected<std::string, std::string> Expand(std::string_view text, const SavedValues& saved) {
  std::string out;
  while (true) {
    const auto start = text.find("{{");
    out += text.substr(0, start);
    if (start == std::string_view::npos) return out;
    text.remove_prefix(start + 2);
    const auto end = FindEnd(text);
    if (end == std::string_view::npos) return std::unexpected("'{{' without '}}'");
    const std::string_view directive = text.substr(0, end);
    text.remove_prefix(end + 2);
    if (directive.starts_with("repeat ")) {
      auto repeated = Repeat(directive.substr(7));
      if (!repeated) return repeated;
      out += *repeated;
    } else if (const auto value = saved.find(directive); value != saved.end()) {
      out += value->second;
    } else if (const auto inner = SavedText(directive, saved)) {
      out += *inner;
    } else {
      return std::unexpected("nothing is saved as '" + std::string(directive) + "'");
    }
  }
}

}  // namespace stator::cases
