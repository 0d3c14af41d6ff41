// What the tests of the orders stand on: their tables, the shop, and the models as documents.
#ifndef STATOR_TESTS_SYSTEMS_ORDERS_FIXTURE_H_
#define STATOR_TESTS_SYSTEMS_ORDERS_FIXTURE_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "stator/design.h"
#include "systems/orders/example_items.h"
#include "systems/orders/shop.h"
#include "systems/program/model_text.h"
#include "tests/systems/system_fixture.h"

namespace stator::testing {

class OrdersWorld : public ::testing::Test {
 protected:
  void Register(std::string_view name) {
    const auto customer = shop_.Register({.username = std::string(name),
                                          .email = std::string(name) + "@example.com",
                                          .created_at = {}});
    EXPECT_TRUE(customer) << customer.error().message;
  }
  // Of a customer who is registered on the way, unless that was done.
  Item Place(std::string_view customer, std::string_view id, std::string_view created_at = {},
             systems::orders::Priority priority = systems::orders::Priority::kMedium) {
    if (const auto known = shop_.Customer(customer); known && !*known) Register(customer);
    const auto placed = shop_.Place({.customer = std::string(customer),
                                     .order_id = std::string(id),
                                     .money = {.amount = "100"},
                                     .priority = priority,
                                     .created_at = std::string(created_at)});
    EXPECT_TRUE(placed) << placed.error().message;
    return placed ? *placed : Item();
  }
  void Create(std::string_view entity, const Item& item) {
    const auto created = world_.entities().Create(entity, item);
    EXPECT_TRUE(created) << created.error().message;
  }
  // One attribute of each item that a pattern gives.
  std::vector<std::string> Ask(std::string_view pattern, const PatternParameters& parameters,
                               std::string_view attribute) {
    const auto items = world_.entities().All(pattern, parameters);
    EXPECT_TRUE(items) << items.error().message;
    return TextsOf(items ? *items : std::vector<Item>{}, attribute);
  }
  static std::vector<std::string> TextsOf(const std::vector<Item>& items,
                                          std::string_view attribute) {
    std::vector<std::string> texts;
    for (const Item& item : items) texts.push_back(Text(item, attribute));
    return texts;
  }
  // What a plain Query gives, as the guide's code would send it.
  std::vector<Item> RawQuery(const std::string& index, const std::string& condition,
                             const ValueMap& values) {
    QueryRequest request{.table_name = "AppTable",
                         .key_condition_expression = condition,
                         .expression_attribute_values = values};
    if (!index.empty()) request.index_name = index;
    const auto page = world_.endpoint().Query(request);
    EXPECT_TRUE(page) << page.error().message();
    std::vector<Item> items;
    for (std::size_t i = 0; page && i < page->items->size(); ++i) {
      items.push_back(Item::FromView((*page->items)[i]));
    }
    return items;
  }
  // As others would, past the model: an item with these attributes, whatever they are.
  void PutRaw(const Item& item) {
    const auto put = world_.endpoint().PutItem({.table_name = "AppTable", .item = item});
    EXPECT_TRUE(put) << put.error().message();
  }
  std::int64_t CountEntries(const std::string& index) {
    const auto page = world_.endpoint().Scan(
        {.table_name = "AppTable", .index_name = index, .select = Select::kCount});
    return page ? page->count : -1;
  }
  double WriteUnits() { return world_.entities().used().write; }

  SystemWorld world_{systems::orders::ModelText()};
  systems::orders::Shop shop_{world_.entities()};
};

// The items of the examples, and what they ask for.
inline systems::orders::ExampleItems BuiltIn() {
  auto items = systems::orders::ReadExampleItems(systems::orders::BuiltInItems());
  EXPECT_TRUE(items) << (items ? "" : items.error());
  EXPECT_TRUE(systems::orders::Ask({}, *items));
  return *std::move(items);
}

inline std::string OrdersFile(const std::string& name) {
  return std::string(STATOR_SOURCE_DIR) + "/systems/orders/" + name;
}

inline Model LoadOrdersModel(const std::string& name) {
  auto model = Model::Load(OrdersFile(name));
  EXPECT_TRUE(model) << (model ? "" : model.error());
  return *std::move(model);
}

// The rules that found something, not accepted, at the target: "HP02 by_type.GSI1".
inline std::set<std::string> Findings(const Design& design) {
  std::set<std::string> found;
  for (const DesignFinding& finding : design.findings) {
    if (!finding.accepted) found.insert(finding.rule + " " + finding.target);
  }
  return found;
}

// … in the guide as it is written.
inline const std::set<std::string>& AsWritten() {
  static const std::set<std::string> kFindings =
      Findings(CheckDesign(LoadOrdersModel("as-written.yaml")));
  return kFindings;
}

}  // namespace stator::testing

#endif  // STATOR_TESTS_SYSTEMS_ORDERS_FIXTURE_H_
