#include "chart/chart.h"

#include <gtest/gtest.h>

#include "chart/layout.h"
#include "chart/svg.h"
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
  std::string One(ChartFormat format) const { return DrawOneChart(model_, plans_, format); }
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
  const std::string text = One(ChartFormat::kMarkdown);
  ExpectLine(text, "| Entity | PK | SK | GSI1PK | GSI1SK | GSI2PK | GSI2SK | Notes |");
  ExpectLine(text,
             "| Customer | `CUSTOMER#<username>` | `CUSTOMER#<username>` | `EMAIL#<email>` | "
             "`CUSTOMER#<username>` | - | - |");
  ExpectLine(text,
             "| Order | `CUSTOMER#<username>` | `ORDER#<orderId>` | `ORDER#<orderId>` | "
             "`ORDER#<orderId>` | `STATUS#<Status>` | `<CreatedAt>` |");
}

TEST_F(Charts, ThePatternsSayWhetherThePrimaryKeyServesThem) {
  const std::string text = One(ChartFormat::kMarkdown);
  ExpectLine(text, "| Entity | Access Pattern | Satisfied by PK? | Notes |");
  ExpectLine(text, "| Order | orders_of_customer | ✅ Yes |");
  ExpectLine(
      text,
      "| Order | order_by_id | ❌ No | GSI1: `GSI1PK = ORDER#<id> AND GSI1SK = ORDER#<id>` |");
  ExpectLine(text, "| recent | Query | GSI2 | `GSI2PK = STATUS#SHIPPED, DESC` |");
}

TEST_F(Charts, EachIndexHasAChartInAFileOfItsOwn) {
  const std::vector<ChartFile> files = DrawCharts(model_, plans_, ChartFormat::kMarkdown);
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[0].name, "entity-chart.md");
  EXPECT_EQ(files[1].name, "entity-chart-gsi1.md");
  EXPECT_EQ(files[2].name, "entity-chart-gsi2.md");
  ExpectLine(files[1].text, "| Entity | GSI1PK | GSI1SK | Access Pattern |");
  ExpectLine(files[1].text,
             "| Customer | `EMAIL#<email>` | `CUSTOMER#<username>` | customer_by_email |");
  EXPECT_EQ(files[2].text.find("Customer"), std::string::npos) << files[2].text;
}

TEST_F(Charts, ProjectionsFollowWhatThePatternsNeed) {
  const std::string text = One(ChartFormat::kMarkdown);
  ExpectLine(text, "| GSI1 | ALL | ALL | a pattern needs whole items |");
  ExpectLine(text, "| GSI2 | ALL | INCLUDE Status, CreatedAt, Amount |");
}

TEST_F(Charts, StatesAndTheirMovesAreDrawn) {
  const std::string text = One(ChartFormat::kMermaid);
  ExpectLine(text, "[*] --> s_open");
  ExpectLine(text, "s_open --> s_shipped: ship");
  ExpectLine(text, "s_shipped --> s_open: back");
  ExpectLine(text, "s_open --> s_open: note");
  ExpectLine(text, "s_delivered --> [*]");
}

// Every tag is closed in order; a crude reading of XML that suffices for what is written here.
void ExpectWellFormed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at + 1)) {
    const std::size_t end = xml.find('>', at);
    ASSERT_NE(end, std::string::npos);
    const std::string tag = xml.substr(at + 1, end - at - 1);
    const std::string name = tag.substr(0, tag.find(' '));
    if (name.starts_with('/')) {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ("/" + open.back(), name);
      open.pop_back();
    } else if (!tag.ends_with('/')) {
      open.push_back(name);
    }
  }
  EXPECT_TRUE(open.empty());
}

TEST_F(Charts, SvgIsWellFormedWhateverTheNamesAre) {
  ExpectWellFormed(One(ChartFormat::kSvg));
  Graph graph;
  graph.title = "<&\"'>";
  graph.nodes = {{{"</text>", "&lt;"}, Shape::kBox, std::nullopt},
                 {{"a\nb\x01"}, Shape::kRound, std::nullopt}};
  graph.edges = {{0, 1, "<script>"}, {1, 0, "back"}, {1, 1, "self"}};
  const std::string svg = DrawSvg({graph});
  ExpectWellFormed(svg);
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_EQ(svg.find('\x01'), std::string::npos);
}

TEST(Layout, NodesNeverOverlapAndStayInside) {
  Graph graph;
  for (int i = 0; i < 30; ++i) {
    graph.nodes.push_back({{"node " + std::to_string(i)}, Shape::kBox, std::nullopt});
  }
  for (std::size_t i = 0; i < 90; ++i) graph.edges.push_back({i * 7 % 30, i * 11 % 30, "x"});
  const Layout layout = LayOut(graph);
  ASSERT_EQ(layout.nodes.size(), graph.nodes.size());
  ASSERT_EQ(layout.arrows.size(), graph.edges.size());
  for (std::size_t a = 0; a < layout.nodes.size(); ++a) {
    const Box& box = layout.nodes[a];
    EXPECT_GE(box.x, 0);
    EXPECT_GE(box.y, 0);
    EXPECT_LE(box.x + box.width, layout.width);
    EXPECT_LE(box.y + box.height, layout.height);
    for (std::size_t b = a + 1; b < layout.nodes.size(); ++b) {
      const Box& other = layout.nodes[b];
      const bool apart = box.x + box.width <= other.x || other.x + other.width <= box.x ||
                         box.y + box.height <= other.y || other.y + other.height <= box.y;
      EXPECT_TRUE(apart) << a << " and " << b;
    }
  }
}

TEST(Layout, ArrowsPointToTheRightUnlessTheyCloseACycle) {
  Graph graph;
  graph.nodes.assign(3, {{"n"}, Shape::kBox, std::nullopt});
  graph.edges = {{0, 1, ""}, {1, 2, ""}, {2, 0, ""}, {0, 2, ""}};
  const Layout layout = LayOut(graph);
  EXPECT_LT(layout.nodes[0].x, layout.nodes[1].x);
  EXPECT_LT(layout.nodes[1].x, layout.nodes[2].x);
  EXPECT_EQ(layout.arrows[3].points.size(), 3U);  // crosses the layer of node 1
  EXPECT_GT(layout.arrows[2].points[1].y, layout.nodes[2].y + layout.nodes[2].height);
}

TEST(Layout, AnEmptyGraphIsNoProblem) { EXPECT_TRUE(LayOut(Graph{}).nodes.empty()); }

}  // namespace chart_test
}  // namespace stator::model
