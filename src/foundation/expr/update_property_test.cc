// Random updates agree with a naive model that changes a tree in place.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "expr/testing/expressions.h"
#include "expr/testing/value_model.h"
#include "value/item_codec.h"

namespace stator {
namespace update_property_test {

struct Step {
  Path path;
  Update::Action action;
  std::string text;    // of the value
  ValueModel value;    // what is assigned, added or deleted
  bool fails = false;  // the right-hand side has no value
};

bool Related(const Path& a, const Path& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i].is_index != b[i].is_index) return true;
    if (a[i] != b[i]) return false;
  }
  return true;
}

// A tree in which list elements can be taken out without moving the others, and appended later.
class Tree {
 public:
  explicit Tree(ValueModel item) : root_(std::move(item)) {}

  // False when the update must be refused.
  bool Apply(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      if (step.fails || !ApplyStep(step)) return false;
    }
    // Behind the end in index order, then holes: inner ones first, and from the back.
    for (auto& [key, value] : appended_) Parent(key.first)->list.push_back(value);
    std::ranges::sort(removed_, std::greater(),
                      [](const Path& path) { return std::pair(path.size(), path.back().index); });
    for (const Path& path : removed_) {
      ValueModel* parent = Parent({path.begin(), path.end() - 1});
      parent->list.erase(parent->list.begin() + path.back().index);
    }
    return true;
  }

  const ValueModel& root() const { return root_; }

 private:
  ValueModel* Parent(const Path& path) { return const_cast<ValueModel*>(Find(root_, path)); }

  bool ApplyStep(const Step& step) {
    const Path above(step.path.begin(), step.path.end() - 1);
    const PathElement& last = step.path.back();
    ValueModel* parent = above.empty() ? &root_ : Parent(above);
    if (parent == nullptr || parent->type != (last.is_index ? Type::kL : Type::kM)) return false;
    const ValueModel* old = Find(root_, step.path);
    std::optional<ValueModel> changed = old == nullptr ? std::nullopt : std::optional(*old);
    if (!Change(step, changed)) return false;
    Store(step, above, *parent, old != nullptr, changed);
    return true;
  }

  static bool Change(const Step& step, std::optional<ValueModel>& value) {
    switch (step.action) {
      case Update::Action::kSet:
        value = step.value;
        return true;
      case Update::Action::kRemove:
        value.reset();
        return true;
      case Update::Action::kAdd:
        if (!value) {
          value = step.value;
          return true;
        }
        if (value->type != step.value.type) return false;
        value->number += step.value.number;
        value->set.insert(step.value.set.begin(), step.value.set.end());
        return true;
      case Update::Action::kDelete:
        if (!value) return true;
        if (value->type != Type::kSS) return false;
        for (const std::string& member : step.value.set) value->set.erase(member);
        if (value->set.empty()) value.reset();
        return true;
    }
    return false;
  }

  void Store(const Step& step, const Path& above, ValueModel& parent, bool existed,
             const std::optional<ValueModel>& changed) {
    const PathElement& last = step.path.back();
    if (!last.is_index) {
      parent.map.erase(last.name);
      if (changed) parent.map[last.name] = *changed;
    } else if (existed && changed) {
      parent.list[last.index] = *changed;
    } else if (existed) {
      removed_.push_back(step.path);
    } else if (changed) {
      appended_.emplace(std::pair(above, last.index), *changed);
    }
  }

  struct ByText {
    bool operator()(const std::pair<Path, std::uint32_t>& a,
                    const std::pair<Path, std::uint32_t>& b) const {
      return std::pair(PathText(a.first), a.second) < std::pair(PathText(b.first), b.second);
    }
  };
  ValueModel root_;
  std::vector<Path> removed_;
  std::map<std::pair<Path, std::uint32_t>, ValueModel, ByText> appended_;
};

class Author {
 public:
  Author(const ValueModel& item, Dice& dice) : item_(item), dice_(dice) {}

  std::vector<Step> Steps() {
    std::vector<Step> steps;
    for (int i = dice_.Roll(6); i >= 0; --i) {
      Step step = RandomStep();
      const bool related = std::ranges::any_of(
          steps, [&](const Step& other) { return Related(step.path, other.path); });
      if (!related) steps.push_back(std::move(step));
    }
    return steps;
  }

