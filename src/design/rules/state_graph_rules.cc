// ST02, ST03: the graph of states and moves.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "rules/phrases.h"
#include "rules/state_rules.h"

namespace stator::model {
namespace {

bool Leaves(const Move& move, const std::string& state) {
  return move.from.empty() || std::ranges::find(move.from, state) != move.from.end();
}

bool IsEnd(const Machine& machine, const std::string& name) {
  const State* state = machine.FindState(name);
  return state != nullptr && state->end;
}

// Where items in the state can go, itself left out.
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
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  });
  return std::ranges::any_of(
      kWords, [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

bool SpeaksOf(const std::optional<Predicate>& predicate, const std::string& attribute) {
  if (!predicate) return false;
  return std::ranges::any_of(predicate->any_of, [&](const std::vector<Term>& all_of) {
    return std::ranges::any_of(all_of,
                               [&](const Term& term) { return term.attribute == attribute; });
  });
}

// Whether somebody else than the worker that holds the item can make the move: it leads back to
// work, operators make it, it looks at how long the item has been there, or its name says so.
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
           (!machine.stamp.empty() && SpeaksOf(pattern.write.condition, machine.stamp));
  });
}

// A state that items enter when somebody takes them on, where they usually stay for a known time.
bool IsHeldByAWorker(const Machine& machine, const State& state) {
  return state.dwell && !state.end &&
         std::ranges::find(machine.initial, state.name) == machine.initial.end();
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
  if (IsHeldByAWorker(machine, state) && std::ranges::none_of(machine.moves, [&](const Move& move) {
        return Leaves(move, state.name) && IsRescue(model, entity, move);
      })) {
    findings.Add(
        target, state.place,
        fmt::format("items usually stay {} for {}, but only the worker that took them moves them "
                    "on: when it dies they stay for ever",
                    state.name, DurationText(*state.dwell)),
        fmt::format("a move back (requeue: {} -> {}), or a timeout that operators run", state.name,
                    machine.initial.empty() ? "…" : machine.initial.front()));
  }
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

}  // namespace

constinit const Rule kStateWithoutExit{
    .id = "ST02",
    .title = "a state that items cannot leave",
    .severity = Severity::kWarning,
    .check = CheckStateWithoutExit,
    .lesson =
        "Every state that is not an end needs a way out, also for the item whose worker has died. "
        "`downloading -> completed | failed` looks complete, but both moves are the downloader's "
        "own: when it crashes, nobody makes them and the file stays downloading for ever. A state "
        "with a usual length of stay (dwell) needs a move that somebody else can make: back to "
        "the queue, or to a timeout.",
    .bad = R"(model: 1
tables:
  jobs: {key: id str}
entities:
  Job:
    table: jobs
    attrs: {id: str 20, movedAt: num epoch_ms}
    volume: {total: 1000}
    machine:
      attr: status
      initial: available
      stamp: movedAt
      states: {available: dwell 1d, downloading: dwell 30m, completed: end, failed: end}
      moves:
        claim: available -> downloading
        finish: downloading -> completed
        fail: downloading|available -> failed
patterns:
  add: {write: Job.create, guard: not_exists, rate: 10/day}
  claim: {write: Job.claim, rate: 10/day}
  finish: {write: Job.finish, rate: 10/day}
  fail: {write: Job.fail, rate: 1/day}
  read: {get: Job, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  jobs: {key: id str}
entities:
  Job:
    table: jobs
    attrs: {id: str 20, movedAt: num epoch_ms}
    volume: {total: 1000}
    machine:
      attr: status
      initial: available
      stamp: movedAt
      states: {available: dwell 1d, downloading: dwell 30m, completed: end, failed: end}
      moves:
        claim: available -> downloading
        finish: downloading -> completed
        fail: downloading|available -> failed
        requeue: downloading -> available
patterns:
  add: {write: Job.create, guard: not_exists, rate: 10/day}
  claim: {write: Job.claim, rate: 10/day}
  finish: {write: Job.finish, rate: 10/day}
  fail: {write: Job.fail, rate: 1/day}
  requeue: {write: Job.requeue, rate: 1/day, class: ops}
  read: {get: Job, rate: 10/day}
)",
};

constinit const Rule kUnreachableState{
    .id = "ST03",
    .title = "a state that no item can reach",
    .severity = Severity::kWarning,
    .check = CheckUnreachableState,
    .lesson =
        "A state that no chain of moves leads to is either dead, and queries for it are wasted, or "
        "its move was forgotten, and code sets the state behind the machine's back. Both are worth "
        "knowing before the first item is stored.",
    .bad = R"(model: 1
tables:
  jobs: {key: id str}
entities:
  Job:
    table: jobs
    attrs: {id: str 20}
    volume: {total: 1000}
    machine:
      attr: status
      initial: open
      states: {open: dwell 1d, done: end, error: end}
      moves: {finish: open -> done}
patterns:
  add: {write: Job.create, guard: not_exists, rate: 10/day}
  finish: {write: Job.finish, rate: 10/day}
  read: {get: Job, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  jobs: {key: id str}
entities:
  Job:
    table: jobs
    attrs: {id: str 20}
    volume: {total: 1000}
    machine:
      attr: status
      initial: open
      states: {open: dwell 1d, done: end, error: end}
      moves: {finish: open -> done, fail: open -> error}
patterns:
  add: {write: Job.create, guard: not_exists, rate: 10/day}
  finish: {write: Job.finish, rate: 10/day}
  fail: {write: Job.fail, rate: 1/day}
  read: {get: Job, rate: 10/day}
)",
};

}  // namespace stator::model
