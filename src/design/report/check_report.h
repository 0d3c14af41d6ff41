// What is wrong with a model, for people and for programs: what its rules found, and what is wrong
// with the form of its file.
#ifndef STATOR_REPORT_CHECK_REPORT_H_
#define STATOR_REPORT_CHECK_REPORT_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"
#include "model/parse/parse.h"
#include "rules/rules.h"

namespace stator::model {

// The proof table, the findings as "file:line:col RULE severity message" with their fix below, and
// a line that sums up. `colors`: with the escapes of a terminal.
std::string CheckText(const Model& model, const CheckResult& result, bool colors);

// One JSON object: {"file", "title", "clean", "patterns": [...], "findings": [...]}. Each
// pattern says whether the primary key serves it.
std::string CheckJson(const Model& model, const CheckResult& result);

// SARIF 2.1.0, as code hosts and editors read it. Accepted findings are suppressed results.
std::string CheckSarif(const Model& model, const CheckResult& result);

// What is wrong with the form of a model file, for programs; ProblemText is for people.
//
// One JSON object: {"file", "clean": false, "problems": [{"line", "column", "message", "hint"}]}.
// Line and column are 0 where the file as a whole is meant.
std::string ProblemsJson(const std::string& file, const std::vector<Problem>& problems);
// SARIF 2.1.0: one error per problem, of the rule "form".
std::string ProblemsSarif(const std::string& file, const std::vector<Problem>& problems);

// What `stator explain RULE` prints, and the list of all rules.
std::string ExplainText(const Rule& rule);
std::string RuleListText(std::span<const Rule> rules);

// The message, opened with the finding's target where it does not name it.
std::string MessageText(const Finding& finding);

std::string_view SeverityName(Severity severity);  // "error", "warning", "note"

}  // namespace stator::model

#endif  // STATOR_REPORT_CHECK_REPORT_H_
