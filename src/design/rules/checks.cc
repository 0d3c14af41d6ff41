#include "rules/checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

namespace stator::model {
namespace {

std::string TextOf(const Acceptance& acceptance) {
  return acceptance.target.empty() ? acceptance.rule : acceptance.rule + "@" + acceptance.target;
}

// "KY05@app.GSI1", or with those whom it is about: "KY05@app.GSI1/Account+Repository".
std::string NameWithParties(const Finding& finding) {
  std::string name = finding.rule + "@" + finding.target;
  if (!finding.parties.empty()) name += fmt::format("/{}", fmt::join(finding.parties, "+"));
  return name;
}

// "KY05@app.GSI1#3fa29c": a mark of what is found, whatever its figures (FNV-1a).
std::string NameWithMark(const Finding& finding) {
  std::uint32_t hash = 2166136261U;
  const auto add = [&](char c) { hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U; };
  for (const std::string& party : finding.parties) {
    for (const char c : party) add(c);
    add('+');
  }
  for (const char c : finding.message) {
    const bool figure = (c >= '0' && c <= '9') || c == '.' || c == ',';
    if (!figure) add(c);
  }
  return fmt::format("{}@{}#{:06x}", finding.rule, finding.target, hash & 0xFFFFFFU);
}

}  // namespace

Finding& Findings::Add(std::string target, Place place, std::string message, std::string fix) {
  found_.push_back({.rule = std::string(rule_->code),
                    .severity = rule_->severity,
                    .target = std::move(target),
                    .line = place.line,
                    .column = place.column,
                    .message = std::move(message),
                    .fix = std::move(fix),
                    .accepted = false});
  return found_.back();
}

Finding& Findings::Note(std::string target, Place place, std::string message, std::string fix) {
  Finding& finding = Add(std::move(target), place, std::move(message), std::move(fix));
  finding.severity = Severity::kNote;
  return finding;
}

void Findings::NameAll() {
  for (Finding& finding : found_) finding.accept_as = NameWithParties(finding);
  std::map<std::string, int> count;
  for (const Finding& finding : found_) ++count[finding.accept_as];
  for (Finding& finding : found_) {
    if (count[finding.accept_as] > 1) finding.accept_as = NameWithMark(finding);
  }
}

std::vector<Finding*> Findings::Named(const Acceptance& acceptance) {
  const std::string name = TextOf(acceptance);
  std::vector<Finding*> named;
  for (Finding& finding : found_) {
    if (acceptance.rule != finding.rule) continue;
    // About two, the place alone says too little, even if nothing else is found there.
    const bool is_plain = finding.parties.size() < 2;
    const bool by_place =
        is_plain && (acceptance.target.empty() || acceptance.target == finding.target);
    if (by_place || name == NameWithParties(finding) || name == NameWithMark(finding)) {
      named.push_back(&finding);
    }
  }
  return named;
}

std::vector<std::string> Findings::NamesNear(const Acceptance& acceptance) const {
  const std::string place = acceptance.target.substr(0, acceptance.target.find_first_of("/#"));
  std::vector<std::string> names;
  for (const Finding& finding : found_) {
    const bool near = place.empty() || finding.target == place;
    if (finding.rule == acceptance.rule && near) AddOnce(names, finding.accept_as);
  }
  return names;
}

namespace {

std::string HowToMean(const Acceptance& acceptance, const std::vector<std::string>& names) {
  if (FindRule(acceptance.rule) == nullptr) {
    return fmt::format("there is no rule {}; `stator explain` lists all", acceptance.rule);
  }
  if (names.empty()) return "remove the acceptance, or name the target as the finding does";
  return fmt::format("remove it, or name what is found and meant: {}", List(names));
}

}  // namespace

// AC01. Runs last: only then is it known what there is to accept.
void CheckAcceptances(const Subject& subject, Findings& findings) {
  findings.NameAll();
  std::vector<std::pair<const Acceptance*, std::string>> wrong;
  for (const Acceptance& acceptance : subject.model.accepted) {
    const std::vector<Finding*> named = findings.Named(acceptance);
    const bool by_mark = acceptance.target.contains('#');
    const bool by_place = !by_mark && !acceptance.target.contains('/');
    const std::size_t near = findings.NamesNear(acceptance).size();
    if (named.empty() && by_place && near > 0) {
      wrong.emplace_back(&acceptance, fmt::format("`{}` does not say about whom, and accepts none",
                                                  TextOf(acceptance)));
    } else if (named.empty()) {
      wrong.emplace_back(&acceptance,
                         fmt::format("nothing is found that `{}` accepts", TextOf(acceptance)));
    } else if (named.size() > 1 && !by_mark) {
      wrong.emplace_back(&acceptance, fmt::format("`{}` could mean {} findings, and accepts none",
                                                  TextOf(acceptance), named.size()));
    } else {
      for (Finding* finding : named) finding->accepted = true;
    }
  }
  for (const auto& [acceptance, message] : wrong) {
    const std::string fix = HowToMean(*acceptance, findings.NamesNear(*acceptance));
    findings.Add(TextOf(*acceptance), acceptance->place, message, fix).accept_as.clear();
  }
}

std::string YamlList(const std::vector<std::string>& names) {
  return fmt::format("[{}]", fmt::join(names, ", "));
}

std::string IndexTarget(const Table& table, const Index& index) {
  return table.id + "." + index.name;
}

std::string ProjectionAsWritten(const Projection& projection) {
  switch (projection.kind) {
    case Projection::Kind::kAll:
      return "all";
    case Projection::Kind::kKeysOnly:
      return "keys";
    case Projection::Kind::kInclude:
      return YamlList(projection.attributes);
  }
  return "";
}

std::string FigureText(double figure) {
  if (figure >= 1e6) return fmt::format("{:.3g} million", figure / 1e6);
  if (figure >= 100) return fmt::format("{:.0f}", figure);
  return fmt::format("{:.2g}", figure);
}

Place PlaceOf(const Term& term, const Plan& plan) {
  return term.place.line > 0 ? term.place : plan.pattern->place;
}

bool Binds(std::span<const Term> terms, std::string_view attribute) {
  return std::ranges::any_of(terms, [&](const Term& term) {
    return term.attribute == attribute &&
           (term.comparison == Comparison::kEqual || term.comparison == Comparison::kIn);
  });
}

}  // namespace stator::model
