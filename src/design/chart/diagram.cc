#include "chart/diagram.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "chart/projection_choice.h"
#include "generate/identifiers.h"
#include "generate/table_shape.h"
#include "generate/text.h"
#include "model/plan/plan.h"

namespace stator::model {
namespace {

constexpr std::size_t kEntityLayer = 0;
constexpr std::size_t kStoreLayer = 1;
constexpr std::size_t kPatternLayer = 2;

std::string SchemaText(const std::vector<KeyElement>& schema) {
  std::string out;
  for (const KeyElement& element : schema) {
    if (!out.empty()) out += ", ";
    out += element.attribute.name + (element.sorts ? " ↑" : "");
  }
  return out;
}

GraphNode StoreNode(const Table& table, const Index* index) {
  GraphNode node;
  node.shape = Shape::kStore;
  node.layer = kStoreLayer;
  if (index == nullptr) {
    node.lines = {table.name, SchemaText(KeySchemaOf(table))};
    return node;
  }
  node.lines = {index->name, SchemaText(KeySchemaOf(table, *index)),
                ProjectionText(index->projection)};
  if (index->sparse) node.lines.emplace_back("sparse");
  if (index->shards) node.lines.push_back(std::to_string(index->shards->count) + " shards");
  return node;
}

// The keys that the entity gives these items, or nothing if it lacks one of them.
std::string KeysOf(const Entity& entity, const std::vector<KeyElement>& schema) {
  std::string out;
  for (const KeyElement& element : schema) {
    const std::string text = KeyText(entity, element.attribute.name);
    if (text.empty()) return "";
    out += (out.empty() ? "" : " / ") + text;
  }
  return out;
}

void AddMove(const Move& move, const Machine& machine,
             const std::map<std::string, std::size_t>& state_nodes, Graph& graph) {
  std::vector<std::string> from = move.from;
  if (from.empty()) {
    for (const State& state : machine.states) from.push_back(state.name);
  }
  for (const std::string& source : from) {
    for (const std::string& target : move.to) {
      const auto begin = state_nodes.find(source);
      const auto end = state_nodes.find(target);
      if (begin == state_nodes.end() || end == state_nodes.end()) continue;
      // Moves between the same states share an arrow.
      const auto same = std::ranges::find_if(graph.edges, [&](const GraphEdge& edge) {
        return edge.from == begin->second && edge.to == end->second;
      });
      if (same == graph.edges.end()) {
        graph.edges.push_back({begin->second, end->second, move.name});
      } else {
        same->label += ", " + move.name;
      }
    }
  }
}

// Inside quotes everything but these is text; Mermaid writes them as entities.
std::string Quoted(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "#quot;";
        break;
      case '#':
        out += "#35;";
        break;
      case '<':
        out += "#lt;";
        break;
      case '>':
        out += "#gt;";
        break;
      case '`':
        out += "#96;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

std::string NodeText(const GraphNode& node) {
  std::string text;
  for (const std::string& line : node.lines) text += (text.empty() ? "" : "<br/>") + Quoted(line);
  switch (node.shape) {
    case Shape::kRound:
      return "([\"" + text + "\"])";
    case Shape::kStore:
      return "[(\"" + text + "\")]";
    case Shape::kDot:
    case Shape::kFinal:
    case Shape::kBox:
      break;
  }
  return "[\"" + text + "\"]";
}

// Words of the language cannot name a state.
std::string StateId(std::string_view name, NameSet& ids) { return ids.Add("s_" + SnakeName(name)); }

// A label after a colon: what would end it or start a comment is left out.
std::string Label(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool harmless = static_cast<unsigned char>(c) >= 0x20 && c != ';' && c != ':' &&
                          c != '%' && c != '#' && c != '"';
    out += harmless ? c : ' ';
  }
  return out;
}

}  // namespace

Graph IndexGraph(const Model& model, const std::vector<Plan>& plans, const Table& table) {
  Graph graph;
  graph.title = table.name;
  std::map<const Index*, std::size_t> stores;
  const auto add_store = [&](const Index* index) {
    stores[index] = graph.nodes.size();
    graph.nodes.push_back(StoreNode(table, index));
  };
  add_store(nullptr);
  for (const Index& index : table.indexes) add_store(&index);

  for (const Entity* entity : model.EntitiesOf(table)) {
    const std::size_t node = graph.nodes.size();
    graph.nodes.push_back({{entity->name}, Shape::kRound, kEntityLayer});
    graph.edges.push_back({node, stores[nullptr], KeysOf(*entity, KeySchemaOf(table))});
    for (const Index& index : table.indexes) {
      const std::string keys = KeysOf(*entity, KeySchemaOf(table, index));
      if (!keys.empty()) graph.edges.push_back({node, stores[&index], keys});
    }
  }
  for (const Plan& plan : plans) {
    if (plan.table != &table || !IsRead(plan)) continue;
    const std::size_t node = graph.nodes.size();
    graph.nodes.push_back({{plan.pattern->name}, Shape::kBox, kPatternLayer});
    graph.edges.push_back({stores[plan.index], node, std::string(OperationName(plan.operation))});
  }
  return graph;
}

Graph StateGraph(const Entity& entity) {
  const Machine& machine = *entity.machine;
  Graph graph;
  graph.title = entity.name + "." + machine.attribute;
  std::map<std::string, std::size_t> state_nodes;
  graph.nodes.push_back({{""}, Shape::kDot, std::nullopt});
  for (const State& state : machine.states) {
    state_nodes.emplace(state.name, graph.nodes.size());
    graph.nodes.push_back({{state.name}, state.end ? Shape::kFinal : Shape::kRound, std::nullopt});
  }
  for (const std::string& initial : machine.initial) {
    if (const auto it = state_nodes.find(initial); it != state_nodes.end()) {
      graph.edges.push_back({0, it->second, ""});
    }
  }
  for (const Move& move : machine.moves) AddMove(move, machine, state_nodes, graph);
  for (const GraphEdge& edge : graph.edges) {
    Shape& shape = graph.nodes[edge.from].shape;
    if (edge.to != edge.from && shape == Shape::kFinal) shape = Shape::kRound;
  }
  return graph;
}

std::string MermaidFlowchart(const Graph& graph) {
  Lines out;
  out.Open("flowchart LR");
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    out.Add(fmt::format("n{}{}", n, NodeText(graph.nodes[n])));
  }
  for (const GraphEdge& edge : graph.edges) {
    out.Add(edge.label.empty()
                ? fmt::format("n{} --> n{}", edge.from, edge.to)
                : fmt::format("n{} -- \"{}\" --> n{}", edge.from, Quoted(edge.label), edge.to));
  }
  return out.Take();
}

