// What a narrower projection of an index would save.
#ifndef STATOR_RULES_NARROWER_INDEX_H_
#define STATOR_RULES_NARROWER_INDEX_H_

#include <string>
#include <vector>

#include "rules/rules.h"

namespace stator::model {

// The index with a projection of these attributes only; those that its keys hold are left out.
Index NarrowedTo(const Model& model, const Table& table, const Index& index,
                 const std::vector<std::string>& attributes);

struct Saving {
  double write_units_per_day = 0;
  double stored_bytes = 0;
  double dollars_per_month = 0;  // at the on-demand price of writes, and of storage
};

Saving SavingOf(const Subject& subject, const Table& table, const Index& index,
                const Index& narrow);
// "a narrower projection saves 120 WRU a day ($0.02 a month) and 3 MB"
std::string SavingText(const Saving& saving);

// Less a month is not worth a warning.
inline constexpr double kPettySaving = 1;

}  // namespace stator::model

#endif  // STATOR_RULES_NARROWER_INDEX_H_