  static std::string Text(const std::vector<Step>& steps) {
    std::string text;
    for (const auto& [action, keyword] :
         {std::pair(Update::Action::kSet, "SET "), std::pair(Update::Action::kRemove, " REMOVE "),
          std::pair(Update::Action::kAdd, " ADD "),
          std::pair(Update::Action::kDelete, " DELETE ")}) {
      std::string section;
      for (const Step& step : steps) {
        if (step.action != action) continue;
        section += (section.empty() ? keyword : ", ") + Written(step.path) + step.text;
      }
      text += section;
    }
    return text;
  }

  const ValueMap& values() const { return values_; }

 private:
  Step RandomStep() {
    switch (dice_.Roll(6)) {
      case 0:
        return {LikelyPath(dice_, item_), Update::Action::kRemove, "", {}};
      case 1: {
        ValueModel one{.type = Type::kN, .number = dice_.Roll(5)};
        if (dice_.Roll(2) == 0)
          one = {.type = Type::kSS, .set = {RandomName(dice_), RandomName(dice_)}};
        return {LikelyPath(dice_, item_), Update::Action::kAdd, " " + Placeholder(one), one};
      }
      case 2: {
        const ValueModel some{.type = Type::kSS, .set = {RandomName(dice_)}};
        return {LikelyPath(dice_, item_), Update::Action::kDelete, " " + Placeholder(some), some};
      }
      default:
        return SetStep();
    }
  }

  Step SetStep() {
    Step step{LikelyPath(dice_, item_), Update::Action::kSet, "", {}};
    const Path operand = LikelyPath(dice_, item_);
    const ValueModel* found = Find(item_, operand);
    const ValueModel constant = RandomModel(dice_, 1);
    switch (dice_.Roll(4)) {
      case 0:
        step.text = Written(operand);
        step.fails = found == nullptr;
        if (found != nullptr) step.value = *found;
        break;
      case 1:
        step.text = "if_not_exists(" + Written(operand) + ", " + Placeholder(constant) + ")";
        step.value = found == nullptr ? constant : *found;
        break;
      case 2: {
        const ValueModel list{.type = Type::kL, .list = {constant}};
        step.text = "list_append(" + Written(operand) + ", " + Placeholder(list) + ")";
        step.fails = found == nullptr || found->type != Type::kL;
        if (!step.fails) {
          step.value = *found;
          step.value.list.push_back(constant);
        }
        break;
      }
      default:
        step.text = Placeholder(constant);
        step.value = constant;
        break;
    }
    step.text = " = " + step.text;
    return step;
  }

  std::string Placeholder(const ValueModel& model) {
    values_.emplace_back(":v" + std::to_string(values_.size()), ToValue(model));
    return values_.back().first;
  }

  const ValueModel& item_;
  Dice& dice_;
  ValueMap values_;
};

constexpr int kRounds = 30;

void CheckOneUpdate(Dice& dice) {
  const ValueModel item = RandomItemModel(dice);
  Author author(item, dice);
  const std::vector<Step> steps = author.Steps();
  const std::string text = Author::Text(steps);
  RC_LOG() << text << "\n";
  const Result<Update> update = ParseUpdate(text, {.values = author.values()});
  if (!update) RC_FAIL(MessageOf(update));
  const Result<Item> after = update->Apply(ToItem(item).view());
  Tree tree(item);
  const bool applied = tree.Apply(steps);
  RC_ASSERT(after.has_value() == applied);
  if (!after) return;
  RC_ASSERT(*after == ToItem(tree.root()));
  RC_ASSERT(IsWellFormedItem(after->encoded()));
  RC_ASSERT(IsWellFormedItem(update->SelectTargets(after->view()).encoded()));
}

TEST(UpdateProperty, AgreesWithChangingATree) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    Dice dice(seed);
    for (int round = 0; round < kRounds; ++round) CheckOneUpdate(dice);
  }));
}

}  // namespace update_property_test
}  // namespace stator
