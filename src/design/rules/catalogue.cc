#include "rules/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "rules/checks.h"

namespace stator::model {
namespace {

// Reads one file, line by line, up to the first problem.
class RuleReader {
 public:
  RuleReader(const RuleFile& file, std::vector<std::string>& problems)
      : file_(file), rest_(file.text), problems_(problems) {}

  std::optional<Rule> Read() {
    Rule rule;
    const bool complete = Field("code", rule.code) && IsNameOfFile(rule.code) &&
                          Field("title", rule.title) && ReadSeverity(rule.severity) &&
                          ReadLesson(rule.lesson) && Section("bad", rule.bad) &&
                          Section("good", rule.good) && AtEnd();
    if (!complete) return std::nullopt;
    return rule;
  }

 private:
  static constexpr std::string_view kSection = "=== ";

  bool Fail(std::string_view message) {
    problems_.push_back(fmt::format("{}:{}: {}", file_.name, line_, message));
    return false;
  }

  std::string_view Peek() const { return rest_.substr(0, rest_.find('\n')); }
  std::string_view Next() {
    const std::string_view line = Peek();
    rest_.remove_prefix(std::min(line.size() + 1, rest_.size()));
    ++line_;
    return line;
  }
  void SkipBlankLines() {
    while (!rest_.empty() && Peek().empty()) Next();
  }

  // "name: value"
  bool Field(std::string_view name, std::string_view& value) {
    const std::string_view line = Next();
    const bool named = line.starts_with(name) && line.substr(name.size()).starts_with(": ");
    if (!named) return Fail(fmt::format("expected `{}: …`", name));
    value = line.substr(name.size() + 2);
    return !value.empty() || Fail(fmt::format("the {} is empty", name));
  }

  bool IsNameOfFile(std::string_view code) {
    return file_.name == fmt::format("{}.rule", code) ||
           Fail(fmt::format("the code {} is not the name of the file", code));
  }

  bool ReadSeverity(Severity& severity) {
    std::string_view word;
    if (!Field("severity", word)) return false;
    if (word == "error") {
      severity = Severity::kError;
    } else if (word == "warning") {
      severity = Severity::kWarning;
    } else if (word == "note") {
      severity = Severity::kNote;
    } else {
      return Fail(fmt::format("the severity is error, warning or note, not `{}`", word));
    }
    return true;
  }

  // The lines up to the next section, each with its line break.
  bool Section(std::string_view name, std::string_view& text) {
    SkipBlankLines();
    const std::string_view heading = Next();
    if (!heading.starts_with(kSection) || heading.substr(kSection.size()) != name) {
      return Fail(fmt::format("expected `{}{}`", kSection, name));
    }
    SkipBlankLines();
    text = rest_;
    first_line_ = line_ + 1;
    std::size_t size = 0;
    std::size_t filled = 0;  // without blank lines at the end
    while (!rest_.empty() && !Peek().starts_with(kSection)) {
      const std::string_view line = Next();
      size += line.size() + 1;
      if (!line.empty()) filled = size;
    }
    if (filled == 0) return Fail(fmt::format("the section `{}` is empty", name));
    if (filled > text.size()) return Fail("the last line does not end with a line break");
    text = text.substr(0, filled);
    return true;
  }

  bool ReadLesson(std::string& lesson) {
    std::string_view text;
    if (!Section("lesson", text)) return false;
    text.remove_suffix(1);
    lesson = text;
    if (const std::size_t gap = text.find("\n\n"); gap != std::string_view::npos) {
      line_ =
          first_line_ + static_cast<std::size_t>(std::ranges::count(text.substr(0, gap), '\n')) + 1;
      return Fail("a lesson is one paragraph, and `=== bad` follows it");
    }
    std::ranges::replace(lesson, '\n', ' ');
    return true;
  }

  bool AtEnd() {
    if (rest_.empty()) return true;
    Next();
    return Fail("nothing follows the section `good`");
  }

  const RuleFile& file_;
  std::string_view rest_;
  std::size_t line_ = 0;        // of the line that was read last, counted from 1
  std::size_t first_line_ = 0;  // of the section that was read last
  std::vector<std::string>& problems_;
};

const Catalogue& BuiltIn() {
  static const Catalogue kCatalogue = MakeCatalogue(RuleFiles(), RuleChecks());
  return kCatalogue;
}

}  // namespace

std::span<const RuleCheck> RuleChecks() {
  static constexpr auto kChecks = std::to_array<RuleCheck>({
#define STATOR_RULE(code, function) {#code, function},
#include "rules/checks.inc"
#undef STATOR_RULE
  });
  return kChecks;
}

Catalogue MakeCatalogue(std::span<const RuleFile> files, std::span<const RuleCheck> checks) {
  Catalogue catalogue;
  std::map<std::string_view, Rule> texts;
  for (const RuleFile& file : files) {
    std::optional<Rule> rule = RuleReader(file, catalogue.problems).Read();
    if (!rule) continue;
    if (std::ranges::find(checks, rule->code, &RuleCheck::code) == checks.end()) {
      catalogue.problems.push_back(
          fmt::format("{}:1: checks.inc has no line for {}", file.name, rule->code));
      continue;
    }
    texts.emplace(rule->code, *std::move(rule));
  }
  for (const RuleCheck& check : checks) {
    const auto text = texts.find(check.code);
    if (text == texts.end()) {
      catalogue.problems.push_back(fmt::format("checks.inc: {0} has no text/{0}.rule", check.code));
    } else if (text->second.check != nullptr) {
      catalogue.problems.push_back(fmt::format("checks.inc: {} has two lines", check.code));
    } else {
      text->second.check = check.check;
      catalogue.rules.push_back(text->second);
    }
  }
  return catalogue;
}

std::span<const Rule> AllRules() { return BuiltIn().rules; }

const Rule* FindRule(std::string_view code) {
  const std::span<const Rule> all = AllRules();
  const auto it = std::ranges::find(all, code, &Rule::code);
  return it == all.end() ? nullptr : &*it;
}

}  // namespace stator::model
