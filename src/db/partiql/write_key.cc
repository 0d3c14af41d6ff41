#include "partiql/write_key.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/try.h"
#include "partiql/refusal.h"

namespace stator::partiql {
namespace {

using Kind = ConditionNode::Kind;

ConditionNode Existence(const KeyNames& keys, Kind kind) {
  ConditionNode test{.kind = kind};
  test.operands.push_back({.source = Path{{.name = keys.partition.name}}});
  return test;
}

// The parts of an AND, those of nested ones too.
void Flatten(const ConditionNode& node, std::vector<const ConditionNode*>& parts) {
  if (node.kind != Kind::kAnd) {
    parts.push_back(&node);
    return;
  }
  for (const ConditionNode& child : node.children) Flatten(child, parts);
}

class KeyFinder {
 public:
  KeyFinder(const KeyNames& keys, bool first_value_wins)
      : keys_(keys), first_value_wins_(first_value_wins) {}

  Result<void> Add(const ConditionNode& part) {
    if (std::optional<KeyClause> clause = EqualityOn(keys_.partition, part)) {
      return AddKey(*std::move(clause), partition_, part);
    }
    if (keys_.sort) {
      if (std::optional<KeyClause> clause = EqualityOn(*keys_.sort, part)) {
        return AddKey(*std::move(clause), sort_, part);
      }
    }
    rest_.push_back(part);
    return {};
  }

  bool complete() const { return partition_ && (sort_ || !keys_.sort); }

  // REQUIRES: complete().
  Result<KeyedItem> Finish() && {
    RETURN_IF_ERROR(CheckKeyType(keys_.partition, *partition_));
    if (keys_.sort) RETURN_IF_ERROR(CheckKeyType(*keys_.sort, *sort_));
    KeyedItem found;
    found.key.Set(keys_.partition.name, partition_->value);
    if (keys_.sort) found.key.Set(keys_.sort->name, sort_->value);
    if (rest_.size() == 1) found.condition = Condition::FromNode(std::move(rest_.front()));
    if (rest_.size() > 1) {
      found.condition = Condition::FromNode({.kind = Kind::kAnd, .children = std::move(rest_)});
    }
    return found;
  }

 private:
  static std::optional<KeyClause> EqualityOn(const KeyName& key, const ConditionNode& part) {
    std::optional<KeyClause> clause = ClauseOn(key.name, part);
    if (clause && clause->op != KeyOperator::kEq) clause.reset();
    return clause;
  }

  Result<void> AddKey(KeyClause clause, std::optional<KeyClause>& key, const ConditionNode& part) {
    if (!key) {
      key = std::move(clause);
    } else if (key->value == clause.value) {
      return {};
    } else if (first_value_wins_) {
      rest_.push_back(part);
    } else {
      return Refused(fmt::format(
          "Multiple conditions on same key {}. Only single item Update/Insert/Delete are supported",
          clause.attribute));
    }
    return {};
  }

  const KeyNames& keys_;
  bool first_value_wins_;
  std::optional<KeyClause> partition_;
  std::optional<KeyClause> sort_;
  std::vector<ConditionNode> rest_;
};

Result<KeyedItem> WrittenItem(const std::optional<ConditionNode>& where, const KeyNames& keys,
                              bool must_exist) {
  KeyFinder finder(keys, false);
  if (must_exist) RETURN_IF_ERROR(finder.Add(Existence(keys, Kind::kExists)));
  std::vector<const ConditionNode*> parts;
  if (where) Flatten(*where, parts);
  for (const ConditionNode* part : parts) RETURN_IF_ERROR(finder.Add(*part));
  if (!finder.complete()) {
    return Refused("Where clause does not contain a mandatory equality on all key attributes");
  }
  return std::move(finder).Finish();
}

}  // namespace

Result<KeyedItem> KeyOf(const UpdateStatement& update, const KeyNames& keys) {
  return WrittenItem(update.where, keys, true);
}

Result<KeyedItem> KeyOf(const DeleteStatement& remove, const KeyNames& keys) {
  return WrittenItem(remove.where, keys, false);
}

Result<KeyedItem> KeyOf(const ExistsStatement& exists, const KeyNames& keys) {
  KeyFinder finder(keys, true);
  std::vector<const ConditionNode*> parts;
  if (exists.select.where) Flatten(*exists.select.where, parts);
  for (const ConditionNode* part : parts) RETURN_IF_ERROR(finder.Add(*part));
  constexpr const char* kIncomplete =
      "EXISTS() must contain a single item read with additional condition";
  if (!finder.complete()) return Refused(kIncomplete);
  ASSIGN_OR_RETURN(KeyedItem found, std::move(finder).Finish());
  if (!found.condition) return Refused(kIncomplete);
  return found;
}

Condition NoSuchItem(const KeyNames& keys) {
  return Condition::FromNode(Existence(keys, Kind::kNotExists));
}

}  // namespace stator::partiql
