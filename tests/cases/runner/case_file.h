// A .case file: requests and the answers they must get. tests/cases/README.md describes the format.
#ifndef STATOR_TESTS_CASES_RUNNER_CASE_FILE_H_
#define STATOR_TESTS_CASES_RUNNER_CASE_FILE_H_

#include <chrono>
#include <expected>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "stator/clock.h"

namespace stator::cases {

// One request and what is expected of its answer. Bodies are as written: nothing is expanded yet.
struct Call {
  std::string operation;
  std::string request;
  int status = 0;
  std::string error_type;  // empty for a success
  std::string expected;    // JSON, or the bare text of an error message; empty: any body will do
};

struct Step {
  enum class Kind { kCall, kWaitForBackground, kAdvanceClock, kPutObject };
  Kind kind = Kind::kCall;
  std::string place;  // "put_item/keys.case:12"
  Call call;
  std::chrono::milliseconds advance{0};  // kAdvanceClock
  std::string object = {};               // kPutObject: bucket/key; call.request has its lines
};

struct CaseFile {
  bool classic_wording = false;
  bool buckets = false;  // the database has a directory for exports and imports
  ClockSetting clock;
  std::vector<Step> steps;  // in the order they run; included ones stand where they are included
};

// The error says where and why.
using ParsedCase = std::expected<CaseFile, std::string>;

// Parses one file's text. `name` is what places are called by; `directory` is where includes are
// looked for.
ParsedCase ParseCase(std::string_view text, const std::string& name,
                     const std::filesystem::path& directory);

// Reads and parses a file; places are given relative to `root`.
ParsedCase ReadCase(const std::filesystem::path& file, const std::filesystem::path& root);

// What stands in double braces in a body: {{repeat …}} and saved values.

// JSON texts by the names they were saved under.
using SavedValues = std::map<std::string, std::string, std::less<>>;

// {{repeat N `text`}}, {{repeat N `text` `separator`}}: the text N times; $i in it counts from 1.
// {{name}}: the value saved under that name. {{text name}}: the same without the quotes of a text.
std::expected<std::string, std::string> Expand(std::string_view text, const SavedValues& saved);

}  // namespace stator::cases

#endif  // STATOR_TESTS_CASES_RUNNER_CASE_FILE_H_
