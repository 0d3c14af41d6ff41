// ST: can every item reach an end, by moves that look at the state before?
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "model/keys/truth.h"
#include "model/names.h"
#include "model/plan/request_code.h"
#include "rules/checks.h"

namespace stator::model {

// ---- ST01, ST04: what moves look at, and what they leave behind

namespace {

bool SetsState(const Pattern& pattern, const Machine& machine) {
  return pattern.write.kind == WriteKind::kUpdate &&
         Contains(pattern.write.sets, machine.attribute);
}

// A put replaces the item, its state included, whatever that was. What is new is in its first state.
bool PutsOverAnyState(const Pattern& pattern) {
  const WriteDetail& write = pattern.write;
  if (write.kind != WriteKind::kPut) return false;
  if (std::ranges::any_of(pattern.code, [](const Code& code) { return !code.condition.empty(); })) {
    return false;
  }
  return write.guard == Guard::kUnsaid || write.guard == Guard::kNone ||
         write.guard == Guard::kExists;
}

void CheckWrites(const Subject& subject, const Entity& entity, Findings& findings) {
  const Machine& machine = *entity.machine;
  for (const Pattern& pattern : subject.model.patterns) {
    if (pattern.kind != PatternKind::kWrite || pattern.entity != entity.name) continue;
    if (pattern.write.kind == WriteKind::kMove && pattern.write.guard == Guard::kNone) {
      const Move* move = machine.FindMove(pattern.write.move);
      if (move == nullptr || move->from.empty()) continue;
      findings.Add(pattern.name, pattern.place,
                   fmt::format("{} is made without a condition: an item that is not {} moves too",
                               move->name, List(move->from)),
                   fmt::format("condition on {} = {}: leave `guard` out", machine.attribute,
                               List(move->from)));
    } else if (SetsState(pattern, machine) && pattern.write.guard != Guard::kCondition) {
      findings.Add(pattern.name, pattern.place,
                   fmt::format("sets {} outside the machine, from any state", machine.attribute),
                   fmt::format("write {} by one of its moves", entity.name));
    } else if (PutsOverAnyState(pattern)) {
      findings.Add(pattern.name, pattern.place,
                   fmt::format("puts {} over what is there, from any {} to any", entity.name,
                               machine.attribute),
                   fmt::format("write: {}.create, which must be new; or guard: version, or a "
                               "condition on {}",
                               entity.name, machine.attribute));
    }
  }
}

// The code of a move writes other attributes but not the stamp.
bool CodeOmits(const Pattern& pattern, const std::string& stamp) {
  const std::vector<std::string> written = WrittenByCode(pattern);
  return !written.empty() && !Contains(written, stamp);
}

}  // namespace

void CheckMoveWithoutSource(const Subject& subject, Findings& findings) {
  for (const Entity& entity : subject.model.entities) {
    if (!entity.machine) continue;
    for (const Move& move : entity.machine->moves) {
      if (!move.from.empty()) continue;
      findings.Add(
          entity.name + "." + move.name, move.place,
          fmt::format("{} goes to {} without a look at the state before", move.name, List(move.to)),
          fmt::format("name the states it may leave: {}: a|b -> {}", move.name, List(move.to)));
    }
    CheckWrites(subject, entity, findings);
  }
}

void CheckMoveWithoutStamp(const Subject& subject, Findings& findings) {
  for (const Entity& entity : subject.model.entities) {
    if (!entity.machine || entity.machine->stamp.empty()) continue;
    const std::string& stamp = entity.machine->stamp;
    for (const Move& move : entity.machine->moves) {
      if (move.stamps) continue;
      findings.Add(entity.name + "." + move.name, move.place,
                   fmt::format("{} leaves {} as it was, so whoever asks since when the item is {} "
                               "gets the time of an earlier move",
                               move.name, stamp, List(move.to)),
                   fmt::format("leave out `-{}`", stamp));
    }
    for (const Pattern& pattern : subject.model.patterns) {
      if (pattern.entity != entity.name || pattern.write.kind != WriteKind::kMove) continue;
      if (!CodeOmits(pattern, stamp)) continue;
      findings.Add(pattern.name, pattern.place,
                   fmt::format("the code of {} does not set {}", pattern.write.move, stamp),
                   fmt::format("SET …, {} = :now", stamp));
    }
  }
}

// ---- ST02, ST03: the graph of states and moves

namespace {

bool Leaves(const Move& move, const std::string& state) {
  return move.from.empty() || Contains(move.from, state);
}

bool IsEnd(const Machine& machine, const std::string& name) {
  const State* state = machine.FindState(name);
  return state != nullptr && state->end;
}

// The states that items in this state can go to, itself left out.
std::set<std::string> ExitsOf(const Machine& machine, const std::string& state) {
  std::set<std::string> exits;
  for (const Move& move : machine.moves) {
    if (Leaves(move, state)) exits.insert(move.to.begin(), move.to.end());
  }
  exits.erase(state);
  return exits;
}

// States that can be reached from these, themselves included.
std::set<std::string> ReachableFrom(const Machine& machine, std::vector<std::string> open) {
  std::set<std::string> reached(open.begin(), open.end());
  while (!open.empty()) {
    const std::string state = std::move(open.back());
    open.pop_back();
    for (const std::string& next : ExitsOf(machine, state)) {
      if (reached.insert(next).second) open.push_back(next);
    }
  }
  return reached;
}

bool SoundsLikeRescue(std::string_view name) {
  static constexpr std::array<std::string_view, 9> kWords = {
      "timeout", "timed", "expire", "stale", "abandon", "cancel", "abort", "requeue", "retry"};
  std::string lower;
  for (const char c : name) {
    if (c != '_' && c != '-') lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  }
  return std::ranges::any_of(
      kWords, [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

// Whether somebody other than the worker that holds the item can make the move: it leads back to
// work, operators make it, it looks at how long the item has been in the state, or its name says
// so.
bool IsRescue(const Model& model, const Entity& entity, const Move& move) {
  const Machine& machine = *entity.machine;
  if (SoundsLikeRescue(move.name)) return true;
  for (const std::string& to : move.to) {
    if (!IsEnd(machine, to) || SoundsLikeRescue(to)) return true;
  }
  return std::ranges::any_of(model.patterns, [&](const Pattern& pattern) {
    if (pattern.entity != entity.name || pattern.write.kind != WriteKind::kMove ||
        pattern.write.move != move.name) {
      return false;
    }
    return pattern.pattern_class != PatternClass::kHot ||
           (!machine.stamp.empty() && pattern.write.condition &&
            Uses(*pattern.write.condition, machine.stamp));
  });
}

// Somebody takes items away, whatever their state.
bool IsDeleted(const Model& model, const Entity& entity) {
  return std::ranges::any_of(model.patterns, [&](const Pattern& pattern) {
    return pattern.kind == PatternKind::kWrite && pattern.entity == entity.name &&
           pattern.write.kind == WriteKind::kDelete;
  });
}

void CheckState(const Model& model, const Entity& entity, const State& state, Findings& findings) {
  const Machine& machine = *entity.machine;
  const std::string target = entity.name + "." + state.name;
  const std::set<std::string> exits = ExitsOf(machine, state.name);
  if (exits.empty()) {
    findings.Add(target, state.place, fmt::format("no move leads out of {}", state.name),
                 fmt::format("a move from {}, or `{}: end`", state.name, state.name));
    return;
  }
  const std::set<std::string> reachable = ReachableFrom(machine, {state.name});
  const auto is_end = [&](const std::string& name) { return IsEnd(machine, name); };
  if (std::ranges::any_of(machine.states, &State::end) && std::ranges::none_of(reachable, is_end)) {
    findings.Add(target, state.place, fmt::format("no end can be reached from {}", state.name),
                 "a move towards an end");
    return;
  }
  const bool rescued = std::ranges::any_of(machine.moves, [&](const Move& move) {
    return Leaves(move, state.name) && IsRescue(model, entity, move);
  });
  if (rescued || IsDeleted(model, entity)) return;
  const bool first = Contains(machine.initial, state.name);
  findings.Add(
      target, state.place,
      fmt::format("items usually stay {}{}, but only the worker that {} moves them on: when it "
                  "dies they stay for ever",
                  state.name, state.dwell ? " for " + DurationText(*state.dwell) : "",
                  first ? "made them" : "took them"),
      first ? fmt::format("a timeout that operators run, or a move that looks at how long they "
                          "have been {}",
                          state.name)
            : fmt::format("a move back (requeue: {} -> {}), or a timeout that operators run",
                          state.name, machine.initial.empty() ? "…" : machine.initial.front()));
}

// A step that can only succeed.
void AdviseFailure(const Entity& entity, const State& state, Findings& findings) {
  const Machine& machine = *entity.machine;
  if (state.end || std::ranges::count_if(machine.states, &State::end) < 2) return;
  const std::set<std::string> exits = ExitsOf(machine, state.name);
  const auto is_end = [&](const std::string& name) { return IsEnd(machine, name); };
  if (exits.size() != 1 || std::ranges::any_of(exits, is_end)) return;
  findings.Note(entity.name + "." + state.name, state.place,
                fmt::format("{} leads to {} only: what fails before that has no state", state.name,
                            *exits.begin()),
                fmt::format("a move from {} to an end that says failure", state.name));
}

}  // namespace

void CheckStateWithoutExit(const Subject& subject, Findings& findings) {
  for (const Entity& entity : subject.model.entities) {
    if (!entity.machine) continue;
    for (const State& state : entity.machine->states) {
      if (state.end) continue;
      CheckState(subject.model, entity, state, findings);
      AdviseFailure(entity, state, findings);
    }
  }
}

void CheckUnreachableState(const Subject& subject, Findings& findings) {
  for (const Entity& entity : subject.model.entities) {
    if (!entity.machine) continue;
    const std::set<std::string> reachable = ReachableFrom(*entity.machine, entity.machine->initial);
    for (const State& state : entity.machine->states) {
      if (reachable.contains(state.name)) continue;
      findings.Add(
          entity.name + "." + state.name, state.place,
          fmt::format("no moves lead from {} to {}", List(entity.machine->initial), state.name),
          fmt::format("a move to {}, or leave the state out", state.name));
    }
  }
}

// ---- ST05: values that no item has

namespace {

// The values that an attribute may have in the entities that a term may be about. Empty: any.
class ValueSpace {
 public:
  ValueSpace(const Model& model, std::string table, std::string entity)
      : model_(model), table_(std::move(table)), entity_(std::move(entity)) {}

  std::set<std::string> Of(const Term& term) const {
    return Of(term.attribute, term.entity.empty() ? entity_ : term.entity);
  }
  std::set<std::string> Of(const std::string& attribute) const { return Of(attribute, entity_); }

 private:
  std::set<std::string> Of(const std::string& attribute, const std::string& entity_name) const {
    std::set<std::string> values;
    for (const Entity& entity : model_.entities) {
      if (entity_name.empty() ? entity.table != table_ : entity.name != entity_name) continue;
      const Attribute* declared = entity.FindAttribute(attribute);
      if (declared == nullptr) continue;
      if (declared->values.empty()) return {};
      values.insert(declared->values.begin(), declared->values.end());
    }
    return values;
  }

  const Model& model_;
  std::string table_;
  std::string entity_;
};

class ValueCheck {
 public:
  ValueCheck(ValueSpace space, std::string target, Findings& findings)
      : space_(std::move(space)), target_(std::move(target)), findings_(findings) {}

  void Terms(const std::vector<Term>& terms, Place place) {
    for (const Term& term : terms) {
      const std::set<std::string> values = space_.Of(term);
      if (term.comparison == Comparison::kBeginsWith || term.comparison == Comparison::kContains) {
        continue;
      }
      for (const Operand& operand : term.operands) {
        if (operand.kind == Operand::Kind::kText) {
          Value(term.attribute, operand.text, values, place);
        }
      }
    }
  }

  void OfPredicate(const std::optional<Predicate>& predicate, Place place) {
    if (!predicate) return;
    for (const std::vector<Term>& terms : predicate->any_of) Terms(terms, place);
  }

  void Each(const std::string& attribute, const std::vector<std::string>& given, Place place) {
    const std::set<std::string> values = space_.Of(attribute);
    for (const std::string& value : given) Value(attribute, value, values, place);
  }

 private:
  void Value(const std::string& attribute, const std::string& value,
             const std::set<std::string>& values, Place place) {
    if (values.empty() || values.contains(value)) return;
    const std::vector<std::string_view> names(values.begin(), values.end());
    const std::string_view nearest = NearestName(value, names);
    findings_.Add(
        target_, place,
        fmt::format("{} is never `{}`; it is {}", attribute, value,
                    List(std::vector<std::string>(values.begin(), values.end()))),
        nearest.empty() ? "ask for one of its values" : fmt::format("{} = {}", attribute, nearest));
  }

  ValueSpace space_;
  std::string target_;
  Findings& findings_;
};

}  // namespace

void CheckUnknownValue(const Subject& subject, Findings& findings) {
  const Model& model = subject.model;
  for (const Plan& plan : subject.plans) {
    const Pattern& pattern = *plan.pattern;
    ValueCheck check(ValueSpace(model, pattern.read.table,
                                plan.entity == nullptr ? pattern.entity : plan.entity->name),
                     pattern.name, findings);
    check.Terms(pattern.read.where, pattern.place);
    check.OfPredicate(pattern.read.filter, pattern.place);
    check.OfPredicate(pattern.read.finds, pattern.place);
    check.OfPredicate(pattern.write.condition, pattern.place);
    check.Each(pattern.read.foreach_attribute, pattern.read.foreach_values, pattern.place);
  }
  for (const Table& table : model.tables) {
    for (const Index& index : table.indexes) {
      if (!index.sparse) continue;
      ValueCheck(ValueSpace(model, table.id, ""), IndexTarget(table, index), findings)
          .OfPredicate(index.sparse->when, index.place);
    }
  }
}

}  // namespace stator::model
