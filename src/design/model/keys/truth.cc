#include "model/keys/truth.h"

#include <algorithm>
#include <array>
#include <utility>

#include "model/keys/key_access.h"
#include "model/names.h"

namespace stator::model {
namespace {

// Assignments tried before giving up: enough for five enums of six values.
constexpr std::size_t kMaxAssignments = 8192;

Truth Not(Truth truth) {
  if (truth == Truth::kUnknown) return truth;
  return truth == Truth::kTrue ? Truth::kFalse : Truth::kTrue;
}

Truth From(bool value) { return value ? Truth::kTrue : Truth::kFalse; }

Truth EqualsAny(const Term& term, std::string_view value) {
  bool unknown = false;
  for (const Operand& operand : term.operands) {
    if (operand.kind == Operand::Kind::kParameter || operand.kind == Operand::Kind::kNow) {
      unknown = true;
    } else if (operand.text == value) {
      return Truth::kTrue;
    }
  }
  return unknown ? Truth::kUnknown : Truth::kFalse;
}

// The variables of a comparison: attributes with few values.
using Variable = std::pair<std::string, std::vector<std::string>>;

void AddVariables(const Entity& entity, const Predicate& predicate,
                  std::vector<Variable>& variables) {
  for (const std::vector<Term>& conjunction : predicate.any_of) {
    for (const Term& term : conjunction) {
      std::vector<std::string> values = ValuesOf(entity, term.attribute);
      const auto known = std::ranges::find(variables, term.attribute, &Variable::first);
      if (values.empty() || known != variables.end()) continue;
      variables.emplace_back(term.attribute, std::move(values));
    }
  }
}

// Terms about other attributes, a time window say, are taken as true.
bool Holds(const Predicate& predicate, const Known& known) {
  return std::ranges::any_of(predicate.any_of, [&](const std::vector<Term>& conjunction) {
    return std::ranges::all_of(
        conjunction, [&](const Term& term) { return Evaluate(term, known) != Truth::kFalse; });
  });
}

// Counts up like an odometer; false after the last assignment.
bool Advance(const std::vector<Variable>& variables, std::vector<std::size_t>& digits) {
  for (std::size_t i = variables.size(); i-- > 0;) {
    if (++digits[i] < variables[i].second.size()) return true;
    digits[i] = 0;
  }
  return false;
}

}  // namespace

Truth Evaluate(const Term& term, const Known& known) {
  const auto it = known.find(term.attribute);
  if (it == known.end()) return Truth::kUnknown;
  const auto& [there, value] = it->second;
  if (term.comparison == Comparison::kExists) return From(there);
  if (term.comparison == Comparison::kMissing) return From(!there);
  // An attribute that is missing equals nothing, so it differs from everything.
  if (!there) return From(term.comparison == Comparison::kNotEqual);
  if (!value) return Truth::kUnknown;
  switch (term.comparison) {
    case Comparison::kEqual:
    case Comparison::kIn:
      return EqualsAny(term, *value);
    case Comparison::kNotEqual:
      return Not(EqualsAny(term, *value));
    case Comparison::kBeginsWith:
      if (term.operands.empty() || term.operands[0].kind != Operand::Kind::kText) break;
      return From(value->starts_with(term.operands[0].text));
    default:
      break;
  }
  return Truth::kUnknown;
}

Truth Evaluate(const Predicate& predicate, const Known& known) {
  Truth any = Truth::kFalse;
  for (const std::vector<Term>& conjunction : predicate.any_of) {
    Truth all = Truth::kTrue;
    for (const Term& term : conjunction) {
      const Truth truth = Evaluate(term, known);
      if (truth == Truth::kFalse) {
        all = Truth::kFalse;
        break;
      }
      if (truth == Truth::kUnknown) all = Truth::kUnknown;
    }
    if (all == Truth::kTrue) return Truth::kTrue;
    if (all == Truth::kUnknown) any = Truth::kUnknown;
  }
  return any;
}

std::vector<std::string> AttributesOf(const Predicate& predicate) {
  std::vector<std::string> names;
  for (const std::vector<Term>& conjunction : predicate.any_of) {
    for (const Term& term : conjunction) AddOnce(names, term.attribute);
  }
  return names;
}

bool Uses(const Predicate& predicate, std::string_view attribute) {
  return Contains(AttributesOf(predicate), attribute);
}

std::optional<Difference> FindDifference(const Entity& entity, const Predicate& a,
                                         const Predicate& b) {
  std::vector<Variable> variables;
  AddVariables(entity, a, variables);
  AddVariables(entity, b, variables);
  std::vector<std::size_t> digits(variables.size(), 0);
  std::size_t tried = 0;
  do {
    Known known;
    for (std::size_t i = 0; i < variables.size(); ++i) {
      known[variables[i].first] = KnownAttribute::Value(variables[i].second[digits[i]]);
    }
    const bool first = Holds(a, known);
    if (first != Holds(b, known)) return Difference{std::move(known), first};
  } while (++tried < kMaxAssignments && Advance(variables, digits));
  return std::nullopt;
}

std::string DurationText(std::chrono::seconds duration) {
  using UnitOfTime = std::pair<std::int64_t, const char*>;
  constexpr std::array<UnitOfTime, 4> kUnits = {{{86400, "d"}, {3600, "h"}, {60, "m"}, {1, "s"}}};
  const std::int64_t count = duration.count();
  for (const auto& [size, name] : kUnits) {
    if (count % size == 0) return std::to_string(count / size) + name;
  }
  return std::to_string(count) + "s";
}

std::string OperandText(const Operand& operand) {
  switch (operand.kind) {
    case Operand::Kind::kParameter:
      return "$" + operand.text;
    case Operand::Kind::kNow:
      if (operand.offset.count() == 0) return "now";
      if (operand.offset.count() > 0) return "now+" + DurationText(operand.offset);
      return "now-" + DurationText(-operand.offset);
    default:
      return operand.text;
  }
}

std::string_view ComparisonText(Comparison comparison) {
  switch (comparison) {
    case Comparison::kEqual:
      return "=";
    case Comparison::kNotEqual:
      return "<>";
    case Comparison::kLess:
      return "<";
    case Comparison::kLessOrEqual:
      return "<=";
    case Comparison::kGreater:
      return ">";
    case Comparison::kGreaterOrEqual:
      return ">=";
    case Comparison::kBetween:
      return "between";
    case Comparison::kBeginsWith:
      return "begins_with";
    case Comparison::kIn:
      return "in";
    case Comparison::kContains:
      return "contains";
    case Comparison::kExists:
      return "exists";
    case Comparison::kMissing:
      return "missing";
  }
  return "?";
}

std::string TermText(const Term& term) {
  std::string text = (term.entity.empty() ? "" : term.entity + ".") + term.attribute + " " +
                     std::string(ComparisonText(term.comparison));
  const bool list = term.comparison == Comparison::kIn;
  if (list) text += " (";
  for (std::size_t i = 0; i < term.operands.size(); ++i) {
    if (i > 0) {
      text += list ? ", " : " and ";
    } else if (!list) {
      text += " ";
    }
    text += OperandText(term.operands[i]);
  }
  if (list) text += ")";
  return text;
}

}  // namespace stator::model
