// ST01, ST04: what moves look at, and what they leave behind.
#include <fmt/format.h>

#include <algorithm>

#include "model/plan/request_code.h"
#include "rules/phrases.h"
#include "rules/state_rules.h"

namespace stator::model {
namespace {

bool SetsState(const Pattern& pattern, const Machine& machine) {
  return pattern.write.kind == WriteKind::kUpdate &&
         std::ranges::find(pattern.write.sets, machine.attribute) != pattern.write.sets.end();
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
    }
  }
}

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

// The code of a move writes other attributes but not the stamp.
bool CodeOmits(const Pattern& pattern, const std::string& stamp) {
  const std::vector<std::string> written = WrittenByCode(pattern);
  return !written.empty() && std::ranges::find(written, stamp) == written.end();
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

}  // namespace

constinit const Rule kMoveWithoutSource{
    .id = "ST01",
    .title = "a move without a condition on the state before",
    .severity = Severity::kError,
    .check = CheckMoveWithoutSource,
    .lesson =
        "A state machine exists only in the conditions of its writes. An update that sets the next "
        "state without asking for the present one lets available become completed, a finished item "
        "start again when a late message arrives, and two workers claim the same item. And since "
        "UpdateItem creates what is not there, it brings deleted items back.",
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
      states: {open: dwell 1d, done: end}
      moves: {finish: "* -> done"}
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
      states: {open: dwell 1d, done: end}
      moves: {finish: open -> done}
patterns:
  add: {write: Job.create, guard: not_exists, rate: 10/day}
  finish: {write: Job.finish, rate: 10/day}
  read: {get: Job, rate: 10/day}
)",
};

constinit const Rule kMoveWithoutStamp{
    .id = "ST04",
    .title = "a move that does not stamp its time",
    .severity = Severity::kError,
    .check = CheckMoveWithoutStamp,
    .lesson =
        "When an index orders items by the time they entered their state, that time must be "
        "written by every move, in the same update. One move that forgets it leaves the time of an "
        "earlier state, and the search for items that are stuck finds the wrong ones and misses "
        "the right ones.",
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
      initial: open
      stamp: movedAt
      states: {open: dwell 1d, done: end}
      moves: {finish: open -> done -movedAt}
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
    attrs: {id: str 20, movedAt: num epoch_ms}
    volume: {total: 1000}
    machine:
      attr: status
      initial: open
      stamp: movedAt
      states: {open: dwell 1d, done: end}
      moves: {finish: open -> done}
patterns:
  add: {write: Job.create, guard: not_exists, rate: 10/day}
  finish: {write: Job.finish, rate: 10/day}
  read: {get: Job, rate: 10/day}
)",
};

}  // namespace stator::model
