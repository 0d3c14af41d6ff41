// The flaws of one item.
#ifndef STATOR_LIVE_ITEM_FLAWS_H_
#define STATOR_LIVE_ITEM_FLAWS_H_

#include <string>
#include <vector>

#include "live/audit.h"
#include "stator/item.h"

namespace stator::live {

struct ItemFlaw {
  Flaw flaw;
  std::string subject;  // "Call.userStatus"
  std::string detail;
};

// Of the attributes alone: types, units, values.
std::vector<ItemFlaw> AttributeFlaws(const model::Entity& entity, ItemView item);

// Of derived keys, the table's own included.
std::vector<ItemFlaw> KeyFlaws(const model::Model& model, const model::Table& table,
                               const model::Entity& entity, ItemView item, TimeMs now);

}  // namespace stator::live

#endif  // STATOR_LIVE_ITEM_FLAWS_H_
