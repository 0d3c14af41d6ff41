// How many items exist: of an entity, with given values, selected by a predicate.
#ifndef STATOR_MODEL_ESTIMATE_POPULATION_H_
#define STATOR_MODEL_ESTIMATE_POPULATION_H_

#include <optional>
#include <string>
#include <vector>

#include "model/model.h"

namespace stator::model {

// Items of the entity that exist at any time: as stated, or from their rate and their lifetime.
std::optional<Amount> TotalItems(const Entity& entity);

// How long items live; absent: forever.
std::optional<seconds> Lifetime(const Entity& entity);

// A source attribute that a read binds to a value.
struct Bound {
  std::string attribute;
  std::string value;   // when it is known: a literal of an enum; empty: any
  double choices = 1;  // of `in (a, b)`: how many values are taken
};

// Items that share the bound values. Absent: the model says too little; `missing` says what is
// missing.
std::optional<Amount> ItemsWith(const Entity& entity, const std::vector<Bound>& bound,
                                std::string& missing);

// The typical part of the items for which the attribute has one value (or this one).
std::optional<double> ShareOf(const Entity& entity, const std::string& attribute,
                              const std::string& value);

// The part of items that a term or a predicate selects; absent: unknown.
std::optional<double> Selectivity(const Entity& entity, const Term& term);
std::optional<double> Selectivity(const Entity& entity, const Predicate& predicate);

}  // namespace stator::model

#endif  // STATOR_MODEL_ESTIMATE_POPULATION_H_
