#include "tests/model/update.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace stator::model_test {
namespace {

using Form = UpdateAction::Form;

std::optional<Value> Evaluate(const Operand& operand, const Attributes& before) {
  if (operand.path) {
    if (const Value* stored = Resolve(before, *operand.path)) return *stored;
  }
  return operand.value;
}

std::optional<Value> Arithmetic(Form form, const Value& a, const Value& b) {
  if (form == Form::kSetAppend) {
    if (a.kind != Kind::kL || b.kind != Kind::kL) return std::nullopt;
    std::vector<Value> elements = a.elements;
    elements.insert(elements.end(), b.elements.begin(), b.elements.end());
    return Value::List(std::move(elements));
  }
  if (a.kind != Kind::kN || b.kind != Kind::kN) return std::nullopt;
  return Value::N(a.number + (form == Form::kSetLess ? b.number.Negated() : b.number));
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
      case Form::kRemove:
        Remove(action.target);
        return true;
      case Form::kAdd:
        return Put(action.target, Added(Stored(action), *action.first.value));
      case Form::kDelete:
        return Delete(action);
      default:
        break;
    }
    std::optional<Value> value = Evaluate(action.first, before_);
    if (value && action.form != Form::kSet) {
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
    case Form::kSet:
      return fmt::format("{} = {}", target, first());
    case Form::kSetSum:
      return fmt::format("{} = {} + {}", target, first(), second());
    case Form::kSetLess:
      return fmt::format("{} = {} - {}", target, first(), second());
    case Form::kSetAppend:
      return fmt::format("{} = list_append({}, {})", target, first(), second());
    case Form::kRemove:
      return target;
    case Form::kAdd:
    case Form::kDelete:
      break;
  }
  return target + " " + first();
}

std::string_view Section(Form form) {
  switch (form) {
    case Form::kRemove:
      return "REMOVE";
    case Form::kAdd:
      return "ADD";
    case Form::kDelete:
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

}  // namespace stator::model_test
