// An account of what happens, for people: each line with what it consumed.
#ifndef STATOR_SYSTEMS_ORDERS_NARRATOR_H_
#define STATOR_SYSTEMS_ORDERS_NARRATOR_H_

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "stator/entity.h"

namespace stator::systems::orders {

// The text or the number of an attribute; "-" if it is not there.
std::string TextOf(const Item& item, std::string_view name);

class Narrator {
 public:
  // Both must outlive this.
  Narrator(Entities& entities, std::ostream& out);

  Entities& entities() { return entities_; }
  std::ostream& out() { return out_; }

  void Title(std::string_view text);
  void Say(std::string_view text);
  // A line, with the units consumed since the last one.
  void Did(std::string_view text);
  // Items in columns, at most `most` of them.
  void Show(const std::vector<Item>& items, const std::vector<std::string>& attributes,
            std::size_t most = 8);

 private:
  Entities& entities_;
  std::ostream& out_;
  UsedUnits told_;
};

}  // namespace stator::systems::orders

#endif  // STATOR_SYSTEMS_ORDERS_NARRATOR_H_
