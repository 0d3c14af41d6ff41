// The values of a read, and of the items that it must find.
#ifndef STATOR_PROOF_SCENARIO_H_
#define STATOR_PROOF_SCENARIO_H_

#include <optional>
#include <string>
#include <vector>

#include "model/plan/plan.h"
#include "proof/item_maker.h"
#include "stator/database.h"

namespace stator::proof {

// Items of a scenario have numbers from here on.
inline constexpr std::uint64_t kFirstNumber = 1000;

class Scenario {
 public:
  // REQUIRES: both outlive the object. An entity has at most `items` items in the range.
  Scenario(const model::Model& model, const model::Plan& plan, std::uint64_t items);

  // Why no request can be made up for this pattern; empty: it can.
  const std::string& obstacle() const { return obstacle_; }

  // Values that items have in common to be in the range.
  const Values& inside() const { return inside_; }
  // Values that make items pass the filter, or fail it.
  const Values& passing() const { return passing_; }
  const Values& failing() const { return failing_; }
  bool filters() const { return !filter_.empty(); }

  // Sets the key condition and, if `with_filter`, the filter. `first` is an item in the range.
  void Condition(QueryRequest& request, const Item& first, int shard, bool with_filter) const;
  void Filter(ScanRequest& request) const;

 private:
  struct Placed {
    std::string name;
    AttributeValue value;
  };
  void AddKeyTerm(const model::Model& model, const model::Term& term);
  void AddSpelledKey(const model::Model& model, const model::Term& term);
  void AddFilterTerm(const model::Term& term);
  void AddFilter(const model::Predicate& predicate);
  void ShareThePartition();
  void PassByTheFirst(const model::Predicate& predicate);
  const model::Attribute* Find(std::string_view name) const;
  AttributeValue ClauseValue(const model::PlanClause& clause, const std::string& text,
                             const Item& first, int shard, bool upper) const;

  const model::Plan& plan_;
  std::vector<const model::Entity*> entities_;
  std::uint64_t items_;
  Values inside_;
  Values passing_;
  Values failing_;
  Values parameters_;  // by the names that the clauses of the plan use
  std::string filter_;
  NameMap filter_names_;
  ValueMap filter_values_;
  std::string obstacle_;
};

}  // namespace stator::proof

#endif  // STATOR_PROOF_SCENARIO_H_
