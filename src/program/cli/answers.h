// Calls whose answers are looked into.
#ifndef STATOR_CLI_ANSWERS_H_
#define STATOR_CLI_ANSWERS_H_

#include <cstdint>
#include <expected>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/caller.h"
#include "cli/progress_line.h"
#include "value/json.h"
#include "value/json_writer.h"

namespace stator::cli {

using Path = std::initializer_list<std::string_view>;

class Answer {
 public:
  explicit Answer(std::string_view json) : is_json_(document_.Parse(json)) {}
  // The member at the end of a path; empty text and 0 when there is none.
  std::string Text(Path path) const;
  std::int64_t Integer(Path path) const;
  // Members `name` of the elements of a list.
  std::vector<std::string> Texts(std::string_view list, std::string_view name) const;

 private:
  std::optional<JsonValue> Find(Path path) const;
  JsonDocument document_;
  bool is_json_;
};

using CallResult = std::expected<Answer, CallFailure>;

// {"member": value, …} as `write` fills it.
CallResult CallWith(Caller& caller, std::string_view operation,
                    const std::function<void(JsonWriter&)>& write);

// Asks again and again until the status is none of these that mean "not yet"; shows the progress
// meanwhile.
struct Waiting {
  std::string operation;
  std::string member;  // of the request: "ExportArn"
  std::string value;
  std::vector<std::string> not_yet;
  std::function<std::string(const Answer&)> status;
  std::function<Progress(const Answer&)> progress;
};
CallResult WaitFor(Caller& caller, const Waiting& waiting);

}  // namespace stator::cli

#endif  // STATOR_CLI_ANSWERS_H_
