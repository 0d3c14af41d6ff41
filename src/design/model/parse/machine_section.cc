#include "model/parse/machine_section.h"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/parse/fields.h"
#include "model/parse/machine_text.h"
#include "model/parse/write_verbs.h"

namespace stator::model {
namespace {

void ReadStates(Problems& problems, const Node& node, Machine& machine) {
  if (node.IsList()) {
    for (std::string& name : ReadNameList(problems, node, "states")) {
      machine.states.push_back({.name = std::move(name), .place = node.place});
    }
    return;
  }
  if (!CheckMap(problems, node, "states")) return;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Node& value = node.items[i];
    if (!value.IsText() && value.kind != Node::Kind::kNothing) {
      problems.AddWrongKind(value, node.keys[i].text, "`end` or `dwell DURATION`");
    }
    auto state = ReadState(value.text);
    if (!state) problems.Add(value.place, state.error());
    machine.states.push_back(std::move(state).value_or(State{}));
    machine.states.back().name = node.keys[i].text;
    machine.states.back().place = node.keys[i].place;
  }
}

void ReadMoves(Problems& problems, const Node& node, Machine& machine) {
  if (!CheckMap(problems, node, "moves")) return;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Node& value = node.items[i];
    if (!value.IsText()) {
      problems.AddWrongKind(value, node.keys[i].text, "`FROM -> TO`");
      continue;
    }
    if (FindVerb(node.keys[i].text)) {
      problems.Add(
          node.keys[i].place,
          fmt::format("a move cannot be called `{}`, which every entity has", node.keys[i].text));
    }
    auto move = ReadMove(value.text, machine.stamp);
    if (!move) {
      problems.Add(value.place, move.error());
      continue;
    }
    move->name = node.keys[i].text;
    move->place = value.place;
    machine.moves.push_back(*std::move(move));
  }
}

void CheckStates(Problems& problems, const Machine& machine, Place place,
                 const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (machine.FindState(name) != nullptr) continue;
    std::vector<std::string_view> valid;
    for (const State& state : machine.states) valid.push_back(state.name);
    problems.AddUnknown(place, "state", name, valid);
  }
}

}  // namespace

Machine ReadMachine(Problems& problems, const Node& node) {
  const Fields fields(problems, node, kMachineFields);
  Machine machine{.place = node.place};
  machine.attribute = fields.RequiredText("attr");
  machine.initial = fields.Names("initial");
  machine.stamp = fields.Text("stamp");
  if (const Node* states = fields.Find("states")) ReadStates(problems, *states, machine);
  if (const Node* moves = fields.Find("moves")) ReadMoves(problems, *moves, machine);
  if (machine.states.empty() && node.IsMap()) {
    problems.Add(node.place, "machine lacks `states`");
    return machine;
  }
  CheckStates(problems, machine, fields.PlaceOf("initial"), machine.initial);
  for (const Move& move : machine.moves) {
    CheckStates(problems, machine, move.place, move.from);
    CheckStates(problems, machine, move.place, move.to);
  }
  return machine;
}

}  // namespace stator::model
