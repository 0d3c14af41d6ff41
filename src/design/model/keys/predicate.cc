#include "model/keys/predicate.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <compare>
#include <string>
#include <utility>
#include <vector>

#include "model/model.h"

namespace stator::model {
namespace {

using std::chrono::milliseconds;

// Orders values of one type; nullopt if they cannot be compared, as in DynamoDB.
std::optional<std::strong_ordering> Order(ValueView a, ValueView b) {
  if (a.type() != b.type()) return std::nullopt;
  switch (a.type()) {
    case Type::kS:
      return a.S().compare(b.S()) <=> 0;
    case Type::kN:
      return a.number().compare(b.number()) <=> 0;
    case Type::kB:
      return a.B().compare(b.B()) <=> 0;
    default:
      return std::nullopt;
  }
}

bool Compare(Comparison comparison, std::optional<std::strong_ordering> order) {
  if (!order) return false;
  switch (comparison) {
    case Comparison::kLess:
      return *order < 0;
    case Comparison::kLessOrEqual:
      return *order <= 0;
    case Comparison::kGreater:
      return *order > 0;
    case Comparison::kGreaterOrEqual:
      return *order >= 0;
    default:
      return false;
  }
}

bool HoldsMember(ValueView value, ValueView wanted) {
  if (value.type() == Type::kS && wanted.type() == Type::kS) {
    return value.S().find(wanted.S()) != std::string_view::npos;
  }
  if (value.type() == Type::kSS && wanted.type() == Type::kS)
    return value.Set().Contains(wanted.S());
  if (value.type() == Type::kNS && wanted.type() == Type::kN) {
    return value.Set().Contains(wanted.number());
  }
  return false;
}

class Evaluator {
 public:
  Evaluator(const Entity& entity, ItemView item, TimeMs now, const Parameters& parameters)
      : entity_(entity), item_(item), now_(now), parameters_(parameters) {}

  bool Holds(const Term& term) const {
    const std::optional<ValueView> value = item_.Find(term.attribute);
    if (term.comparison == Comparison::kExists) return value.has_value();
    if (term.comparison == Comparison::kMissing) return !value.has_value();
    std::vector<AttributeValue> operands;
    for (const Operand& operand : term.operands) {
      std::optional<AttributeValue> bound = Value(term, operand);
      if (!bound) return false;
      operands.push_back(*std::move(bound));
    }
    if (!value) return term.comparison == Comparison::kNotEqual;
    return Compares(term.comparison, *value, operands);
  }

 private:
  std::optional<AttributeValue> Value(const Term& term, const Operand& operand) const {
    static const Attribute kUnknown;
    const Attribute* attribute = entity_.FindAttribute(term.attribute);
    return OperandValue(operand, attribute == nullptr ? kUnknown : *attribute, now_, parameters_);
  }

  static bool Compares(Comparison comparison, ValueView value,
                       const std::vector<AttributeValue>& operands) {
    const auto operand = [&](std::size_t i) { return operands[i].view(); };
    switch (comparison) {
      case Comparison::kEqual:
        return value == operand(0);
      case Comparison::kNotEqual:
        return value != operand(0);
      case Comparison::kIn:
        return std::ranges::any_of(operands,
                                   [&](const AttributeValue& v) { return value == v.view(); });
      case Comparison::kBetween:
        return Compare(Comparison::kGreaterOrEqual, Order(value, operand(0))) &&
               Compare(Comparison::kLessOrEqual, Order(value, operand(1)));
      case Comparison::kBeginsWith:
        return value.type() == Type::kS && operand(0).type() == Type::kS &&
               value.S().starts_with(operand(0).S());
      case Comparison::kContains:
        return HoldsMember(value, operand(0));
      default:
        return Compare(comparison, Order(value, operand(0)));
    }
  }

  const Entity& entity_;
  ItemView item_;
  TimeMs now_;
  const Parameters& parameters_;
};

}  // namespace

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

AttributeValue TimeValue(const Attribute& attribute, TimeMs time) {
  const auto since = time.time_since_epoch();
  const std::int64_t whole = std::chrono::floor<std::chrono::seconds>(since).count();
  const std::tm parts = fmt::gmtime(static_cast<std::time_t>(whole));
  switch (attribute.unit) {
    case Unit::kEpochMilliseconds:
      return AttributeValue(since.count());
    case Unit::kDate:
      return AttributeValue(fmt::format("{:%Y-%m-%d}", parts));
    case Unit::kIsoSeconds:
      return AttributeValue(fmt::format("{:%Y-%m-%dT%H:%M:%S}Z", parts));
    case Unit::kIsoMilliseconds:
    case Unit::kIsoTime:
      return AttributeValue(
          fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03d}Z", parts, since.count() - whole * 1000));
    default:
      return AttributeValue(whole);
  }
}

std::optional<AttributeValue> OperandValue(const Operand& operand, const Attribute& attribute,
                                           TimeMs now, const Parameters& parameters) {
  switch (operand.kind) {
    case Operand::Kind::kParameter:
      return parameters ? parameters(operand.text) : std::nullopt;
    case Operand::Kind::kNow:
      return TimeValue(attribute, now + operand.offset);
    case Operand::Kind::kBool:
      return AttributeValue::Bool(operand.text == "true");
    case Operand::Kind::kNumber:
      if (attribute.type == Type::kN) return AttributeValue::Number(operand.text);
      return AttributeValue(operand.text);
    case Operand::Kind::kText:
      return AttributeValue(operand.text);
  }
  return std::nullopt;
}

bool Holds(const Predicate& predicate, const Entity& entity, ItemView item, TimeMs now,
           const Parameters& parameters) {
  const Evaluator evaluator(entity, item, now, parameters);
  return std::ranges::any_of(predicate.any_of, [&](const std::vector<Term>& all_of) {
    return std::ranges::all_of(all_of, [&](const Term& term) { return evaluator.Holds(term); });
  });
}

}  // namespace stator::model
