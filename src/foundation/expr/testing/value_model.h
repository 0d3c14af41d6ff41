// A plain tree of values with random contents, for tests that compare with a naive reading of the
// rules.
#ifndef STATOR_EXPR_TESTING_VALUE_MODEL_H_
#define STATOR_EXPR_TESTING_VALUE_MODEL_H_

#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "expr/path.h"
#include "stator/item.h"

namespace stator {

struct ValueModel {
  Type type = Type::kNull;
  std::string text;           // S
  std::int64_t number = 0;    // N, and BOOL as 0 or 1
  std::set<std::string> set;  // SS
  std::vector<ValueModel> list;
  std::map<std::string, ValueModel> map;
  friend bool operator==(const ValueModel&, const ValueModel&) = default;
};

inline AttributeValue ToValue(const ValueModel& model) {
  switch (model.type) {
    case Type::kS:
      return model.text;
    case Type::kN:
      return model.number;
    case Type::kBool:
      return model.number != 0;
    case Type::kSS:
      return AttributeValue::StringSet({model.set.begin(), model.set.end()});
    case Type::kL: {
      std::vector<AttributeValue> elements;
      for (const ValueModel& element : model.list) elements.push_back(ToValue(element));
      return AttributeValue::List(elements);
    }
    case Type::kM: {
      std::vector<std::pair<std::string, AttributeValue>> entries;
      for (const auto& [name, value] : model.map) entries.emplace_back(name, ToValue(value));
      return AttributeValue::Map(entries);
    }
    default:
      return AttributeValue::Null();
  }
}

// REQUIRES: model.type == kM.
inline Item ToItem(const ValueModel& model) {
  std::vector<std::pair<std::string, AttributeValue>> entries;
  for (const auto& [name, value] : model.map) entries.emplace_back(name, ToValue(value));
  return Item(entries);
}

// Null if the path leads nowhere.
inline const ValueModel* Find(const ValueModel& item, const Path& path) {
  const ValueModel* at = &item;
  for (const PathElement& step : path) {
    if (step.is_index) {
      if (at->type != Type::kL || step.index >= at->list.size()) return nullptr;
      at = &at->list[step.index];
    } else {
      const auto found = at->map.find(step.name);
      if (at->type != Type::kM || found == at->map.end()) return nullptr;
      at = &found->second;
    }
  }
  return at;
}

// Random choices that follow from one seed.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  // 0 … below-1
  int Roll(int below) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(below)); }

 private:
  std::mt19937_64 engine_;
};

inline std::string RandomName(Dice& dice) {
  return std::string(1, static_cast<char>('a' + dice.Roll(4)));
}

inline ValueModel RandomModel(Dice& dice, int depth) {
  ValueModel model;
  switch (dice.Roll(depth == 0 ? 5 : 9)) {
    case 0:
      model.type = Type::kNull;
      break;
    case 1:
      model.type = Type::kS;
      for (int i = dice.Roll(4); i > 0; --i) model.text += RandomName(dice);
      break;
    case 2:
      model.type = Type::kN;
      model.number = dice.Roll(7) - 3;
      break;
    case 3:
      model.type = Type::kBool;
      model.number = dice.Roll(2);
      break;
    case 4:
      model.type = Type::kSS;
      for (int i = dice.Roll(3); i >= 0; --i) model.set.insert(RandomName(dice));
      break;
    case 5:
    case 6:
      model.type = Type::kL;
      for (int i = dice.Roll(4); i > 0; --i) model.list.push_back(RandomModel(dice, depth - 1));
      break;
    default:
      model.type = Type::kM;
      for (int i = dice.Roll(4); i > 0; --i)
        model.map[RandomName(dice)] = RandomModel(dice, depth - 1);
      break;
  }
  return model;
}

inline ValueModel RandomItemModel(Dice& dice) {
  ValueModel item{.type = Type::kM};
  for (int i = dice.Roll(5); i > 0; --i) item.map[RandomName(dice)] = RandomModel(dice, 3);
  return item;
}

inline Path RandomPath(Dice& dice) {
  Path path = {{.name = RandomName(dice)}};
  while (dice.Roll(2) == 0 && path.size() < 4) {
    if (dice.Roll(2) == 0) {
      path.push_back({.name = RandomName(dice)});
    } else {
      path.push_back({.index = static_cast<std::uint32_t>(dice.Roll(5)), .is_index = true});
    }
  }
  return path;
}

// Mostly one that leads somewhere in the item.
inline Path LikelyPath(Dice& dice, const ValueModel& item) {
  if (item.map.empty() || dice.Roll(6) == 0) return RandomPath(dice);
  Path path;
  const ValueModel* at = &item;
  do {
    if (at->type == Type::kM && !at->map.empty()) {
      const auto step = std::next(at->map.begin(), dice.Roll(static_cast<int>(at->map.size())));
      path.push_back({.name = step->first});
      at = &step->second;
    } else if (at->type == Type::kL && !at->list.empty()) {
      const int index = dice.Roll(static_cast<int>(at->list.size()));
      path.push_back({.index = static_cast<std::uint32_t>(index), .is_index = true});
      at = &at->list[static_cast<std::size_t>(index)];
    } else {
      break;
    }
  } while (dice.Roll(4) != 0);
  if (at->type == Type::kL && dice.Roll(2) == 0) {
    path.push_back({.index = static_cast<std::uint32_t>(dice.Roll(9)), .is_index = true});
  } else if (at->type == Type::kM && dice.Roll(2) == 0) {
    path.push_back({.name = RandomName(dice)});
  }
  return path;
}

// As it is written in an expression.
inline std::string Written(const Path& path) {
  std::string text;
  for (const PathElement& step : path) {
    if (step.is_index) {
      text += "[" + std::to_string(step.index) + "]";
    } else {
      text += (text.empty() ? "" : ".") + step.name;
    }
  }
  return text;
}

}  // namespace stator

#endif  // STATOR_EXPR_TESTING_VALUE_MODEL_H_
