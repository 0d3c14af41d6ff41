#include "chart/svg.h"

#include <fmt/format.h>

#include <algorithm>

#include "chart/layout.h"
#include "generate/quote.h"

namespace stator::model {
namespace {

constexpr std::string_view kStyle =
    "text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#1c2733}"
    ".title{font-size:14px;font-weight:bold}"
    ".name{font-weight:bold}"
    ".label{font-size:10px;fill:#52606d;paint-order:stroke;stroke:#fff;stroke-width:4px}"
    ".entity{fill:#e8f1fb;stroke:#2f6fb0}"
    ".store{fill:#fdf3e1;stroke:#c27c0e}"
    ".box{fill:#eef5ea;stroke:#4b8b3b}"
    ".dot{fill:#1c2733}"
    ".arrow{fill:none;stroke:#7b8794;marker-end:url(#head)}";

std::string_view ClassOf(Shape shape) {
  switch (shape) {
    case Shape::kRound:
      return "entity";
    case Shape::kStore:
      return "store";
    case Shape::kDot:
      return "dot";
    case Shape::kBox:
      break;
  }
  return "box";
}

void DrawNode(const GraphNode& node, const Box& box, std::string& out) {
  if (node.shape == Shape::kDot) {
    out += fmt::format("<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"6\"/>\n",
                       box.x + box.width / 2, box.y + box.height / 2);
    return;
  }
  out += fmt::format(
      "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
      "rx=\"{}\"/>\n",
      ClassOf(node.shape), box.x, box.y, box.width, box.height,
      node.shape == Shape::kRound ? 12 : 3);
  double y = box.y + kLineHeight + 3;
  for (std::size_t i = 0; i < node.lines.size(); ++i, y += kLineHeight) {
    out += fmt::format("<text{} x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                       i == 0 ? " class=\"name\"" : "", box.x + box.width / 2, y,
                       XmlText(node.lines[i]));
  }
}

std::string PathText(const Arrow& arrow) {
  std::string out = fmt::format("M{:.1f} {:.1f}", arrow.points[0].x, arrow.points[0].y);
  for (std::size_t i = 1; i < arrow.points.size(); ++i) {
    const Point& a = arrow.points[i - 1];
    const Point& b = arrow.points[i];
    const double middle = (a.x + b.x) / 2;
    out += arrow.straight ? fmt::format(" L{:.1f} {:.1f}", b.x, b.y)
                          : fmt::format(" C{0:.1f} {1:.1f} {0:.1f} {3:.1f} {2:.1f} {3:.1f}", middle,
                                        a.y, b.x, b.y);
  }
  return out;
}

void DrawArrow(const GraphEdge& edge, const Arrow& arrow, std::string& out) {
  out += fmt::format("<path class=\"arrow\" d=\"{}\"/>\n", PathText(arrow));
  if (edge.label.empty()) return;
  out += fmt::format(
      "<text class=\"label\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
      arrow.label.x, arrow.label.y - 4, XmlText(edge.label));
}

void DrawGraph(const Graph& graph, const Layout& layout, double top, std::string& out) {
  out += fmt::format("<g transform=\"translate(0 {:.1f})\">\n", top);
  out += fmt::format("<text class=\"title\" x=\"20\" y=\"20\">{}</text>\n", XmlText(graph.title));
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    DrawArrow(graph.edges[e], layout.arrows[e], out);
  }
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    DrawNode(graph.nodes[n], layout.nodes[n], out);
  }
  out += "</g>\n";
}

}  // namespace

std::string DrawSvg(const std::vector<Graph>& graphs) {
  std::string body;
  double width = 40;
  double height = 0;
  std::string title;
  for (const Graph& graph : graphs) {
    const Layout layout = LayOut(graph);
    DrawGraph(graph, layout, height, body);
    width = std::max(width, layout.width);
    height += layout.height;
    title += (title.empty() ? "" : ", ") + graph.title;
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\">\n<title>{2}</title>\n<style>{3}</style>\n"
      "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" "
      "markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#7b8794\"/></marker>"
      "</defs>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{4}</svg>\n",
      width, height, XmlText(title), kStyle, body);
}

}  // namespace stator::model
