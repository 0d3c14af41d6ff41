// Reports for people: checks and lessons.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "report/check_report.h"

namespace stator::model {
namespace {

constexpr std::string_view kReset = "\x1b[0m";
constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kDim = "\x1b[2m";
constexpr std::string_view kRed = "\x1b[31m";
constexpr std::string_view kYellow = "\x1b[33m";
constexpr std::string_view kGreen = "\x1b[32m";
constexpr std::string_view kCyan = "\x1b[36m";

class Painter {
 public:
  explicit Painter(bool colors) : colors_(colors) {}
  std::string operator()(std::string_view color, std::string_view text) const {
    return colors_ ? fmt::format("{}{}{}", color, text, kReset) : std::string(text);
  }

 private:
  bool colors_;
};

std::string_view ColorOf(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return kRed;
    case Severity::kWarning:
      return kYellow;
    case Severity::kNote:
      return kCyan;
  }
  return kReset;
}

// 0.5, 4, 1337, 2.6e+04
std::string Number(double value) {
  if (value == std::floor(value) && value < 1e7) return fmt::format("{:.0f}", value);
  return fmt::format("{:.3g}", value);
}

std::string BytesText(double bytes) {
  if (bytes < 1024) return fmt::format("{:.0f} B", bytes);
  if (bytes < 1024.0 * 1024) return fmt::format("{:.1f} KB", bytes / 1024);
  return fmt::format("{:.1f} MB", bytes / 1024 / 1024);
}

// "30 items, 7.3 KB, 4 RRU" or "1 WRU + 4 in indexes"
std::string Figures(const Estimate& estimate) {
  if (!estimate.known) return "?";
  std::string text;
  const double written = estimate.TotalWriteUnits();
  if (written > 0) {
    text = Number(estimate.write_units.typical) + " WRU";
    const double indexes = written - estimate.write_units.typical;
    if (indexes > 1e-9) text += " + " + Number(indexes) + " in indexes";
  }
  if (estimate.read_units.typical > 0) {
    text += fmt::format(
        "{}{} item{}, {}, {} RRU", text.empty() ? "" : ", ", Number(estimate.items_read.typical),
        estimate.items_read.typical == 1 ? "" : "s", BytesText(estimate.bytes_read.typical),
        Number(estimate.read_units.typical));
  }
  return text.empty() ? "-" : text;
}

void AppendTable(const Model& model, const CheckResult& result, const Painter& paint,
                 std::string& out) {
  std::size_t name_width = 0;
  std::size_t figures_width = 0;
  for (std::size_t i = 0; i < result.plans.size(); ++i) {
    name_width = std::max(name_width, result.plans[i].pattern->name.size());
    figures_width = std::max(figures_width, Figures(result.estimates[i]).size());
  }
  if (!model.title.empty()) out += paint(kBold, model.title) + "\n";
  for (std::size_t i = 0; i < result.plans.size(); ++i) {
    const Plan& plan = result.plans[i];
    const std::string text = PlanText(plan);
    out += fmt::format("  {}{}  {}{}  {}\n", plan.pattern->name,
                       std::string(name_width - plan.pattern->name.size(), ' '),
                       Figures(result.estimates[i]),
                       std::string(figures_width - Figures(result.estimates[i]).size(), ' '),
                       plan.resolved() ? text : paint(kRed, "no operation: " + text));
  }
  if (!result.plans.empty()) out += "\n";
}

void AppendFinding(const Model& model, const Finding& finding, const Painter& paint,
                   std::string& out) {
  const std::string severity =
      finding.accepted ? "accepted" : std::string(SeverityName(finding.severity));
  out += fmt::format(
      "{}:{}:{} {} {} {}\n", model.file, finding.line, finding.column, paint(kBold, finding.rule),
      paint(finding.accepted ? kDim : ColorOf(finding.severity), severity), MessageText(finding));
  if (!finding.accepted && !finding.fix.empty()) {
    out += fmt::format("    {} {}\n", paint(kGreen, "fix:"), finding.fix);
  }
  // Others of the rule may be at the same place: only this name means this one.
  const bool plain = finding.accept_as == finding.rule + "@" + finding.target;
  if (!finding.accepted && !plain && !finding.accept_as.empty()) {
    out += fmt::format("    {} {}\n", paint(kDim, "accept as:"), finding.accept_as);
  }
}

std::string Plural(std::ptrdiff_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

std::string MessageText(const Finding& finding) {
  if (finding.message.find(finding.target) != std::string::npos) return finding.message;
  return finding.target + ": " + finding.message;
}

std::string_view SeverityName(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      return "note";
  }
  return "?";
}

std::string CheckText(const Model& model, const CheckResult& result, bool colors) {
  const Painter paint(colors);
  std::string out;
  AppendTable(model, result, paint, out);
  for (const Finding& finding : result.findings) AppendFinding(model, finding, paint, out);
  if (!result.findings.empty()) out += "\n";
  const auto count = [&](Severity severity) {
    return std::ranges::count_if(result.findings, [&](const Finding& finding) {
      return !finding.accepted && finding.severity == severity;
    });
  };
  const auto resolved = std::ranges::count_if(result.plans, &Plan::resolved);
  const auto accepted = std::ranges::count_if(result.findings, &Finding::accepted);
  out += paint(result.clean() ? kGreen : kRed,
               fmt::format("{} of {} resolved; {}, {}, {}, {} accepted", resolved,
                           Plural(std::ssize(result.plans), "pattern"),
                           Plural(count(Severity::kError), "error"),
                           Plural(count(Severity::kWarning), "warning"),
                           Plural(count(Severity::kNote), "note"), accepted));
  return out + "\n";
}

// ---- What rules teach

namespace {

constexpr std::size_t kLessonWidth = 80;

std::string Wrap(std::string_view text) {
  std::string out;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (column > 0 && column + 1 + word.size() > kLessonWidth) {
      out += '\n';
      column = 0;
    } else if (column > 0) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out + "\n";
}

std::string Indent(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += fmt::format("  {}\n", text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace

std::string ExplainText(const Rule& rule) {
  return fmt::format("{} ({}): {}\n\n{}\nBad:\n{}\nGood:\n{}", rule.code,
                     SeverityName(rule.severity), rule.title, Wrap(rule.lesson), Indent(rule.bad),
                     Indent(rule.good));
}

std::string RuleListText(std::span<const Rule> rules) {
  std::string out;
  for (const Rule& rule : rules) {
    out += fmt::format("{}  {:7}  {}\n", rule.code, SeverityName(rule.severity), rule.title);
  }
  return out;
}

}  // namespace stator::model
