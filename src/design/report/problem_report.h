// What is wrong with the form of a model file, for programs. For people see ProblemText.
#ifndef STATOR_REPORT_PROBLEM_REPORT_H_
#define STATOR_REPORT_PROBLEM_REPORT_H_

#include <string>
#include <vector>

#include "model/parse/parse.h"

namespace stator::model {

// One JSON object: {"file", "clean": false, "problems": [{"line", "column", "message", "hint"}]}.
// Line and column are 0 where the file as a whole is meant.
std::string ProblemsJson(const std::string& file, const std::vector<Problem>& problems);

// SARIF 2.1.0: an error for each problem, of the rule "form".
std::string ProblemsSarif(const std::string& file, const std::vector<Problem>& problems);

}  // namespace stator::model

#endif  // STATOR_REPORT_PROBLEM_REPORT_H_
