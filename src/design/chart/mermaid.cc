#include "chart/mermaid.h"

#include <fmt/format.h>

#include <map>

#include "generate/identifiers.h"
#include "generate/lines.h"

namespace stator::model {
namespace {

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
  for (const GraphEdge& edge : StateGraph(entity).edges) {
    if (edge.from == 0) continue;  // the dot before the initial states
    arrow(id_of[machine.states[edge.from - 1].name], id_of[machine.states[edge.to - 1].name],
          edge.label);
  }
  for (const State& state : machine.states) {
    if (state.end) arrow(id_of[state.name], "[*]", "");
  }
  return out.Take();
}

}  // namespace stator::model
