// What is wrong with a design: one finding of `stator check`.
#ifndef STATOR_FINDING_H_
#define STATOR_FINDING_H_

#include <cstdint>
#include <string>
#include <vector>

namespace stator {

enum class DesignSeverity : std::uint8_t {
  kError,    // the design does not work, or it loses or exposes data
  kWarning,  // it works, and will cause trouble
  kNote,     // advice; never fails a check
};

struct DesignFinding {
  std::string rule;  // "HP02"; `stator explain HP02` teaches it
  DesignSeverity severity = DesignSeverity::kError;
  std::string target;  // "jobs.StatusIndex", "FileJob.claim", a pattern's name …
  std::vector<std::string> parties =
      {};  // whom it is about, where the target alone does not say it
  // Where in the model file, both counted from 1; 0: nowhere in particular.
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string message;         // one line: what is wrong here, with its names and numbers
  std::string fix;             // one line: what to write instead
  bool accepted = false;       // the model accepts it, with a reason
  std::string accept_as = {};  // what the model's `accept` must say to mean this one
};

}  // namespace stator

#endif  // STATOR_FINDING_H_
