#include "tests/oracle/expressions.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

namespace stator::oracle {

namespace {

// UTF-16 code units: two for a character outside the Basic Multilingual Plane.
std::size_t CodeUnits(const std::string& utf8) {
  std::size_t units = 0;
  for (const unsigned char byte : utf8) {
    if ((byte & 0xC0) != 0x80) units += byte >= 0xF0 ? 2 : 1;
  }
  return units;
}

std::optional<Value> SizeOf(const Value* value) {
  if (!value) return std::nullopt;
  std::size_t size = 0;
  switch (value->kind) {
    case Kind::kS:
      size = CodeUnits(value->text);
      break;
    case Kind::kB:
      size = value->text.size();
      break;
    case Kind::kM:
      size = value->entries.size();
      break;
    case Kind::kL:
    case Kind::kSS:
    case Kind::kNS:
    case Kind::kBS:
      size = value->elements.size();
      break;
    default:
      return std::nullopt;
  }
  return Value::N(std::to_string(size));
}

bool ContainsHolds(const Value& value, const Value& part) {
  if (value.kind == Kind::kS || value.kind == Kind::kB) {
    return value.kind == part.kind && value.text.find(part.text) != std::string::npos;
  }
  // Lists hold values of any kind, sets scalars of theirs; maps have no elements.
  return std::ranges::find(value.elements, part) != value.elements.end();
}

std::string Group(const Condition& condition, Placeholders& placeholders) {
  const bool compound =
      condition.form == Condition::Form::kAnd || condition.form == Condition::Form::kOr;
  const std::string text = Text(condition, placeholders);
  return compound ? "(" + text + ")" : text;
}

}  // namespace

bool CompareHolds(const Value* left, const std::string& comparator, const Value* right) {
  // What is missing differs from everything and has no order.
  if (!left || !right) return comparator == "<>";
  if (comparator == "=") return *left == *right;
  if (comparator == "<>") return !(*left == *right);
  if (left->kind != right->kind || !IsScalarKey(left->kind)) return false;
  const std::strong_ordering order = CompareScalars(*left, *right);
  if (comparator == "<") return order < 0;
  if (comparator == "<=") return order <= 0;
  if (comparator == ">") return order > 0;
  return order >= 0;
}

bool BetweenHolds(const Value& value, const Value& low, const Value& high) {
  return CompareHolds(&value, ">=", &low) && CompareHolds(&value, "<=", &high);
}

bool BeginsWithHolds(const Value& value, const Value& prefix) {
  return value.kind == prefix.kind && (value.kind == Kind::kS || value.kind == Kind::kB) &&
         value.text.starts_with(prefix.text);
}

bool Holds(const Condition& condition, const Attributes& item) {
  using Form = Condition::Form;
  const auto child = [&](std::size_t i) { return Holds(condition.children[i], item); };
  if (condition.form == Form::kAnd) return child(0) && child(1);
  if (condition.form == Form::kOr) return child(0) || child(1);
  if (condition.form == Form::kNot) return !child(0);

  const Value* value = Resolve(item, condition.paths[0]);
  const std::vector<Value>& values = condition.values;
  switch (condition.form) {
    case Form::kExists:
      return value != nullptr;
    case Form::kNotExists:
      return value == nullptr;
    case Form::kCompare:
      return CompareHolds(value, condition.comparator, &values[0]);
    case Form::kComparePaths:
      return CompareHolds(value, condition.comparator, Resolve(item, condition.paths[1]));
    case Form::kSize: {
      const std::optional<Value> size = SizeOf(value);
      return CompareHolds(size ? &*size : nullptr, condition.comparator, &values[0]);
    }
    default:
      break;
  }
  if (!value) return false;
  switch (condition.form) {
    case Form::kBetween:
      return BetweenHolds(*value, values[0], values[1]);
    case Form::kIn:
      return std::ranges::find(values, *value) != values.end();
    case Form::kHasType:
      return KindName(value->kind) == values[0].text;
    case Form::kBeginsWith:
      return BeginsWithHolds(*value, values[0]);
    default:
      return ContainsHolds(*value, values[0]);
  }
}

std::string Text(const Condition& condition, Placeholders& p) {
  using Form = Condition::Form;
  const auto path = [&](std::size_t i) { return p.Path(condition.paths[i]); };
  const auto value = [&](std::size_t i) { return p.Value(condition.values[i]); };
  const auto call = [&](const char* function) {
    return fmt::format("{}({}, {})", function, path(0), value(0));
  };
  switch (condition.form) {
    case Form::kCompare:
      return fmt::format("{} {} {}", path(0), condition.comparator, value(0));
    case Form::kComparePaths:
      return fmt::format("{} {} {}", path(0), condition.comparator, path(1));
    case Form::kSize:
      return fmt::format("size({}) {} {}", path(0), condition.comparator, value(0));
    case Form::kBetween:
      return fmt::format("{} BETWEEN {} AND {}", path(0), value(0), value(1));
    case Form::kExists:
      return fmt::format("attribute_exists({})", path(0));
    case Form::kNotExists:
      return fmt::format("attribute_not_exists({})", path(0));
    case Form::kHasType:
      return call("attribute_type");
    case Form::kBeginsWith:
      return call("begins_with");
    case Form::kContains:
      return call("contains");
    case Form::kNot:
      return "NOT " + Group(condition.children[0], p);
    case Form::kIn: {
      std::string values;
      for (std::size_t i = 0; i < condition.values.size(); ++i) {
        values += (i == 0 ? "" : ", ") + value(i);
      }
      return fmt::format("{} IN ({})", path(0), values);
    }
    case Form::kAnd:
    case Form::kOr:
      break;
  }
  const std::string left = Group(condition.children[0], p);
  const std::string right = Group(condition.children[1], p);
  return left + (condition.form == Form::kAnd ? " AND " : " OR ") + right;
}

namespace {

std::optional<Value> Evaluate(const Operand& operand, const Attributes& before) {
  if (operand.path) {
    if (const Value* stored = Resolve(before, *operand.path)) return *stored;
  }
  return operand.value;
}

std::optional<Value> Arithmetic(UpdateAction::Form form, const Value& a, const Value& b) {
  if (form == UpdateAction::Form::kSetAppend) {
    if (a.kind != Kind::kL || b.kind != Kind::kL) return std::nullopt;
    std::vector<Value> elements = a.elements;
    elements.insert(elements.end(), b.elements.begin(), b.elements.end());
    return Value::List(std::move(elements));
  }
  if (a.kind != Kind::kN || b.kind != Kind::kN) return std::nullopt;
  return Value::N(a.number +
                  (form == UpdateAction::Form::kSetLess ? b.number.Negated() : b.number));
}

// What ADD makes of the stored value.
std::optional<Value> Added(const Value* stored, const Value& operand) {
  if (!stored) return operand;
  if (stored->kind != operand.kind) return std::nullopt;
  if (operand.kind == Kind::kN) return Value::N(stored->number + operand.number);
  std::vector<Value> members = stored->elements;
  members.insert(members.end(), operand.elements.begin(), operand.elements.end());
  return Value::Set(operand.kind, std::move(members));
}

Value Without(const Value& set, const Value& members) {
  Value rest{.kind = set.kind};
  for (const Value& member : set.elements) {
    if (std::ranges::find(members.elements, member) == members.elements.end()) {
      rest.elements.push_back(member);
    }
  }
  return rest;
}

// Changes an item action by action while every action sees the item as it was.
class Updater {
 public:
  explicit Updater(const Attributes& before) : before_(before), after_(before) {}

