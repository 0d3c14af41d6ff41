#include "drawing/svg.h"

#include <fmt/format.h>

#include <algorithm>

#include "drawing/layout.h"
#include "generate/text.h"

namespace stator::model {
namespace {

constexpr double kMargin = 20;
constexpr double kTitleHeight = 24;
constexpr double kTitleColumnWidth = 8.5;
constexpr double kLabelLift = 2;  // so that a label does not touch its arrow

constexpr std::string_view kStyle =
    "text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#1c2733}"
    ".title{font-size:14px;font-weight:bold}"
    ".name{font-weight:bold}"
    ".label{font-size:10px;fill:#52606d;paint-order:stroke;stroke:#fff;stroke-width:3px}"
    ".entity{fill:#e8f1fb;stroke:#2f6fb0}"
    ".store{fill:#fdf3e1;stroke:#c27c0e}"
    ".box{fill:#eef5ea;stroke:#4b8b3b}"
    ".final{fill:#eef5ea;stroke:#4b8b3b}"
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
    case Shape::kFinal:
      return "final";
    case Shape::kBox:
      break;
  }
  return "box";
}

// Lines of text in the middle of a box, with the CSS class of the first line and that of the others.
void DrawLines(const std::vector<std::string>& lines, const Box& box, double line_height,
               std::string_view first_class, std::string_view other_class, std::string& out) {
  const double height = static_cast<double>(lines.size()) * line_height;
  double y = box.y + (box.height - height) / 2 + line_height * 0.75;
  for (std::size_t i = 0; i < lines.size(); ++i, y += line_height) {
    const std::string_view name = i == 0 ? first_class : other_class;
    out += fmt::format("<text{} x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                       name.empty() ? "" : fmt::format(" class=\"{}\"", name),
                       box.x + box.width / 2, y, XmlText(lines[i]));
  }
}

void DrawNode(const GraphNode& node, const Box& box, std::string& out) {
  if (node.shape == Shape::kDot) {
    out += fmt::format("<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"6\"/>\n",
                       box.x + box.width / 2, box.y + box.height / 2);
    return;
  }
  const auto frame = [&](double inset) {
    const bool round = node.shape == Shape::kRound || node.shape == Shape::kFinal;
    out += fmt::format(
        "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
        "rx=\"{:g}\"/>\n",
        ClassOf(node.shape), box.x + inset, box.y + inset, box.width - 2 * inset,
        box.height - 2 * inset, (round ? 12 : 3) - inset);
  };
  frame(0);
  if (node.shape == Shape::kFinal) frame(3);
  DrawLines(node.lines, box, kNodeLineHeight, "name", "", out);
}

void DrawArrow(const Arrow& arrow, std::string& out) {
  std::string path = fmt::format("M{:.1f} {:.1f}", arrow.curve[0].x, arrow.curve[0].y);
  for (std::size_t i = 1; i + 2 < arrow.curve.size(); i += 3) {
    path += fmt::format(" C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", arrow.curve[i].x,
                        arrow.curve[i].y, arrow.curve[i + 1].x, arrow.curve[i + 1].y,
                        arrow.curve[i + 2].x, arrow.curve[i + 2].y);
  }
  out += fmt::format("<path class=\"arrow\" d=\"{} L{:.1f} {:.1f}\"/>\n", path, arrow.tip.x,
                     arrow.tip.y);
}

void DrawGraph(const Graph& graph, const Layout& layout, double top, std::string& out) {
  out += fmt::format("<g transform=\"translate({:g} {:.1f})\">\n", kMargin, top);
  out += fmt::format("<text class=\"title\" x=\"0\" y=\"0\">{}</text>\n", XmlText(graph.title));
  out += fmt::format("<g transform=\"translate(0 {:g})\">\n", kTitleHeight);
  for (const Arrow& arrow : layout.arrows) DrawArrow(arrow, out);
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    DrawNode(graph.nodes[n], layout.nodes[n], out);
  }
  for (const Arrow& arrow : layout.arrows) {
    Box box = arrow.label.box;
    box.y -= kLabelLift;
    DrawLines(arrow.label.lines, box, kLabelLineHeight, "label", "label", out);
  }
  out += "</g>\n</g>\n";
}

}  // namespace

std::string DrawSvg(const std::vector<Graph>& graphs) {
  std::string body;
  std::string title;
  double width = 0;
  double height = kMargin;
  for (const Graph& graph : graphs) {
    const Layout layout = LayOut(graph);
    DrawGraph(graph, layout, height, body);
    width = std::max(
        {width, layout.width, static_cast<double>(TextColumns(graph.title)) * kTitleColumnWidth});
    height += kTitleHeight + layout.height + 2 * kMargin;
    title += (title.empty() ? "" : ", ") + graph.title;
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\">\n<title>{2}</title>\n<style>{3}</style>\n"
      "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" "
      "markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#7b8794\"/></marker>"
      "</defs>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{4}</svg>\n",
      width + 2 * kMargin, height, XmlText(title), kStyle, body);
}

}  // namespace stator::model
