#include "model/parse/references.h"

namespace stator::model {

void CheckReferences([[maybe_unused]] Problems& problems, Model& model) {
  for (Pattern& pattern : model.patterns) {
    if (pattern.kind == PatternKind::kGet) {
      if (const Entity* entity = model.FindEntity(pattern.entity))
        pattern.read.table = entity->table;
    }
    if (pattern.kind == PatternKind::kQuery && pattern.entity.empty()) {
      for (const Term& term : pattern.read.where) {
        if (!term.entity.empty()) pattern.entity = term.entity;
      }
    }
  }
}

}  // namespace stator::model
