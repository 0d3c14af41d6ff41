#include "chart/chart.h"

#include <gtest/gtest.h>

#include "model/parse/parse.h"

namespace stator::model {
namespace chart_test {

constexpr std::string_view kShop = R"(
model: 1
title: E-commerce
tables:
  app:
    name: AppTable
    key: PK str, SK str
    indexes:
      GSI1: {pk: GSI1PK str, sk: GSI1SK str, project: all, overloaded: true}
      GSI2: {pk: GSI2PK str, sk: GSI2SK str, project: all}
entities:
  Customer:
    table: app
    keys: {PK: "CUSTOMER#{username}", SK: "CUSTOMER#{username}", GSI1PK: "EMAIL#{email}", GSI1SK: "CUSTOMER#{username}"}
    volume: {total: 100}
    attrs: {username: str 10 no=#, email: str 30}
  Order:
    table: app
    keys: {PK: "CUSTOMER#{username}", SK: "ORDER#{orderId}", GSI1PK: "ORDER#{orderId}", GSI1SK: "ORDER#{orderId}",
           GSI2PK: "STATUS#{Status}", GSI2SK: "{CreatedAt}"}
    volume: {total: 1000, per: {username: 10/100}}
    attrs: {username: str 10 no=#, orderId: str uuid, CreatedAt: str iso_s, Amount: num, Note: str 50, Address: str 100,
            Currency: str 3}
    machine:
      attr: Status
      initial: OPEN
      states: {OPEN: dwell 1d, SHIPPED: dwell 2d, DELIVERED: end}
      moves: {ship: OPEN -> SHIPPED, deliver: SHIPPED -> DELIVERED, back: SHIPPED -> OPEN, note: OPEN -> OPEN}
patterns:
  orders_of_customer: {query: app, of: Order, where: "Order.username = $u, SK begins_with 'ORDER#'", page: 20, rate: 10/day}
  customer_by_email: {query: app.GSI1, of: Customer, where: Customer.email = $e, rate: 10/day}
  order_by_id: {query: app.GSI1, of: Order, where: Order.orderId = $id, rate: 10/day}
  recent: {query: app.GSI2, of: Order, where: Order.Status = SHIPPED, order: desc, needs: [Status, CreatedAt, Amount], page: 20, rate: 10/day}
)";

class Charts : public ::testing::Test {
 protected:
  void SetUp() override {
    auto parsed = ParseModel(kShop, "shop.yaml");
    ASSERT_TRUE(parsed) << ProblemText("shop.yaml", parsed.error()[0]);
    model_ = *std::move(parsed);
    plans_ = ResolvePatterns(model_);
  }
  std::string Markdown() const { return EntityChartText(model_, plans_); }
  void ExpectLine(const std::string& text, std::string_view line) const {
    // Columns are padded; compare without spaces.
    const auto squeezed = [](std::string_view from) {
      std::string out;
      for (const char c : from) {
        if (c != ' ') out += c;
      }
      return out;
    };
    EXPECT_NE(squeezed(text).find(squeezed(line)), std::string::npos) << line << "\nin\n" << text;
  }

  Model model_;
  std::vector<Plan> plans_;
};

TEST_F(Charts, TheMainChartHasAColumnForEachKeyAndARowForEachEntity) {
  const std::string text = Markdown();
  ExpectLine(text, "| Entity | PK | SK | GSI1PK | GSI1SK | GSI2PK | GSI2SK | Notes |");
  ExpectLine(text,
             "| Customer | `CUSTOMER#<username>` | `CUSTOMER#<username>` | `EMAIL#<email>` | "
             "`CUSTOMER#<username>` | - | - |");
  ExpectLine(text,
             "| Order | `CUSTOMER#<username>` | `ORDER#<orderId>` | `ORDER#<orderId>` | "
             "`ORDER#<orderId>` | `STATUS#<Status>` | `<CreatedAt>` |");
}

TEST_F(Charts, ThePatternsSayWhetherThePrimaryKeyServesThem) {
  const std::string text = Markdown();
  ExpectLine(text, "| Entity | Access Pattern | Satisfied by PK? | Notes |");
  ExpectLine(text, "| Order | orders_of_customer | ✅ Yes |");
  ExpectLine(
      text,
      "| Order | order_by_id | ❌ No | GSI1: `GSI1PK = ORDER#<id> AND GSI1SK = ORDER#<id>` |");
  ExpectLine(text, "| recent | Query | GSI2 | `GSI2PK = STATUS#SHIPPED, DESC` |");
}

TEST_F(Charts, EachIndexHasAChartInAFileOfItsOwn) {
  const std::vector<DesignChart> files = EntityCharts(model_, plans_);
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[0].file_name, "entity-chart.md");
  EXPECT_EQ(files[1].file_name, "entity-chart-gsi1.md");
  EXPECT_EQ(files[2].file_name, "entity-chart-gsi2.md");
  ExpectLine(files[1].text, "| Entity | GSI1PK | GSI1SK | Access Pattern |");
  ExpectLine(files[1].text,
             "| Customer | `EMAIL#<email>` | `CUSTOMER#<username>` | customer_by_email |");
  EXPECT_EQ(files[2].text.find("Customer"), std::string::npos) << files[2].text;
}

TEST_F(Charts, ProjectionsFollowWhatThePatternsNeed) {
  const std::string text = Markdown();
  ExpectLine(text, "| GSI1 | ALL | ALL | a pattern needs whole items |");
  ExpectLine(text, "| GSI2 | ALL | INCLUDE Status, CreatedAt, Amount |");
}

TEST_F(Charts, StatesAndTheirMovesAreDrawn) {
  const std::vector<Diagram> diagrams = DiagramsOf(model_, plans_);
  ASSERT_EQ(diagrams.size(), 2U);
  EXPECT_EQ(diagrams[1].name, "order-states");
  const std::string& text = diagrams[1].mermaid;
  ExpectLine(text, "[*] --> s_open");
  ExpectLine(text, "s_open --> s_shipped: ship");
  ExpectLine(text, "s_shipped --> s_open: back");
  ExpectLine(text, "s_open --> s_open: note");
  ExpectLine(text, "s_delivered --> [*]");
}

// The states that StateGraph draws as final, of a machine with these moves and the states A, B (end) and C (end).
std::vector<std::string> FinalStates(const std::string& moves) {
  const auto parsed = ParseModel(R"(
model: 1
tables:
  t: {key: PK str}
entities:
  E:
    table: t
    attrs: {PK: str 10}
    machine: {attr: Status, initial: A, states: {A: "", B: end, C: end}, moves: {)" +
                                     moves + "}}\n",
                                 "m.yaml");
  if (!parsed) return {ProblemText("m.yaml", parsed.error()[0])};
  std::vector<std::string> names;
  for (const GraphNode& node : StateGraph(parsed->entities[0]).nodes) {
    if (node.shape == Shape::kFinal) names.push_back(node.lines[0]);
  }
  return names;
}

TEST(StateGraph, AStateThatAMoveLeavesIsNotFinal) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(FinalStates("go: A -> B|C"), (Names{"B", "C"}));
  EXPECT_EQ(FinalStates("go: A -> B|C, retry: B -> A"), Names{"C"});
  EXPECT_EQ(FinalStates("go: A -> B|C, note: B -> B"), (Names{"B", "C"}));
  EXPECT_EQ(FinalStates("go: A -> B, give_up: \"* -> C\""), Names{"C"});
}

}  // namespace chart_test
}  // namespace stator::model