std::string MermaidStates(const Entity& entity) {
  const Machine& machine = *entity.machine;
  NameSet ids;
  std::map<std::string, std::string> id_of;
  Lines out;
  out.Open("stateDiagram-v2");
  for (const State& state : machine.states) {
    const std::string id = StateId(state.name, ids);
    id_of[state.name] = id;
    out.Add(fmt::format("state \"{}\" as {}", Label(state.name), id));
  }
  const auto arrow = [&](const std::string& from, const std::string& to, const std::string& label) {
    out.Add(from + " --> " + to + (label.empty() ? "" : ": " + Label(label)));
  };
  for (const std::string& initial : machine.initial) {
    if (id_of.contains(initial)) arrow("[*]", id_of[initial], "");
  }
  const Graph graph = StateGraph(entity);
  for (const GraphEdge& edge : graph.edges) {
    if (edge.from == 0) continue;  // the dot before the initial states
    arrow(id_of[machine.states[edge.from - 1].name], id_of[machine.states[edge.to - 1].name],
          edge.label);
  }
  for (const GraphNode& node : graph.nodes) {
    if (node.shape == Shape::kFinal) arrow(id_of[node.lines[0]], "[*]", "");
  }
  return out.Take();
}

std::size_t TextColumns(std::string_view utf8) {
  return static_cast<std::size_t>(std::ranges::count_if(
      utf8, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace stator::model
