#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/try.h"
#include "model/parse/fields.h"
#include "model/parse/quantity_text.h"
#include "model/parse/sections.h"

namespace stator::model {
namespace {

Read<std::vector<std::string>> StateNames(std::string_view text, std::string_view line) {
  std::vector<std::string> names;
  for (const std::string_view name : SplitText(text, '|')) {
    if (name.empty()) return std::unexpected(fmt::format("`{}` lacks the name of a state", line));
    names.emplace_back(name);
  }
  return names;
}

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
  const auto take = [&](const Node::Key& name, const Node& value) {
    if (FindVerb(name.text)) {
      problems.Add(name.place,
                   fmt::format("a move cannot be called `{}`, which every entity has", name.text));
    }
    auto move = ReadMove(value.text, machine.stamp);
    if (!move) {
      problems.Add(value.place, move.error());
      return;
    }
    move->name = name.text;
    move->place = value.place;
    machine.moves.push_back(*std::move(move));
  };
  ForEachText(problems, node, "moves", "`FROM -> TO`", take);
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

// Every state that `initial` and the moves name is one of `states`, or reported.
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

void ReadKeyTemplates(Problems& problems, const Node& node, Entity& entity) {
  const auto take = [&](const Node::Key& attribute, const Node& value) {
    auto key = ReadKeyTemplate(value.text);
    if (!key) {
      problems.Add(value.place, key.error());
      return;
    }
    key->attribute = attribute.text;
    key->place = value.place;
    entity.keys.push_back(*std::move(key));
  };
  ForEachText(problems, node, "keys", "a key template", take);
}

void ReadAttributes(Reading& reading, const Node& node, Entity& entity) {
  const auto take = [&](const Node::Key& name, const Node& value) {
    auto read = ReadAttribute(value.text, reading.types);
    if (!read) reading.problems.Add(value.place, read.error());
    Attribute attribute = std::move(read).value_or(Attribute{});
    attribute.name = name.text;
    attribute.place = name.place;
    entity.attributes.push_back(std::move(attribute));
  };
  ForEachText(reading.problems, node, "attrs", "the text of an attribute", take);
}

void ReadSkew(Problems& problems, const Node& node, Volume& volume) {
  ForEachText(problems, node, "skew", "a share", [&](const Node::Key& name, const Node& value) {
    const auto share = ReadShare(value.text);
    if (!share) {
      problems.Add(value.place, share.error());
    } else if (*share <= 0) {
      problems.Add(value.place, "the largest share is more than 0");
    } else {
      volume.skew.emplace(name.text, *share);
    }
  });
}

Volume ReadVolume(const Reading& reading, const Node& node) {
  const Fields fields(reading.problems, node, kVolumeFields);
  Volume volume{.place = node.place};
  volume.create = fields.RateOf("create", reading.model.assume);
  volume.update = fields.RateOf("update", reading.model.assume);
  volume.remove = fields.RateOf("remove", reading.model.assume);
  volume.total = fields.AmountOf("total");
  if (const Node* skew = fields.Find("skew")) ReadSkew(reading.problems, *skew, volume);
  const Node* per = fields.Find("per");
  if (per == nullptr || !CheckMap(reading.problems, *per, "per")) return volume;
  for (std::size_t i = 0; i < per->items.size(); ++i) {
    std::vector<std::string> attributes;
    for (const std::string_view name : SplitText(per->keys[i].text, '+')) {
      attributes.emplace_back(name);
    }
    const Node& value = per->items[i];
    if (!value.IsText()) {
      reading.problems.AddWrongKind(value, "per", "an amount");
      continue;
    }
    const auto amount = ReadAmount(value.text);
    if (!amount) reading.problems.Add(value.place, amount.error());
    volume.per.emplace_back(std::move(attributes), amount.value_or(Amount{}));
  }
  return volume;
}

// [callId] is one constraint on callId; [[tenant, email]] is one on the pair.
std::vector<std::vector<std::string>> ReadUnique(Problems& problems, const Node& node) {
  std::vector<std::vector<std::string>> unique;
  if (!node.IsList()) {
    for (std::string& name : ReadNameList(problems, node, "unique")) unique.push_back({name});
    return unique;
  }
  for (const Node& item : node.items) unique.push_back(ReadNameList(problems, item, "unique"));
  return unique;
}

Entity ReadEntity(Reading& reading, const Node::Key& name, const Node& node) {
  Problems& problems = reading.problems;
  const Fields fields(problems, node, kEntityFields);
  Entity entity{.name = name.text, .place = name.place};
  if (name.text.find('.') != std::string::npos) {
    problems.Add(name.place, fmt::format("the name of an entity has no dot: `{}`", name.text));
  }
  entity.table = fields.RequiredText("table");
  if (const Node* keys = fields.Find("keys")) ReadKeyTemplates(problems, *keys, entity);
  if (const Node* attrs = fields.Find("attrs")) ReadAttributes(reading, *attrs, entity);
  entity.item_bytes = fields.AmountOf("size");
  if (const Node* volume = fields.Find("volume")) entity.volume = ReadVolume(reading, *volume);
  if (const Node* unique = fields.Find("unique")) entity.unique = ReadUnique(problems, *unique);
  entity.version = fields.Text("version");
  entity.rekey = fields.Names("rekey");
  entity.ttl = fields.Text("ttl");
  entity.audit = fields.Duration("audit");
  if (const Node* machine = fields.Find("machine")) {
    entity.machine = ReadMachine(problems, *machine);
  }
  return entity;
}

}  // namespace

Read<State> ReadState(std::string_view text) {
  State state;
  for (std::string_view part : SplitText(text, ',')) {
    if (part == "end") {
      state.end = true;
    } else if (part.starts_with("dwell ")) {
      ASSIGN_OR_RETURN(state.dwell, ReadDuration(Trim(part.substr(6))));
    } else if (!part.empty()) {
      return std::unexpected(fmt::format("`{}` must be `end` or `dwell DURATION`", text));
    }
  }
  return state;
}

Read<Move> ReadMove(std::string_view text, std::string_view stamp) {
  Move move;
  const std::size_t arrow = text.find("->");
  if (arrow == std::string_view::npos) {
    return std::unexpected(fmt::format("`{}` must be `FROM -> TO`", text));
  }
  const std::string_view from = Trim(text.substr(0, arrow));
  if (from != "*") {
    ASSIGN_OR_RETURN(move.from, StateNames(from, text));
  }
  std::string_view rest = text.substr(arrow + 2);
  // A sign follows a space, so that the name of a state may contain a '-'.
  std::vector<std::string_view> words = SplitWords(rest);
  std::string to;
  for (const std::string_view word : words) {
    const bool sign = word.front() == '+' || word.front() == '-';
    if (!sign) {
      to += word;
    } else if (word.size() == 1) {
      return std::unexpected(fmt::format("`{}` has a sign without an attribute", text));
    } else if (word.front() == '+') {
      move.sets.emplace_back(word.substr(1));
    } else if (word.substr(1) == stamp) {
      move.stamps = false;
    } else {
      return std::unexpected(fmt::format("`{}`: only the stamp can be left out, and `{}` is not it",
                                         text, word.substr(1)));
    }
  }
  ASSIGN_OR_RETURN(move.to, StateNames(to, text));
  return move;
}

void ReadEntities(Reading& reading, const Node& node) {
  if (!CheckMap(reading.problems, node, "entities")) return;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    reading.model.entities.push_back(ReadEntity(reading, node.keys[i], node.items[i]));
  }
}

}  // namespace stator::model
