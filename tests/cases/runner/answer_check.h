// Compares an answer with what a case expects of it.
#ifndef STATOR_TESTS_CASES_RUNNER_ANSWER_CHECK_H_
#define STATOR_TESTS_CASES_RUNNER_ANSWER_CHECK_H_

#include <string>
#include <string_view>
#include <vector>

#include "stator/database.h"
#include "tests/cases/runner/case_file.h"
#include "value/json.h"

namespace stator::cases {

// One place where they differ: ".Item.pk: expected …, got …".
using Differences = std::vector<std::string>;

// Objects match member by member in any order, arrays element by element, numbers by value.
// `expected` may hold placeholders (README.md); values it names with "$save NAME" are stored in
// `saved`. Empty when everything matches.
Differences Match(const JsonValue& expected, const JsonValue& actual, SavedValues& saved);

// True if `text` is `pattern`, in which every `{*}` stands for any text.
bool MatchesText(std::string_view pattern, std::string_view text);

// One line of JSON.
std::string ToText(const JsonValue& value);

// Runs one step of a case and says what is wrong with its answer.

// Compares an answer with what the call expects. Empty when they agree.
Differences CheckAnswer(const Call& call, const Database::Answer& answer, SavedValues& saved);

}  // namespace stator::cases

#endif  // STATOR_TESTS_CASES_RUNNER_ANSWER_CHECK_H_
