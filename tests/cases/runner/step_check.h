// Runs one step of a case and says what is wrong with its answer.
#ifndef STATOR_TESTS_CASES_RUNNER_STEP_CHECK_H_
#define STATOR_TESTS_CASES_RUNNER_STEP_CHECK_H_

#include <string>

#include "case_file.h"
#include "json_match.h"
#include "stator/database.h"

namespace stator::cases {

// Compares an answer with what the call expects. Empty when they agree.
Differences CheckAnswer(const Call& call, const Database::Answer& answer, SavedValues& saved);

}  // namespace stator::cases

#endif  // STATOR_TESTS_CASES_RUNNER_STEP_CHECK_H_