  bool Take(const UpdateAction& action) {
    if (!HasParent(action.target)) return false;
    switch (action.form) {
      case UpdateAction::Form::kRemove:
        Remove(action.target);
        return true;
      case UpdateAction::Form::kAdd:
        return Put(action.target, Added(Stored(action), *action.first.value));
      case UpdateAction::Form::kDelete:
        return Delete(action);
      default:
        break;
    }
    std::optional<Value> value = Evaluate(action.first, before_);
    if (value && action.form != UpdateAction::Form::kSet) {
      const std::optional<Value> second = Evaluate(action.second, before_);
      value = second ? Arithmetic(action.form, *value, *second) : std::nullopt;
    }
    return Put(action.target, std::move(value));
  }

  Attributes Finish() && {
    for (auto& [list, appended] : appends_) {
      Value* target = Resolve(after_, list.path);
      for (auto& [index, value] : appended) target->elements.push_back(std::move(value));
    }
    // From the back, so that the indexes of the original list stay right.
    for (auto& [list, indexes] : removals_) {
      Value* target = Resolve(after_, list.path);
      std::ranges::sort(indexes, std::greater<>());
      for (const std::size_t index : indexes) {
        target->elements.erase(target->elements.begin() + static_cast<std::ptrdiff_t>(index));
      }
    }
    return std::move(after_);
  }

 private:
  // Orders paths for the maps below.
  struct ListAt {
    Path path;
    bool operator<(const ListAt& other) const { return Show(path) < Show(other.path); }
  };

