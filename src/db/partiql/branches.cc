#include "partiql/branches.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/try.h"
#include "partiql/read_plan.h"
#include "partiql/refusal.h"

namespace stator::partiql {
namespace {

using Kind = ConditionNode::Kind;
using Branches = std::vector<Branch>;

bool Names(const Operand& operand, std::string_view name) {
  const Path* path = std::get_if<Path>(&operand.source);
  return path != nullptr && path->front().name == name;
}

ConditionNode Equality(const Operand& left, const Operand& right) {
  return {.kind = Kind::kCompare, .comparator = Comparator::kEq, .operands = {left, right}};
}

// The values that the attribute must be one of, if the condition says so and nothing else.
std::vector<ConditionNode> Equalities(std::string_view name, const ConditionNode& node) {
  if (node.kind == Kind::kIn) {
    std::vector<ConditionNode> equalities;
    for (std::size_t i = 1; i < node.operands.size(); ++i) {
      ConditionNode equality = Equality(node.operands[0], node.operands[i]);
      if (!ClauseOn(name, equality)) return {};
      equalities.push_back(std::move(equality));
    }
    return equalities;
  }
  const std::optional<KeyClause> clause = ClauseOn(name, node);
  if (!clause || clause->op != KeyOperator::kEq) return {};
  return {node};
}

class Splitter {
 public:
  explicit Splitter(const KeyNames& keys) : keys_(keys) {}

  Result<Branches> Split(const ConditionNode& node) {
    if (node.kind == Kind::kAnd) return SplitAnd(node);
    if (node.kind == Kind::kOr && SpeaksOfKey(node)) return SplitOr(node);
    Branches branches;
    for (const ConditionNode& equality : Equalities(keys_.partition.name, node)) {
      branches.emplace_back().partitions.push_back(*ClauseOn(keys_.partition.name, equality));
    }
    if (branches.empty() && keys_.sort) SplitSortTest(node, branches);
    if (branches.empty()) {
      Branch& branch = branches.emplace_back();
      branch.others.push_back(&node);
      branch.negates_sort = keys_.sort && NegatesSort(node);
    }
    RETURN_IF_ERROR(CheckCount(branches));
    return branches;
  }

 private:
  void SplitSortTest(const ConditionNode& node, Branches& branches) const {
    const std::string& name = keys_.sort->name;
    for (ConditionNode& equality : Equalities(name, node)) {
      KeyClause clause = *ClauseOn(name, equality);
      branches.emplace_back().sorts.push_back({std::move(clause), std::move(equality)});
    }
    if (!branches.empty()) return;
    if (std::optional<KeyClause> clause = ClauseOn(name, node)) {
      branches.emplace_back().sorts.push_back({*std::move(clause), node});
    }
  }

  Result<Branches> SplitOr(const ConditionNode& node) {
    Branches all;
    for (const ConditionNode& child : node.children) {
      ASSIGN_OR_RETURN(Branches branches, Split(child));
      std::ranges::move(branches, std::back_inserter(all));
      RETURN_IF_ERROR(CheckCount(all));
    }
    return all;
  }

  // Every combination of the children's branches.
  Result<Branches> SplitAnd(const ConditionNode& node) {
    Branches product(1);
    for (const ConditionNode& child : node.children) {
      ASSIGN_OR_RETURN(const Branches branches, Split(child));
      if (branches.size() == 1) {
        for (Branch& left : product) Append(left, branches.front());
        continue;
      }
      Branches next;
      for (const Branch& left : product) {
        for (const Branch& right : branches) Append(next.emplace_back(left), right);
        RETURN_IF_ERROR(CheckCount(next));
      }
      product = std::move(next);
    }
    return product;
  }

  static void Append(Branch& left, const Branch& right) {
    std::ranges::copy(right.partitions, std::back_inserter(left.partitions));
    std::ranges::copy(right.sorts, std::back_inserter(left.sorts));
    std::ranges::copy(right.others, std::back_inserter(left.others));
    left.negates_sort = left.negates_sort || right.negates_sort;
  }

  static Result<void> CheckCount(const Branches& branches) {
    if (branches.size() <= kMaxReads) return {};
    return Refused("Too many decomposed read operations for a given query.");
  }

  // Whether a part of it could be answered by the key.
  bool SpeaksOfKey(const ConditionNode& node) const {
    if (node.kind == Kind::kAnd || node.kind == Kind::kOr) {
      return std::ranges::any_of(node.children,
                                 [this](const ConditionNode& child) { return SpeaksOfKey(child); });
    }
    if (!Equalities(keys_.partition.name, node).empty()) return true;
    if (!keys_.sort) return false;
    return !Equalities(keys_.sort->name, node).empty() || ClauseOn(keys_.sort->name, node);
  }

  bool NegatesSort(const ConditionNode& node) const {
    if (node.kind == Kind::kCompare && node.comparator == Comparator::kNe) {
      return MentionsSort(node);
    }
    return node.kind == Kind::kNot && MentionsSort(node);
  }

  bool MentionsSort(const ConditionNode& node) const {
    const auto names = [this](const Operand& operand) { return Names(operand, keys_.sort->name); };
    const auto mentions = [this](const ConditionNode& child) { return MentionsSort(child); };
    return std::ranges::any_of(node.operands, names) ||
           std::ranges::any_of(node.children, mentions);
  }

  const KeyNames& keys_;
};

}  // namespace

bool PinsPartition(const ConditionNode& where, const KeyNames& keys) {
  const auto pins = [&keys](const ConditionNode& child) { return PinsPartition(child, keys); };
  if (where.kind == Kind::kAnd) return std::ranges::any_of(where.children, pins);
  if (where.kind == Kind::kOr) {
    return !where.children.empty() && std::ranges::all_of(where.children, pins);
  }
  return !Equalities(keys.partition.name, where).empty();
}

Result<std::vector<Branch>> SplitIntoBranches(const ConditionNode& where, const KeyNames& keys) {
  return Splitter(keys).Split(where);
}

}  // namespace stator::partiql
