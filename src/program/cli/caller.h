// Calls DynamoDB's operations, on a server or on a directory.
#ifndef STATOR_CLI_CALLER_H_
#define STATOR_CLI_CALLER_H_

#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "cli/transfer_options.h"
#include "stator/endpoint.h"

namespace stator::cli {

// What a failed call leaves.
struct CallFailure {
  std::string type;     // "TableNotFoundException"; empty when there was no answer
  std::string message;  // for people
};

class Caller {
 public:
  explicit Caller(std::unique_ptr<Endpoint> endpoint) : endpoint_(std::move(endpoint)) {}

  // The answer's JSON.
  std::expected<std::string, CallFailure> Call(std::string_view operation, std::string_view json);

 private:
  std::unique_ptr<Endpoint> endpoint_;
};

// The error is for people.
std::expected<std::unique_ptr<Caller>, std::string> MakeCaller(const DataSource& source);

}  // namespace stator::cli

#endif  // STATOR_CLI_CALLER_H_
