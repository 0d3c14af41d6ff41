// What the commands backup, restore, export and import share.
#ifndef STATOR_CLI_TRANSFER_WORK_H_
#define STATOR_CLI_TRANSFER_WORK_H_

#include <expected>
#include <functional>
#include <string>
#include <string_view>

#include "cli/answers.h"
#include "cli/caller.h"

namespace stator::cli {

using Done = std::expected<void, CallFailure>;

// Opens the source, does the work and tells what went wrong. Returns the exit code.
int RunOn(const DataSource& source, const std::function<Done(Caller&)>& work);

// The two parts of s3://bucket/prefix. REQUIRES: the URL begins so.
struct Location {
  std::string bucket;
  std::string prefix;
};
Location ParseUrl(std::string_view url);

// The failure that a job's description tells of.
std::unexpected<CallFailure> JobFailed(const Answer& answer, std::string_view description);

}  // namespace stator::cli

#endif  // STATOR_CLI_TRANSFER_WORK_H_
