// Settings that differ between environments, in the form that generated files need.
#ifndef STATOR_GENERATE_ENVIRONMENTS_H_
#define STATOR_GENERATE_ENVIRONMENTS_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generate/generate.h"
#include "model/model.h"

namespace stator::model {

// One value nearly everywhere, and others in the environments that are named.
struct Choice {
  int otherwise = 0;
  std::vector<std::pair<int, std::vector<std::string>>> in;  // greatest value first

  bool constant() const { return in.empty(); }
  bool ever() const { return otherwise != 0 || !in.empty(); }
};

// Days that point-in-time recovery reaches back; 0: it is off.
Choice RecoveryDays(const Table& table, const GenerateOptions& options);
// 1: protected from deletion.
Choice Protection(const Table& table, const GenerateOptions& options);

inline constexpr int kDefaultRecoveryDays = 35;

// Where the choice is not zero: it is `on` in `environments` and `!on` everywhere else.
struct Switch {
  bool on = true;
  std::vector<std::string> environments;
  bool constant() const { return environments.empty(); }  // then it is `!on` everywhere
};
Switch SwitchOf(const Choice& choice);

// How a language asks which environment it is.
struct ConditionSyntax {
  std::string_view variable;  // "var.environment"
  std::string_view equals;    // " == "
  std::string_view differs;   // " != "
  std::string_view contains;  // "contains({}, var.environment)", of a list
  std::string (*quote)(std::string_view text);
};
// True where the switch is on.
std::string ConditionText(const Switch& setting, const ConditionSyntax& syntax);

// An object with the two settings of point-in-time recovery. The period may be given only where recovery is on, and
// is left out where it is the default.
struct RecoveryNames {
  std::string_view enabled;  // "PointInTimeRecoveryEnabled"
  std::string_view days;     // "RecoveryPeriodInDays"
  std::string_view padding;  // inside the braces
};
std::string RecoveryText(int days, const RecoveryNames& names);

// True if a table's settings depend on the environment, so that the output has to ask for it.
bool AsksForEnvironment(const Model& model, const GenerateOptions& options);
// Every environment that the model names, in its order.
std::vector<std::string> EnvironmentsOf(const Model& model);

}  // namespace stator::model

#endif  // STATOR_GENERATE_ENVIRONMENTS_H_
