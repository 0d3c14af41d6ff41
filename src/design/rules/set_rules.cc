// WR11, WR12: sets, which are never empty, and are not lists.
#include <fmt/format.h>

#include <algorithm>

#include "expr/lexer.h"
#include "model/plan/request_code.h"
#include "rules/phrases.h"
#include "rules/write_rules.h"

namespace stator::model {
namespace {

bool IsSet(Type type) { return type == Type::kSS || type == Type::kNS || type == Type::kBS; }

void CheckEmptySet(const Subject& subject, Findings& findings) {
  for (const Pattern& pattern : subject.model.patterns) {
    std::vector<std::string> empty = pattern.write.empty_sets;
    for (const Code& code : pattern.code) {
      for (const auto& [placeholder, word] : code.values) {
        if (IsEmptySet(word)) empty.push_back(placeholder);
      }
    }
    if (empty.empty()) continue;
    findings.Add(pattern.name, pattern.place,
                 fmt::format("writes {} as an empty set, which DynamoDB refuses: \"An string set  "
                             "may not be empty\"",
                             List(empty)),
                 "leave the attribute out; the first ADD makes the set");
  }
}

std::string_view Word(Type type) {
  if (IsSet(type)) return "a set";
  if (type == Type::kL) return "a list";
  if (type == Type::kN) return "a number";
  return TypeName(type);
}

class MismatchCheck {
 public:
  MismatchCheck(const Pattern& pattern, const Entity& entity, Findings& findings)
      : pattern_(pattern), entity_(entity), findings_(findings) {}

  // ADD takes numbers and sets.
  void Adds() {
    for (const std::string& name : pattern_.write.adds) {
      const Attribute* attribute = Top(name);
      if (attribute == nullptr || attribute->counter || !attribute->counters.empty()) continue;
      if (attribute->type == Type::kN || IsSet(attribute->type)) continue;
      Report(pattern_.place, name, attribute->type, "ADD takes numbers and sets only");
    }
  }

  void OfCode(const Code& code) {
    const CodeReport report = ReadCode(code);
    for (const CodeProblem& problem : report.problems) {
      if (problem.kind != CodeProblem::Kind::kMismatch) continue;
      findings_.Add(pattern_.name, code.place,
                    fmt::format("{}: {}", problem.expression, problem.message), problem.fix);
    }
    if (code.values.empty()) return;
    for (const Update::Target& target : report.targets) {
      const Attribute* attribute = Top(target.path[0].name);
      if (attribute == nullptr || target.path.size() > 1 || !target.constant) continue;
      const Type given = target.constant->type();
      if (given == attribute->type || (!IsCollection(given) && !IsCollection(attribute->type))) {
        continue;
      }
      Report(code.place, attribute->name, attribute->type,
             fmt::format("the code writes {}", Word(given)));
    }
  }

 private:
  static bool IsCollection(Type type) { return IsSet(type) || type == Type::kL; }

  const Attribute* Top(const std::string& name) const {
    return entity_.FindAttribute(name.substr(0, name.find('.')));
  }

  void Report(Place place, const std::string& name, Type declared, std::string_view what) {
    findings_.Add(pattern_.name, place, fmt::format("{} is {}, and {}", name, Word(declared), what),
                  "one type for the attribute: a set for ADD and DELETE, a list for list_append");
  }

  const Pattern& pattern_;
  const Entity& entity_;
  Findings& findings_;
};

void CheckListSetMismatch(const Subject& subject, Findings& findings) {
  for (const Pattern& pattern : subject.model.patterns) {
    const Entity* entity = subject.model.FindEntity(pattern.entity);
    if (entity == nullptr) continue;
    MismatchCheck check(pattern, *entity, findings);
    check.Adds();
    for (const Code& code : pattern.code) check.OfCode(code);
  }
}

}  // namespace

constinit const Rule kEmptySet{
    .id = "WR11",
    .title = "an empty set",
    .severity = Severity::kError,
    .check = CheckEmptySet,
    .lesson =
        "A set has at least one member. An item with an empty set is refused, and a set whose last "
        "member is deleted disappears with it. So a new item leaves the attribute out, ADD makes "
        "the set with its first member, and readers take a missing set for an empty one.",
    .bad = R"(model: 1
tables:
  batches: {key: id str}
entities:
  Batch:
    table: batches
    attrs: {id: str 20, done: strset 200/800 opt}
    volume: {total: 1000}
patterns:
  add: {write: Batch.create, guard: not_exists, empty_sets: [done], rate: 1/day}
  read: {get: Batch, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  batches: {key: id str}
entities:
  Batch:
    table: batches
    attrs: {id: str 20, done: strset 200/800 opt}
    volume: {total: 1000}
patterns:
  add: {write: Batch.create, guard: not_exists, rate: 1/day}
  finish: {write: Batch.update, adds: [done], guard: exists, rate: 10/day}
  read: {get: Batch, rate: 10/day}
)",
};

constinit const Rule kListSetMismatch{
    .id = "WR12",
    .title = "a list where a set is meant, or the reverse",
    .severity = Severity::kError,
    .check = CheckListSetMismatch,
    .lesson =
        "string[] in a program may become a list or a string set, and DynamoDB treats them as "
        "different types. ADD and DELETE work on sets and fail on a list; list_append works on "
        "lists and fails on a set. Declare which it is, once, and let the code be compared.",
    .bad = R"(model: 1
tables:
  batches: {key: id str}
entities:
  Batch:
    table: batches
    attrs: {id: str 20, done: list 200/800}
    volume: {total: 1000}
patterns:
  add: {write: Batch.create, guard: not_exists, rate: 1/day}
  finish: {write: Batch.update, adds: [done], guard: exists, rate: 10/day}
  read: {get: Batch, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  batches: {key: id str}
entities:
  Batch:
    table: batches
    attrs: {id: str 20, done: strset 200/800 opt}
    volume: {total: 1000}
patterns:
  add: {write: Batch.create, guard: not_exists, rate: 1/day}
  finish: {write: Batch.update, adds: [done], guard: exists, rate: 10/day}
  read: {get: Batch, rate: 10/day}
)",
};

}  // namespace stator::model
