#include "drawing/svg.h"

#include <gtest/gtest.h>

#include <thread>

#include "drawing/layout.h"

namespace stator::model {
namespace svg_test {

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

TEST(Svg, IsWellFormedWhateverTheNamesAre) {
  Graph graph;
  graph.title = "<&\"'>";
  graph.nodes = {{{"</text>", "&lt;"}, Shape::kBox, std::nullopt},
                 {{"a\nb\x01"}, Shape::kRound, std::nullopt}};
  graph.edges = {{0, 1, "<script>"}, {1, 0, "back"}, {1, 1, "self"}};
  const std::string svg = DrawSvg({graph, Graph{}});
  ExpectWellFormed(svg);
  EXPECT_EQ(svg, DrawSvg({graph, Graph{}}));
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_EQ(svg.find('\x01'), std::string::npos);
}

TEST(Layout, NodesAndLabelsNeverOverlapAndStayInside) {
  Graph graph;
  for (int i = 0; i < 30; ++i) {
    graph.nodes.push_back({{"node " + std::to_string(i)}, Shape::kBox, std::nullopt});
  }
  for (std::size_t i = 0; i < 60; ++i) {
    graph.edges.push_back({i * 7 % 30, i * 11 % 30, i % 3 == 0 ? "x" : "a long one, and another"});
  }
  const Layout layout = LayOut(graph);
  ASSERT_EQ(layout.nodes.size(), graph.nodes.size());
  ASSERT_EQ(layout.arrows.size(), graph.edges.size());
  std::vector<Box> boxes = layout.nodes;
  for (const Arrow& arrow : layout.arrows) boxes.push_back(arrow.label.box);
  for (std::size_t a = 0; a < boxes.size(); ++a) {
    const Box& box = boxes[a];
    EXPECT_GE(box.x, 0);
    EXPECT_GE(box.y, 0);
    EXPECT_LE(box.x + box.width, layout.width);
    EXPECT_LE(box.y + box.height, layout.height);
    for (std::size_t b = a + 1; b < boxes.size(); ++b) {
      const Box& other = boxes[b];
      const bool apart = box.x + box.width <= other.x || other.x + other.width <= box.x ||
                         box.y + box.height <= other.y || other.y + other.height <= box.y;
      EXPECT_TRUE(apart) << a << " and " << b;
    }
  }
}

TEST(Layout, LongLabelsAreBrokenWhereTheirPartsAreJoined) {
  Graph graph;
  graph.nodes.assign(2, {{"n"}, Shape::kBox, std::nullopt});
  graph.edges = {{0, 1, "CUSTOMER#<customerId> / ORDER#<createdAt>#<orderId>"}, {0, 1, "a, b"}};
  const Layout layout = LayOut(graph);
  EXPECT_EQ(layout.arrows[0].label.lines,
            (std::vector<std::string>{"CUSTOMER#<customerId> / ", "ORDER#<createdAt>#<orderId>"}));
  EXPECT_EQ(layout.arrows[1].label.lines, std::vector<std::string>{"a, b"});
}

TEST(Layout, ThreadsMayDrawAtTheSameTime) {
  Graph graph;
  graph.nodes.assign(6, {{"n"}, Shape::kBox, std::nullopt});
  for (std::size_t i = 0; i < 12; ++i) graph.edges.push_back({i % 6, i * 5 % 6, "x"});
  const std::string expected = DrawSvg({graph});
  std::vector<std::string> drawn(4);
  {
    std::vector<std::jthread> threads;
    for (std::string& svg : drawn) threads.emplace_back([&] { svg = DrawSvg({graph}); });
  }
  for (const std::string& svg : drawn) EXPECT_EQ(svg, expected);
}

TEST(Layout, ArrowsPointToTheRightUnlessTheyCloseACycle) {
  Graph graph;
  graph.nodes.assign(3, {{"n"}, Shape::kBox, std::nullopt});
  graph.edges = {{0, 1, ""}, {1, 2, ""}, {2, 0, ""}, {0, 2, ""}};
  const Layout layout = LayOut(graph);
  EXPECT_LT(layout.nodes[0].x, layout.nodes[1].x);
  EXPECT_LT(layout.nodes[1].x, layout.nodes[2].x);
}

TEST(Layout, AnEmptyGraphIsNoProblem) { EXPECT_TRUE(LayOut(Graph{}).nodes.empty()); }

}  // namespace svg_test
}  // namespace stator::model
