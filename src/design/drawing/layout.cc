#include "drawing/layout.h"

#include <fmt/format.h>
#include <gvc.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>
#include <string_view>

#include "base/check.h"

// The plugin that holds dot. Linking it, rather than loading it by Graphviz's configuration, gives the same
// layout on every machine: no plugin that measures text with the machine's fonts is loaded.
extern "C" gvplugin_library_t gvplugin_dot_layout_LTX_library;

namespace stator::model {
namespace {

constexpr double kPointsPerInch = 72;  // a pixel of ours is a point of Graphviz
constexpr std::size_t kLabelColumnsMax = 30;

// A label in lines of at most kLabelColumnsMax columns, broken where its parts are joined.
std::vector<std::string> LabelLines(std::string_view label) {
  std::vector<std::string> lines;
  std::size_t columns = 0;
  while (!label.empty()) {
    std::size_t end = std::min(label.find(", "), label.find(" / "));
    end = end == std::string_view::npos ? label.size() : label.find(' ', end + 1) + 1;
    const std::string_view part = label.substr(0, end);
    const std::size_t part_columns = TextColumns(part);
    if (lines.empty() || columns + part_columns > kLabelColumnsMax) {
      lines.emplace_back();
      columns = 0;
    }
    lines.back() += part;
    columns += part_columns;
    label.remove_prefix(part.size());
  }
  return lines;
}

std::size_t WidestColumns(const std::vector<std::string>& lines) {
  std::size_t columns = 0;
  for (const std::string& line : lines) columns = std::max(columns, TextColumns(line));
  return columns;
}

Box NodeSize(const GraphNode& node) {
  if (node.shape == Shape::kDot) return {.width = 14, .height = 14};
  // Graphviz rounds widths to whole points.
  return {
      .width = std::ceil(static_cast<double>(WidestColumns(node.lines)) * kNodeColumnWidth) + 24,
      .height = static_cast<double>(node.lines.size()) * kNodeLineHeight + 14};
}

// Graphviz takes strings that it promises not to change as char*.
char* Text(const char* text) { return const_cast<char*>(text); }

// Graphviz has global state: one graph at a time, whose layout is freed before the next begins.
class DotGraph {
 public:
  explicit DotGraph(const Graph& graph)
      : graph_(graph), dot_(agopen(Text("g"), Agdirected, nullptr)) {
    Set(AGRAPH, "rankdir", "LR");
    Set(AGRAPH, "nodesep", "0.3");
    Set(AGRAPH, "ranksep", "0.45");
    Set(AGNODE, "shape", "box");
    Set(AGNODE, "fixedsize", "true");
    Set(AGNODE, "label", "");
    Set(AGEDGE, "arrowsize", "0.8");
    Set(AGEDGE, "fontname", "Courier");
    Set(AGEDGE, "fontsize", "10.5");
    width_ = Set(AGNODE, "width", "1");
    height_ = Set(AGNODE, "height", "1");
    label_ = Set(AGEDGE, "label", "");
    AddNodes();
    AddEdges();
    STATOR_CHECK(gvLayout(Context(), dot_, "dot") == 0);
  }

  ~DotGraph() {
    gvFreeLayout(Context(), dot_);
    agclose(dot_);
  }

  DotGraph(const DotGraph&) = delete;
  DotGraph& operator=(const DotGraph&) = delete;

  Layout Read() {
    Layout layout;
    layout.width = GD_bb(dot_).UR.x;
    layout.height = GD_bb(dot_).UR.y;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const Box size = NodeSize(graph_.nodes[n]);
      layout.nodes.push_back(Around(ND_coord(nodes_[n]), size.width, size.height));
    }
    for (std::size_t e = 0; e < edges_.size(); ++e) layout.arrows.push_back(ReadArrow(e));
    return layout;
  }

 private:
  static GVC_t* Context() {
    static const std::array<lt_symlist_t, 2> plugins = {
        {{"gvplugin_dot_layout_LTX_library", &gvplugin_dot_layout_LTX_library},
         {nullptr, nullptr}}};
    static GVC_t* const context = [] {
      agseterr(AGMAX);  // what dot warns of, such as an edge without a curve, is handled here
      return gvContextPlugins(plugins.data(), /*demand_loading=*/0);
    }();
    return context;
  }

  Agsym_t* Set(int kind, const char* name, const char* value) {
    return agattr(dot_, kind, Text(name), Text(value));
  }

  void AddNodes() {
    std::map<std::size_t, Agraph_t*> layers;
    for (const GraphNode& node : graph_.nodes) {
      nodes_.push_back(agnode(dot_, nullptr, 1));
      const Box size = NodeSize(node);
      agxset(nodes_.back(), width_, fmt::format("{:.3f}", size.width / kPointsPerInch).data());
      agxset(nodes_.back(), height_, fmt::format("{:.3f}", size.height / kPointsPerInch).data());
      if (!node.layer) continue;
      Agraph_t*& layer = layers[*node.layer];
      if (layer == nullptr) {
        layer = agsubg(dot_, nullptr, 1);
        agsafeset(layer, Text("rank"), Text("same"), Text(""));
      }
      agsubnode(layer, nodes_.back(), 1);
    }
  }

  // In place of each label stands one of the same size.
  void AddEdges() {
    for (const GraphEdge& edge : graph_.edges) {
      edges_.push_back(agedge(dot_, nodes_[edge.from], nodes_[edge.to], nullptr, 1));
      labels_.push_back(LabelLines(edge.label));
      std::string stand_in;
      for (const std::string& line : labels_.back()) {
        stand_in += (stand_in.empty() ? "" : "\n") + std::string(TextColumns(line), 'm');
      }
      agxset(edges_.back(), label_, stand_in.data());
    }
  }

  // Graphviz counts upwards from the bottom.
  Point PointOf(const pointf& at) const { return {at.x, GD_bb(dot_).UR.y - at.y}; }

  Box Around(const pointf& middle, double width, double height) const {
    const Point at = PointOf(middle);
    return {at.x - width / 2, at.y - height / 2, width, height};
  }

  Arrow ReadArrow(std::size_t e) const {
    Arrow arrow;
    arrow.label.lines = labels_[e];
    if (const textlabel_t* label = ED_label(edges_[e]); label != nullptr) {
      arrow.label.box =
          Around(label->pos, static_cast<double>(WidestColumns(labels_[e])) * kLabelColumnWidth,
                 static_cast<double>(labels_[e].size()) * kLabelLineHeight);
    }
    const splines* const curves = ED_spl(edges_[e]);
    if (curves == nullptr || curves->size == 0) {
      arrow.curve = {PointOf(ND_coord(agtail(edges_[e])))};
      arrow.tip = PointOf(ND_coord(aghead(edges_[e])));
      return arrow;
    }
    const bezier& curve = curves->list[0];
    for (int i = 0; i < curve.size; ++i) arrow.curve.push_back(PointOf(curve.list[i]));
    arrow.tip = curve.eflag != 0 ? PointOf(curve.ep) : arrow.curve.back();
    return arrow;
  }

  const Graph& graph_;
  Agraph_t* dot_;
  Agsym_t* width_;
  Agsym_t* height_;
  Agsym_t* label_;
  std::vector<Agnode_t*> nodes_;
  std::vector<Agedge_t*> edges_;
  std::vector<std::vector<std::string>> labels_;
};

}  // namespace

Layout LayOut(const Graph& graph) {
  static std::mutex graphviz;
  const std::lock_guard lock(graphviz);
  return DotGraph(graph).Read();
}

}  // namespace stator::model
