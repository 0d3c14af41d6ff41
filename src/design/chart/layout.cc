// The method of Sugiyama: break cycles, put nodes into layers, give long arrows a place in each layer
// that they cross, order each layer by the places of its neighbours, then count coordinates.
#include "chart/layout.h"

#include <algorithm>

#include "chart/markdown_table.h"

namespace stator::model {
namespace {

constexpr double kMargin = 20;
constexpr double kRowGap = 22;
constexpr double kMinLayerGap = 60;
constexpr int kSweeps = 8;

// A node, or the spot where a long arrow crosses a layer.
struct Spot {
  std::size_t layer = 0;
  double width = 0;
  double height = 0;
  double x = 0;
  double y = 0;
  std::vector<std::size_t> before;  // neighbours in the layer before
  std::vector<std::size_t> after;
};

class Layouter {
 public:
  explicit Layouter(const Graph& graph) : graph_(graph) {}

  Layout Run() {
    FindBackEdges();
    MakePlaces();
    RouteEdges();
    OrderLayers();
    SetCoordinates();
    return Collect();
  }

 private:
  // Edges to a node that is still being visited, in a depth-first walk without recursion.
  void FindBackEdges() {
    back_.assign(graph_.edges.size(), false);
    std::vector<std::vector<std::size_t>> out(graph_.nodes.size());
    for (std::size_t e = 0; e < graph_.edges.size(); ++e) out[graph_.edges[e].from].push_back(e);
    enum class Mark : std::uint8_t { kNew, kOpen, kDone };
    std::vector<Mark> marks(graph_.nodes.size(), Mark::kNew);
    for (std::size_t start = 0; start < graph_.nodes.size(); ++start) {
      if (marks[start] != Mark::kNew) continue;
      std::vector<std::pair<std::size_t, std::size_t>> path = {{start, 0}};
      marks[start] = Mark::kOpen;
      while (!path.empty()) {
        auto& [node, next] = path.back();
        if (next == out[node].size()) {
          marks[node] = Mark::kDone;
          path.pop_back();
          continue;
        }
        const std::size_t e = out[node][next++];
        const std::size_t to = graph_.edges[e].to;
        if (marks[to] == Mark::kOpen) back_[e] = true;
        if (marks[to] == Mark::kNew) {
          marks[to] = Mark::kOpen;
          path.emplace_back(to, 0);
        }
      }
    }
  }

  // The layer of a node is the length of the longest way to it.
  std::vector<std::size_t> Layers() const {
    std::vector<std::size_t> layers(graph_.nodes.size(), 0);
    for (std::size_t round = 0; round < graph_.nodes.size(); ++round) {
      bool changed = false;
      for (std::size_t e = 0; e < graph_.edges.size(); ++e) {
        const GraphEdge& edge = graph_.edges[e];
        if (back_[e] || layers[edge.to] > layers[edge.from]) continue;
        layers[edge.to] = layers[edge.from] + 1;
        changed = true;
      }
      if (!changed) break;
    }
    for (std::size_t n = 0; n < layers.size(); ++n) {
      layers[n] = graph_.nodes[n].layer.value_or(layers[n]);
    }
    return layers;
  }

  void MakePlaces() {
    const std::vector<std::size_t> layers = Layers();
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      const GraphNode& node = graph_.nodes[n];
      Spot place;
      place.layer = layers[n];
      if (node.shape == Shape::kDot) {
        place.width = place.height = 14;
      } else {
        std::size_t columns = 0;
        for (const std::string& line : node.lines) columns = std::max(columns, TextColumns(line));
        place.width = static_cast<double>(columns) * kCharWidth + 24;
        place.height = static_cast<double>(node.lines.size()) * kLineHeight + 14;
      }
      AddPlace(place);
    }
  }

  std::size_t AddPlace(Spot place) {
    if (order_.size() <= place.layer) order_.resize(place.layer + 1);
    order_[place.layer].push_back(places_.size());
    places_.push_back(std::move(place));
    return places_.size() - 1;
  }

  void Join(std::size_t from, std::size_t to) {
    places_[from].after.push_back(to);
    places_[to].before.push_back(from);
  }

  void RouteEdges() {
    routes_.resize(graph_.edges.size());
    for (std::size_t e = 0; e < graph_.edges.size(); ++e) {
      const GraphEdge& edge = graph_.edges[e];
      const std::size_t first = places_[edge.from].layer;
      const std::size_t last = places_[edge.to].layer;
      if (last <= first) continue;  // drawn below
      std::size_t at = edge.from;
      for (std::size_t layer = first + 1; layer < last; ++layer) {
        Spot crossing;
        crossing.layer = layer;
        crossing.height = 4;
        const std::size_t bend = AddPlace(std::move(crossing));
        routes_[e].push_back(bend);
        Join(at, bend);
        at = bend;
      }
      Join(at, edge.to);
    }
  }

  // Puts each place near the mean of its neighbours on one side.
  void SortLayer(std::vector<std::size_t>& layer, bool by_before) {
    const std::vector<std::size_t> old = layer;
    std::vector<std::pair<double, std::size_t>> keys;  // the mean, and where it stood before
    for (std::size_t i = 0; i < old.size(); ++i) {
      const Spot& place = places_[old[i]];
      const std::vector<std::size_t>& near = by_before ? place.before : place.after;
      double sum = 0;
      for (const std::size_t other : near) sum += rank_[other];
      keys.emplace_back(near.empty() ? rank_[old[i]] : sum / static_cast<double>(near.size()), i);
    }
    std::ranges::sort(keys);
    for (std::size_t i = 0; i < layer.size(); ++i) layer[i] = old[keys[i].second];
    Rank(layer);
  }

