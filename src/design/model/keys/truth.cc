#include "model/keys/truth.h"

#include <algorithm>
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
    if (!operand.IsLiteral()) {
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
  const auto& [present, value] = it->second;
  if (term.comparison == Comparison::kExists) return From(present);
  if (term.comparison == Comparison::kMissing) return From(!present);
  // An attribute that is missing equals nothing, so it differs from everything.
  if (!present) return From(term.comparison == Comparison::kNotEqual);
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

}  // namespace stator::model
