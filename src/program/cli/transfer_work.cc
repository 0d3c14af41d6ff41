#include "cli/transfer_work.h"

#include <cstdio>

#include "base/log.h"
#include "cli/command_line.h"

namespace stator::cli {

int RunOn(const DataSource& source, const std::function<Done(Caller&)>& work) {
  ConfigureLog(LogLevel::kError, LogFormat::kText);
  const auto caller = MakeCaller(source);
  if (!caller) {
    std::fprintf(stderr, "stator: %s\n", caller.error().c_str());
    return kExitFailure;
  }
  const Done done = work(**caller);
  if (done) return kExitOk;
  const CallFailure& failure = done.error();
  std::fprintf(stderr, "stator: %s%s%s\n", failure.type.c_str(), failure.type.empty() ? "" : ": ",
               failure.message.c_str());
  return kExitFailure;
}

Location ParseUrl(std::string_view url) {
  url.remove_prefix(std::string_view("s3://").size());
  const std::size_t slash = url.find('/');
  if (slash == std::string_view::npos) return {std::string(url), {}};
  return {std::string(url.substr(0, slash)), std::string(url.substr(slash + 1))};
}

std::unexpected<CallFailure> JobFailed(const Answer& answer, std::string_view description) {
  return std::unexpected(CallFailure{answer.Text({description, "FailureCode"}),
                                     answer.Text({description, "FailureMessage"})});
}

}  // namespace stator::cli
