// What a check found, for people and for programs.
#ifndef STATOR_REPORT_CHECK_REPORT_H_
#define STATOR_REPORT_CHECK_REPORT_H_

#include <span>
#include <string>
#include <string_view>

#include "model/model.h"
#include "rules/rules.h"

namespace stator::model {

// The proof table, the findings as "file:line:col RULE severity message" with their fix below, and a
// line that sums up. `colors`: with the escapes of a terminal.
std::string CheckText(const Model& model, const CheckResult& result, bool colors);

// One JSON object: {"file", "title", "clean", "patterns": [...], "findings": [...]}. Each
// pattern says whether the primary key serves it.
std::string CheckJson(const Model& model, const CheckResult& result);

// SARIF 2.1.0, as code hosts and editors read it. Accepted findings are suppressed results.
std::string CheckSarif(const Model& model, const CheckResult& result);

// What `stator explain RULE` prints, and the list of all rules.
std::string ExplainText(const Rule& rule);
std::string RuleListText(std::span<const Rule> rules);

// The message, opened with the finding's target where it does not name it.
std::string MessageText(const Finding& finding);

std::string_view SeverityName(Severity severity);  // "error", "warning", "note"

}  // namespace stator::model

#endif  // STATOR_REPORT_CHECK_REPORT_H_
