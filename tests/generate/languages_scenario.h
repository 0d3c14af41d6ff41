// What every language does with models/languages.yaml, so that the tables can be compared afterwards.
#ifndef STATOR_TESTS_GENERATE_LANGUAGES_SCENARIO_H_
#define STATOR_TESTS_GENERATE_LANGUAGES_SCENARIO_H_

#include <string>

#include "stator/entity.h"

namespace stator {

// The same as play() in languages_scenario.py and languages_scenario.ts. Gives what went wrong; empty: nothing.
std::string PlayScenario(Entities& entities);

}  // namespace stator

#endif  // STATOR_TESTS_GENERATE_LANGUAGES_SCENARIO_H_
