// What a plan does, in the words of a chart.
#ifndef STATOR_MODEL_PLAN_PLAN_WORDS_H_
#define STATOR_MODEL_PLAN_PLAN_WORDS_H_

#include <string>

#include "model/model.h"
#include "model/plan/plan.h"

namespace stator::model {

// "GSI2PK = ORDER#<status>, DESC"; empty if there is no key condition.
std::string KeyWords(const Plan& plan);
// "Main", or the index's name.
std::string IndexWord(const Plan& plan);
// The entities that the plan is about: "Order", "Customer, Order".
std::string EntityWords(const Plan& plan);
bool IsRead(const Plan& plan);
// True if the plan is about this entity, alone or among others.
bool Concerns(const Plan& plan, const Entity& entity);

}  // namespace stator::model

#endif  // STATOR_MODEL_PLAN_PLAN_WORDS_H_