  static Path ParentOf(const Path& path) {
    Path parent = path;
    parent.below.pop_back();
    return parent;
  }

  const Value* Stored(const UpdateAction& action) const { return Resolve(before_, action.target); }

  bool HasParent(const Path& target) const {
    if (target.below.empty()) return true;
    const Value* parent = Resolve(before_, ParentOf(target));
    if (!parent) return false;
    const bool by_name = std::holds_alternative<std::string>(target.below.back());
    return parent->kind == (by_name ? Kind::kM : Kind::kL);
  }

  bool Put(const Path& target, std::optional<Value> value) {
    if (!value) return false;
    if (target.below.empty()) {
      after_[target.attribute] = *std::move(value);
    } else if (const auto* name = std::get_if<std::string>(&target.below.back())) {
      Resolve(after_, ParentOf(target))->entries[*name] = *std::move(value);
    } else if (Value* element = Resolve(after_, target)) {
      *element = *std::move(value);
    } else {
      appends_[{ParentOf(target)}][std::get<std::size_t>(target.below.back())] = *std::move(value);
    }
    return true;
  }

  void Remove(const Path& target) {
    if (target.below.empty()) {
      after_.erase(target.attribute);
    } else if (const auto* name = std::get_if<std::string>(&target.below.back())) {
      Resolve(after_, ParentOf(target))->entries.erase(*name);
    } else if (Resolve(before_, target)) {
      removals_[{ParentOf(target)}].push_back(std::get<std::size_t>(target.below.back()));
    }
  }

  bool Delete(const UpdateAction& action) {
    const Value* stored = Stored(action);
    if (!stored) return true;
    if (stored->kind != action.first.value->kind) return false;
    Value rest = Without(*stored, *action.first.value);
    if (!rest.elements.empty()) return Put(action.target, std::move(rest));
    Remove(action.target);
    return true;
  }

  const Attributes& before_;
  Attributes after_;
  std::map<ListAt, std::map<std::size_t, Value>> appends_;
  std::map<ListAt, std::vector<std::size_t>> removals_;
};

std::string OperandText(const Operand& operand, Placeholders& p) {
  if (operand.path && operand.value) {
    return fmt::format("if_not_exists({}, {})", p.Path(*operand.path), p.Value(*operand.value));
  }
  return operand.path ? p.Path(*operand.path) : p.Value(*operand.value);
}

std::string ActionText(const UpdateAction& action, Placeholders& p) {
  const std::string target = p.Path(action.target);
  const auto first = [&] { return OperandText(action.first, p); };
  const auto second = [&] { return OperandText(action.second, p); };
  switch (action.form) {
    case UpdateAction::Form::kSet:
      return fmt::format("{} = {}", target, first());
    case UpdateAction::Form::kSetSum:
      return fmt::format("{} = {} + {}", target, first(), second());
    case UpdateAction::Form::kSetLess:
      return fmt::format("{} = {} - {}", target, first(), second());
    case UpdateAction::Form::kSetAppend:
      return fmt::format("{} = list_append({}, {})", target, first(), second());
    case UpdateAction::Form::kRemove:
      return target;
    case UpdateAction::Form::kAdd:
    case UpdateAction::Form::kDelete:
      break;
  }
  return target + " " + first();
}

std::string_view Section(UpdateAction::Form form) {
  switch (form) {
    case UpdateAction::Form::kRemove:
      return "REMOVE";
    case UpdateAction::Form::kAdd:
      return "ADD";
    case UpdateAction::Form::kDelete:
      return "DELETE";
    default:
      return "SET";
  }
}

}  // namespace

std::optional<Attributes> Apply(const Update& update, const Attributes& before) {
  Updater updater(before);
  for (const UpdateAction& action : update) {
    if (!updater.Take(action)) return std::nullopt;
  }
  return std::move(updater).Finish();
}

std::vector<Path> Targets(const Update& update) {
  std::vector<Path> targets;
  for (const UpdateAction& action : update) targets.push_back(action.target);
  return targets;
}

std::string Text(const Update& update, Placeholders& placeholders) {
  constexpr std::array<std::string_view, 4> kSections = {"SET", "REMOVE", "ADD", "DELETE"};
  std::string text;
  for (const std::string_view section : kSections) {
    std::string actions;
    for (const UpdateAction& action : update) {
      if (Section(action.form) != section) continue;
      actions += (actions.empty() ? "" : ", ") + ActionText(action, placeholders);
    }
    if (!actions.empty()) text += fmt::format("{}{} {}", text.empty() ? "" : " ", section, actions);
  }
  return text;
}

}  // namespace stator::oracle
