// The rules as the program holds them: each text of text/*.rule, read and tied to its check.
//
// A rule file, all of it required and in this order:
//
//   code: AP01
//   title: one line, as `stator explain` lists it
//   severity: error, warning or note
//
//   === lesson
//   Why it matters: one paragraph, over as many lines as it takes.
//
//   === bad
//   model: 1
//   (a model file in which the rule finds something)
//
//   === good
//   model: 1
//   (the same, corrected)
//
// A line that starts with === begins a section; blank lines around a section do not belong to it.
#ifndef STATOR_RULES_CATALOGUE_H_
#define STATOR_RULES_CATALOGUE_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/rules.h"

namespace stator::model {

struct RuleFile {
  std::string_view name;  // "AP01.rule"
  std::string_view text;
};

// Every file of text/, which the build puts into the program (cmake/rule_texts.cmake).
std::span<const RuleFile> RuleFiles();

struct RuleCheck {
  std::string_view code;
  CheckFunction* check = nullptr;
};

// The lines of checks.inc.
std::span<const RuleCheck> RuleChecks();

struct Catalogue {
  std::vector<Rule> rules;            // in the order of the checks; they point into the files
  std::vector<std::string> problems;  // "AP01.rule:3: …"; rules with a problem are left out
};

Catalogue MakeCatalogue(std::span<const RuleFile> files, std::span<const RuleCheck> checks);

}  // namespace stator::model

#endif  // STATOR_RULES_CATALOGUE_H_
