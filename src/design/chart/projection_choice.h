// Which projection the patterns of an index ask for.
//
//   Do they need attributes that are not keys?
//   ├─ no           → KEYS_ONLY
//   ├─ only a few   → INCLUDE these
//   └─ most or all  → ALL
#ifndef STATOR_CHART_PROJECTION_CHOICE_H_
#define STATOR_CHART_PROJECTION_CHOICE_H_

#include <string>
#include <vector>

#include "model/model.h"
#include "model/plan/plan.h"

namespace stator::model {

struct ProjectionChoice {
  bool used = false;      // some pattern reads the index
  Projection projection;  // what serves them with the least
  std::string reason;     // "patterns need 2 of 9 attributes"
};

ProjectionChoice ChooseProjection(const Model& model, const std::vector<Plan>& plans,
                                  const Table& table, const Index& index);

// "INCLUDE Status, Amount".
std::string ProjectionText(const Projection& projection);

}  // namespace stator::model

#endif  // STATOR_CHART_PROJECTION_CHOICE_H_
