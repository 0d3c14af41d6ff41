#include "partiql/read_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "base/try.h"
#include "partiql/key_names.h"
#include "partiql/refusal.h"

namespace stator::partiql {
namespace {

using Kind = ConditionNode::Kind;

// An alternative of the WHERE clause. Everything in a branch must hold. Pointers refer to the WHERE
// clause.
struct Branch {
  struct SortTest {
    KeyClause clause;
    ConditionNode condition;  // the same as a condition
  };
  std::vector<KeyClause> partitions;  // equalities
  std::vector<SortTest> sorts;
  std::vector<const ConditionNode*> others;
  bool negates_sort = false;  // one of the others is a negated condition on the sort key
};

using Branches = std::vector<Branch>;

bool Names(const Operand& operand, std::string_view name) {
  const Path* path = std::get_if<Path>(&operand.source);
  return path != nullptr && path->front().name == name;
}

ConditionNode Equality(const Operand& left, const Operand& right) {
  return {.kind = Kind::kCompare, .comparator = Comparator::kEq, .operands = {left, right}};
}

// One equality per value that the attribute may have, if that is all the condition says.
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

// Splits a clause into the alternatives that differ in their conditions on the key: an OR if it
// mentions the key, an IN if it tests a key attribute. REQUIRES: PinsPartition(where, keys).
class BranchSplitter {
 public:
  explicit BranchSplitter(const KeyNames& keys) : keys_(keys) {}

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

// Whether every way to satisfy the condition fixes the partition key.
bool PinsPartition(const ConditionNode& where, const KeyNames& keys) {
  const auto pins = [&keys](const ConditionNode& child) { return PinsPartition(child, keys); };
  if (where.kind == Kind::kAnd) return std::ranges::any_of(where.children, pins);
  if (where.kind == Kind::kOr) {
    return !where.children.empty() && std::ranges::all_of(where.children, pins);
  }
  return !Equalities(keys.partition.name, where).empty();
}

Result<void> CheckTypes(const std::vector<Branch>& branches, const KeyNames& keys) {
  for (const Branch& branch : branches) {
    for (const KeyClause& clause : branch.partitions) {
      RETURN_IF_ERROR(CheckKeyType(keys.partition, clause));
    }
    for (const Branch::SortTest& test : branch.sorts) {
      RETURN_IF_ERROR(CheckKeyType(*keys.sort, test.clause));
    }
  }
  return {};
}

bool AsksForTwoPartitions(const Branch& branch) {
  return std::ranges::any_of(branch.partitions, [&](const KeyClause& clause) {
    return !(clause.value == branch.partitions.front().value);
  });
}

// One sort condition can be answered by the key: an equality if there is one.
std::optional<std::size_t> BestSortTest(const Branch& branch) {
  if (branch.sorts.empty()) return std::nullopt;
  const auto is_equality = [](const Branch::SortTest& test) {
    return test.clause.op == KeyOperator::kEq;
  };
  const auto found = std::ranges::find_if(branch.sorts, is_equality);
  if (found == branch.sorts.end()) return 0;
  return static_cast<std::size_t>(found - branch.sorts.begin());
}

bool SaysTheSame(const KeyClause& a, const KeyClause& b) {
  return a.op == b.op && a.value == b.value && a.upper == b.upper;
}

std::optional<Condition> FilterOf(const Branch& branch, std::optional<std::size_t> used) {
  std::vector<ConditionNode> parts;
  for (const Branch::SortTest& test : branch.sorts) {
    if (!SaysTheSame(test.clause, branch.sorts[*used].clause)) parts.push_back(test.condition);
  }
  for (const ConditionNode* other : branch.others) parts.push_back(*other);
  if (parts.empty()) return std::nullopt;
  if (parts.size() == 1) return Condition::FromNode(std::move(parts.front()));
  return Condition::FromNode({.kind = Kind::kAnd, .children = std::move(parts)});
}

// A read that is still compared with the others.
struct Draft {
  KeyedRead read;
  std::string partition;
  SortRange range;
  bool negates_sort = false;
};

Draft DraftOf(const Branch& branch) {
  const std::optional<std::size_t> used = BestSortTest(branch);
  Draft draft{.read = {.partition = branch.partitions.front(), .filter = FilterOf(branch, used)}};
  if (used) draft.read.sort = branch.sorts[*used].clause;
  draft.partition = OrderedBytes(draft.read.partition.value.view());
  draft.range = RangeOf(draft.read.sort);
  draft.negates_sort = branch.negates_sort;
  return draft;
}

// Refuses reads with rows in common. If a negated condition on the sort key is the reason, the
// whole partition is read once instead, with the whole clause as its filter.
Result<void> MergeOverlaps(std::vector<Draft>& drafts, const ConditionNode& where) {
  std::vector<std::string> merged;
  for (std::size_t b = 1; b < drafts.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      if (drafts[a].partition != drafts[b].partition) continue;
      if (!Overlap(drafts[a].range, drafts[b].range)) continue;
      if (!drafts[a].negates_sort && !drafts[b].negates_sort) {
        return Refused("Overlapping conditions with range keys are not supported in where clause");
      }
      if (std::ranges::find(merged, drafts[a].partition) == merged.end()) {
        merged.push_back(drafts[a].partition);
      }
    }
  }
  for (const std::string& partition : merged) {
    const auto first = std::ranges::find(drafts, partition, &Draft::partition);
    Draft whole{.read = {.partition = first->read.partition, .filter = Condition::FromNode(where)},
                .partition = partition};
    *first = std::move(whole);
    const auto rest =
        std::ranges::remove(std::next(first), drafts.end(), partition, &Draft::partition);
    drafts.erase(rest.begin(), rest.end());
  }
  return {};
}

bool HasSeveralPartitions(const std::vector<Draft>& drafts) {
  return std::ranges::any_of(
      drafts, [&](const Draft& draft) { return draft.partition != drafts.front().partition; });
}

const SelectStatement::OrderKey* FindOrder(const SelectStatement& select, const KeyName& key) {
  const auto found =
      std::ranges::find(select.order_by, key.name, &SelectStatement::OrderKey::attribute);
  return found == select.order_by.end() ? nullptr : &*found;
}

Result<void> CheckOrderKeys(const SelectStatement& select, const KeyNames& keys) {
  if (select.order_by.empty()) return {};
  if (!select.where) {
    return Refused("Must have WHERE clause in the statement when using ORDER BY clause.");
  }
  for (const SelectStatement::OrderKey& key : select.order_by) {
    if (key.attribute == keys.partition.name) continue;
    if (keys.sort && key.attribute == keys.sort->name) continue;
    return Refused(fmt::format("Attribute {} in ORDER BY clause must be part of the primary key",
                               key.attribute));
  }
  if (PinsPartition(*select.where, keys)) return {};
  return Refused(
      "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY "
      "clause.");
}

// Rows of a partition come in descending order unless the clause asks for ascending sort keys.
Result<bool> PutInOrder(const SelectStatement& select, const KeyNames& keys,
                        std::vector<Draft>& drafts) {
  if (select.order_by.empty()) return true;
  const SelectStatement::OrderKey* partition = FindOrder(select, keys.partition);
  if (partition == nullptr && HasSeveralPartitions(drafts)) {
    return Refused(
        "Must have hash key in ORDER BY clause when more than one hash key condition specified in "
        "WHERE clause.");
  }
  const SelectStatement::OrderKey* sort = keys.sort ? FindOrder(select, *keys.sort) : nullptr;
  const bool forward = sort != nullptr && !sort->descending;
  const bool descending = partition != nullptr && partition->descending;
  std::ranges::sort(drafts, [&](const Draft& a, const Draft& b) {
    if (a.partition != b.partition) return (a.partition < b.partition) != descending;
    return forward ? BeginsBefore(a.range, b.range) : BeginsBefore(b.range, a.range);
  });
  return forward;
}

std::optional<Item> ItemKey(const SelectStatement& select, const KeyNames& keys,
                            const ReadPlan& plan) {
  if (select.index || plan.reads.size() != 1 || plan.reads.front().filter) return std::nullopt;
  const KeyedRead& read = plan.reads.front();
  if (keys.sort && (!read.sort || read.sort->op != KeyOperator::kEq)) return std::nullopt;
  Item key;
  key.Set(keys.partition.name, read.partition.value);
  if (keys.sort) key.Set(keys.sort->name, read.sort->value);
  return key;
}

}  // namespace

Result<void> CheckReadKeyTypes(const SelectStatement& select, const KeyNames& keys) {
  if (!select.where || !PinsPartition(*select.where, keys)) return {};
  const Result<std::vector<Branch>> branches = BranchSplitter(keys).Split(*select.where);
  if (!branches) return {};
  return CheckTypes(*branches, keys);
}

Result<ReadPlan> PlanRead(const SelectStatement& select, const KeyNames& keys) {
  RETURN_IF_ERROR(CheckOrderKeys(select, keys));
  ReadPlan plan;
  if (!select.where || !PinsPartition(*select.where, keys)) {
    if (select.where) plan.filter = Condition::FromNode(*select.where);
    return plan;
  }
  plan.access = ReadPlan::Access::kKeys;
  ASSIGN_OR_RETURN(const std::vector<Branch> branches, BranchSplitter(keys).Split(*select.where));
  RETURN_IF_ERROR(CheckTypes(branches, keys));
  std::vector<Draft> drafts;
  for (const Branch& branch : branches) {
    if (AsksForTwoPartitions(branch)) {
      plan.has_empty_read = true;
    } else {
      drafts.push_back(DraftOf(branch));
    }
  }
  RETURN_IF_ERROR(MergeOverlaps(drafts, *select.where));
  ASSIGN_OR_RETURN(plan.forward, PutInOrder(select, keys, drafts));
  for (Draft& draft : drafts) plan.reads.push_back(std::move(draft.read));
  plan.item_key = ItemKey(select, keys, plan);
  return plan;
}

}  // namespace stator::partiql
