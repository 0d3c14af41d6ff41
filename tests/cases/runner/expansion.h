// What stands in double braces in a body: {{repeat …}} and saved values.
#ifndef STATOR_TESTS_CASES_RUNNER_EXPANSION_H_
#define STATOR_TESTS_CASES_RUNNER_EXPANSION_H_

#include <expected>
#include <map>
#include <string>
#include <string_view>

namespace stator::cases {

// JSON texts by the names they were saved under.
using SavedValues = std::map<std::string, std::string, std::less<>>;

// {{repeat N `text`}}, {{repeat N `text` `separator`}}: the text N times; $i in it counts from 1.
// {{name}}: the value saved under that name. {{text name}}: the same without the quotes of a text.
std::expected<std::string, std::string> Expand(std::string_view text, const SavedValues& saved);

}  // namespace stator::cases

#endif  // STATOR_TESTS_CASES_RUNNER_EXPANSION_H_