  void Rank(const std::vector<std::size_t>& layer) {
    for (std::size_t i = 0; i < layer.size(); ++i) {
      rank_[layer[i]] = (static_cast<double>(i) + 0.5) / static_cast<double>(layer.size());
    }
  }

  void OrderLayers() {
    rank_.assign(places_.size(), 0);
    for (const auto& layer : order_) Rank(layer);
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      for (std::size_t i = 1; i < order_.size(); ++i) SortLayer(order_[i], true);
      for (std::size_t i = order_.size(); i-- > 0;) SortLayer(order_[i], false);
    }
  }

  // Room for the labels of the arrows that leave a layer.
  double GapAfter(std::size_t layer) const {
    std::size_t columns = 0;
    for (const GraphEdge& edge : graph_.edges) {
      const std::size_t from = places_[edge.from].layer;
      if (from == layer && places_[edge.to].layer > from) {
        columns = std::max(columns, TextColumns(edge.label));
      }
    }
    return std::max(kMinLayerGap, static_cast<double>(columns) * kCharWidth * 0.85 + 40);
  }

  void SetCoordinates() {
    std::vector<double> heights;
    for (const auto& layer : order_) {
      double height = 0;
      for (const std::size_t p : layer) height += places_[p].height + kRowGap;
      heights.push_back(std::max(0.0, height - kRowGap));
    }
    const double tallest = heights.empty() ? 0 : std::ranges::max(heights);
    double x = kMargin;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      double width = 0;
      for (const std::size_t p : order_[i]) width = std::max(width, places_[p].width);
      double y = kMargin + kLineHeight + (tallest - heights[i]) / 2;
      for (const std::size_t p : order_[i]) {
        places_[p].x = x + (width - places_[p].width) / 2;
        places_[p].y = y;
        y += places_[p].height + kRowGap;
      }
      x += width + (i + 1 < order_.size() ? GapAfter(i) : 0);
    }
    width_ = x + kMargin;
    bottom_ = kMargin + kLineHeight + tallest;
  }

  Arrow ForwardArrow(std::size_t e) const {
    const Spot& from = places_[graph_.edges[e].from];
    const Spot& to = places_[graph_.edges[e].to];
    Arrow arrow;
    arrow.points = {{from.x + from.width, from.y + from.height / 2}};
    for (const std::size_t bend : routes_[e]) {
      arrow.points.push_back({places_[bend].x, places_[bend].y + places_[bend].height / 2});
    }
    arrow.points.push_back({to.x, to.y + to.height / 2});
    arrow.label = Middle(arrow.points[0], arrow.points[1]);
    return arrow;
  }

  static Point Middle(const Point& a, const Point& b) { return {(a.x + b.x) / 2, (a.y + b.y) / 2}; }

  // True if something stands below the place, so that an arrow cannot leave it there.
  bool IsCovered(std::size_t p) const { return order_[places_[p].layer].back() != p; }

  // Down, along the bottom and up again; beside the node where others stand below it.
  Arrow BackwardArrow(std::size_t e, double level) const {
    constexpr double kAside = 14;
    const GraphEdge& edge = graph_.edges[e];
    const Spot& from = places_[edge.from];
    const Spot& to = places_[edge.to];
    const double shift = edge.from == edge.to ? from.width / 4 : 0;
    Arrow arrow;
    arrow.straight = true;
    if (IsCovered(edge.from)) {
      const double x = from.x + from.width;
      const double y = from.y + from.height * 0.75;
      arrow.points = {{x, y}, {x + kAside, y}, {x + kAside, level}};
    } else {
      const double x = from.x + from.width / 2 + shift;
      arrow.points = {{x, from.y + from.height}, {x, level}};
    }
    const Point corner = arrow.points.back();
    if (IsCovered(edge.to)) {
      const double y = to.y + to.height * 0.75;
      arrow.points.insert(arrow.points.end(),
                          {{to.x - kAside, level}, {to.x - kAside, y}, {to.x, y}});
      arrow.label = Middle(corner, {to.x - kAside, level});
    } else {
      const double x = to.x + to.width / 2 - shift;
      arrow.points.insert(arrow.points.end(), {{x, level}, {x, to.y + to.height}});
      arrow.label = Middle(corner, {x, level});
    }
    return arrow;
  }

  Layout Collect() const {
    Layout layout;
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      const Spot& place = places_[n];
      layout.nodes.push_back({place.x, place.y, place.width, place.height});
    }
    double level = bottom_;
    for (std::size_t e = 0; e < graph_.edges.size(); ++e) {
      const GraphEdge& edge = graph_.edges[e];
      if (places_[edge.to].layer > places_[edge.from].layer) {
        layout.arrows.push_back(ForwardArrow(e));
      } else {
        level += kRowGap;
        layout.arrows.push_back(BackwardArrow(e, level));
      }
    }
    const double title =
        static_cast<double>(TextColumns(graph_.title)) * kCharWidth * 1.1 + 2 * kMargin;
    layout.width = std::max(width_, title);
    layout.height = level + kMargin;
    return layout;
  }

  const Graph& graph_;
  std::vector<bool> back_;
  std::vector<Spot> places_;
  std::vector<std::vector<std::size_t>> order_;   // places of each layer, from above
  std::vector<std::vector<std::size_t>> routes_;  // places that each edge crosses
  std::vector<double> rank_;
  double width_ = 0;
  double bottom_ = 0;
};

}  // namespace

Layout LayOut(const Graph& graph) { return Layouter(graph).Run(); }

}  // namespace stator::model
