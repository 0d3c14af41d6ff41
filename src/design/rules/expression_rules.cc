// WR06, WR08, WR10: expressions as code writes them.
#include <fmt/format.h>

#include "model/plan/request_code.h"
#include "rules/write_rules.h"

namespace stator::model {
namespace {

void ReportCode(const Subject& subject, CodeProblem::Kind kind, Findings& findings) {
  for (const Pattern& pattern : subject.model.patterns) {
    for (const Code& code : pattern.code) {
      for (const CodeProblem& problem : ReadCode(code).problems) {
        if (problem.kind != kind) continue;
        findings.Add(pattern.name, code.place,
                     fmt::format("{}: {}", problem.expression, problem.message), problem.fix);
      }
    }
  }
}

void CheckOverlappingPaths(const Subject& subject, Findings& findings) {
  ReportCode(subject, CodeProblem::Kind::kOverlap, findings);
}

void CheckInvalidExpression(const Subject& subject, Findings& findings) {
  ReportCode(subject, CodeProblem::Kind::kInvalid, findings);
}

void CheckBareName(const Subject& subject, Findings& findings) {
  ReportCode(subject, CodeProblem::Kind::kName, findings);
}

}  // namespace

constinit const Rule kOverlappingPaths{
    .id = "WR06",
    .title = "an update with overlapping paths",
    .severity = Severity::kError,
    .check = CheckOverlappingPaths,
    .lesson =
        "One update may not name a path and a part of it: `SET counts = if_not_exists(counts, "
        ":empty), counts.mon = …` is refused always, not only when the map is missing. And it "
        "could not work: every right-hand side sees the item as it was before the update. Use flat "
        "counters, or create the map first and increment in a second call.",
    .bad = R"(model: 1
tables:
  habits: {key: id str}
entities:
  Habit:
    table: habits
    attrs: {id: str 20, days: counters mon..sun}
    volume: {total: 1000}
patterns:
  add: {write: Habit.create, guard: not_exists, rate: 1/day}
  count:
    write: Habit.update
    adds: [days]
    guard: exists
    rate: 10/day
    code: {api: UpdateItem, update: "SET days = if_not_exists(days, :empty), days.#d = :one", names: {"#d": mon}, values: {":empty": map, ":one": num}}
  read: {get: Habit, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  habits: {key: id str}
entities:
  Habit:
    table: habits
    attrs: {id: str 20, days: counters mon..sun}
    volume: {total: 1000}
patterns:
  add: {write: Habit.create, guard: not_exists, rate: 1/day}
  count:
    write: Habit.update
    adds: [days]
    guard: exists
    rate: 10/day
    code: {api: UpdateItem, update: "SET days.#d = if_not_exists(days.#d, :zero) + :one", names: {"#d": mon}, values: {":zero": num, ":one": num}}
  read: {get: Habit, rate: 10/day}
)",
};

constinit const Rule kInvalidExpression{
    .id = "WR08",
    .title = "an expression that does not parse",
    .severity = Severity::kError,
    .check = CheckInvalidExpression,
    .lesson =
        "Expressions that are put together from pieces of text break where the pieces meet: `SET "
        "SET a = :v`, two SET sections, a placeholder that is defined and not used, a function "
        "that does not exist. DynamoDB refuses every such request. The expressions of a model are "
        "read by the same parser that Stator's database uses.",
    .bad = R"(model: 1
tables:
  jobs: {key: id str}
entities:
  Job:
    table: jobs
    attrs: {id: str 20, note: str 50}
    volume: {total: 1000}
patterns:
  add: {write: Job.create, guard: not_exists, rate: 10/day}
  annotate: {write: Job.update, sets: [note], guard: exists, rate: 9/day, code: {update: "SET SET note = :n", values: {":n": str}}}
  read: {get: Job, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  jobs: {key: id str}
entities:
  Job:
    table: jobs
    attrs: {id: str 20, note: str 50}
    volume: {total: 1000}
patterns:
  add: {write: Job.create, guard: not_exists, rate: 10/day}
  annotate: {write: Job.update, sets: [note], guard: exists, rate: 9/day, code: {update: "SET note = :n", values: {":n": str}}}
  read: {get: Job, rate: 10/day}
)",
};

constinit const Rule kBareName{
    .id = "WR10",
    .title = "a reserved word or an odd name without an alias",
    .severity = Severity::kError,
    .check = CheckBareName,
    .lesson =
        "Some 570 words are reserved in expressions, in any case, among them status, name, "
        "timestamp, date, count and hour; and a bare name begins with a letter. Such attributes "
        "are written with an alias: `#s`, and ExpressionAttributeNames says what it stands for. "
        "It is a habit worth having for every name.",
    .bad = R"(model: 1
tables:
  jobs: {key: id str}
entities:
  Job:
    table: jobs
    attrs: {id: str 20, status: str 9 enum=open|done}
    volume: {total: 1000}
patterns:
  add: {write: Job.create, guard: not_exists, rate: 10/day}
  finish: {write: Job.update, sets: [status], guard: exists, rate: 9/day, code: {update: "SET status = :s", values: {":s": str}}}
  read: {get: Job, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  jobs: {key: id str}
entities:
  Job:
    table: jobs
    attrs: {id: str 20, status: str 9 enum=open|done}
    volume: {total: 1000}
patterns:
  add: {write: Job.create, guard: not_exists, rate: 10/day}
  finish: {write: Job.update, sets: [status], guard: exists, rate: 9/day, code: {update: "SET #s = :s", names: {"#s": status}, values: {":s": str}}}
  read: {get: Job, rate: 10/day}
)",
};

}  // namespace stator::model
