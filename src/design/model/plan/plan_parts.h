// The parts of the resolver.
#ifndef STATOR_MODEL_PLAN_PLAN_PARTS_H_
#define STATOR_MODEL_PLAN_PLAN_PARTS_H_

#include <string>
#include <vector>

#include "model/keys/truth.h"
#include "model/plan/plan.h"

namespace stator::model {

// plan_read.cc
void ResolveGet(const Model& model, Plan& plan);
void ResolveQuery(const Model& model, Plan& plan);
void ResolveScan(const Model& model, Plan& plan);

// plan_write.cc
void ResolveWrite(const Model& model, Plan& plan);

// plan_effects.cc: what the write of plan.pattern does to plan.entity's items.

// Source attributes whose value changes; for writes of whole items, all of them.
std::vector<std::string> ChangedAttributes(const Entity& entity, const Pattern& pattern);
// Keys made from others that the write must set or remove.
std::vector<std::string> AffectedKeys(const Table& table, const Entity& entity,
                                      const Pattern& pattern);
std::vector<IndexEffect> EffectsOf(const Model& model, const Table& table, const Entity& entity,
                                   const Pattern& pattern);

bool WritesWholeItem(const Pattern& pattern);

}  // namespace stator::model

#endif  // STATOR_MODEL_PLAN_PLAN_PARTS_H_
