// The strategies and patterns of the guide as examples that run: each puts items into the table,
// asks its questions, and tells what it got and what that cost. Examples may be repeated, on any
// items.
#ifndef STATOR_SYSTEMS_ORDERS_EXAMPLE_H_
#define STATOR_SYSTEMS_ORDERS_EXAMPLE_H_

#include <initializer_list>
#include <ostream>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stator/entity.h"
#include "systems/orders/example_items.h"

namespace stator::systems::orders {

// The text or number of an attribute for people, an amount with its currency; "-" if it does not
// exist.
std::string CellOf(const Item& item, std::string_view name);

// Tells people what happens, each line with what it consumed.
class Narrator {
 public:
  // `entities` and `out` must outlive this.
  Narrator(Entities& entities, ExampleItems items, std::ostream& out);

  Entities& entities() { return entities_; }
  const Questions& ask() const { return items_.ask; }
  const std::vector<Item>& ItemsOf(std::string_view entity) const;

  // Writes the items of these entities, unless that was done before, and tells which of them were
  // there or were left out. False, and told, if there are none of the last one.
  EntityResult<bool> Load(std::initializer_list<std::string_view> entities);
  // Items that something is wrong with, which were not written.
  int unfit() const { return unfit_; }

  void Title(std::string_view text);
  void Say(std::string_view text);
  // A line, with the units consumed since the last one.
  void Did(std::string_view text);
  // Items in columns, at most `most` of them.
  void Show(const std::vector<Item>& items, const std::vector<std::string>& attributes,
            std::size_t most = 8);

 private:
  Entities& entities_;
  const ExampleItems items_;
  std::ostream& out_;
  UsedUnits told_;
  std::set<std::string, std::less<>> loaded_;
  int unfit_ = 0;
};

struct Example {
  std::string_view name;   // "lookup"
  std::string_view title;  // "Strategy 1: inverted lookup"
  std::string_view keys;   // of the index that does it
  EntityResult<void> (*run)(Narrator& narrator);
};

std::span<const Example> Strategies();  // five, in the order of the guide
std::span<const Example> Patterns();    // four

// By its name or its number; null if there is none.
const Example* FindExample(std::span<const Example> examples, std::string_view name);

// Tells the title and the keys, then runs the example.
EntityResult<void> RunExample(const Example& example, Narrator& narrator);

}  // namespace stator::systems::orders

#endif  // STATOR_SYSTEMS_ORDERS_EXAMPLE_H_
