// DynamoDB's operations, called on a server or on a directory, and their answers looked into.
#ifndef STATOR_CLI_OPERATIONS_H_
#define STATOR_CLI_OPERATIONS_H_

#include <cstdint>
#include <expected>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.h"
#include "cli/progress_line.h"
#include "stator/endpoint.h"
#include "value/json.h"
#include "value/json_writer.h"

namespace stator::cli {

// The error is for people.
std::expected<std::unique_ptr<Endpoint>, std::string> OpenSource(const DataSource& source);

// Why a call failed.
struct CallFailure {
  std::string type;     // "TableNotFoundException"; empty when there was no answer
  std::string message;  // for people
};

using Path = std::initializer_list<std::string_view>;

class Answer {
 public:
  explicit Answer(std::string_view json) : is_json_(document_.Parse(json)) {}
  // The member at the end of a path; empty text and 0 if it does not exist.
  std::string Text(Path path) const;
  std::int64_t Integer(Path path) const;
  // Members `name` of the elements of a list.
  std::vector<std::string> Texts(std::string_view list, std::string_view name) const;
  // The elements of a list of texts.
  std::vector<std::string> Texts(std::string_view list) const;

 private:
  std::optional<JsonValue> Find(Path path) const;
  JsonDocument document_;
  bool is_json_;
};

using CallResult = std::expected<Answer, CallFailure>;

// Calls with {"member": value, …} as `write` fills it.
CallResult Call(Endpoint& endpoint, std::string_view operation,
                const std::function<void(JsonWriter&)>& write);

// Asks again and again while the status is one of those that mean "not yet", and shows the progress meanwhile.
struct Waiting {
  std::string operation;
  std::string member;  // of the request: "ExportArn"
  std::string value;
  std::vector<std::string> not_yet;
  std::function<std::string(const Answer&)> status;
  std::function<Progress(const Answer&)> progress;
};
CallResult WaitFor(Endpoint& endpoint, const Waiting& waiting);

}  // namespace stator::cli

#endif  // STATOR_CLI_OPERATIONS_H_
