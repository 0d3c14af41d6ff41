// What a write changes besides what it names: keys derived from other attributes, and entries of
// indexes.
#ifndef STATOR_MODEL_PLAN_WRITE_EFFECTS_H_
#define STATOR_MODEL_PLAN_WRITE_EFFECTS_H_

#include <string>
#include <vector>

#include "model/plan/plan.h"

namespace stator::model {

// Source attributes whose value changes; for writes of whole items, all of them.
std::vector<std::string> ChangedAttributes(const Entity& entity, const Pattern& pattern);
// Derived keys that the write must set or remove.
std::vector<std::string> AffectedKeys(const Table& table, const Entity& entity,
                                      const Pattern& pattern);
std::vector<IndexEffect> EffectsOf(const Model& model, const Table& table, const Entity& entity,
                                   const Pattern& pattern);

bool WritesWholeItem(const Pattern& pattern);

}  // namespace stator::model

#endif  // STATOR_MODEL_PLAN_WRITE_EFFECTS_H_
