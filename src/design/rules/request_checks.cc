// WR06–WR13, WR15: are requests valid as code writes them, and within DynamoDB's limits?
#include <fmt/format.h>

#include <algorithm>

#include "expr/lexer.h"
#include "model/names.h"
#include "model/plan/request_code.h"
#include "model/plan/request_members.h"
#include "rules/checks.h"

namespace stator::model {

// ---- WR06, WR08, WR10: expressions as code writes them

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

}  // namespace

void CheckOverlappingPaths(const Subject& subject, Findings& findings) {
  ReportCode(subject, CodeProblem::Kind::kOverlap, findings);
}

void CheckInvalidExpression(const Subject& subject, Findings& findings) {
  ReportCode(subject, CodeProblem::Kind::kInvalid, findings);
}

void CheckBareName(const Subject& subject, Findings& findings) {
  ReportCode(subject, CodeProblem::Kind::kName, findings);
}

// ---- WR07, WR09: requests that DynamoDB refuses for what they name

namespace {

// Whether every item of the entity has the attribute from its first write on.
bool IsAlwaysThere(const Model& model, const Entity& entity, const std::string& name) {
  const Attribute* attribute = entity.FindAttribute(name);
  if (attribute == nullptr || attribute->optional) return false;
  bool created = false;
  for (const Pattern& pattern : model.patterns) {
    if (pattern.kind != PatternKind::kWrite || pattern.entity != entity.name) continue;
    const WriteKind kind = pattern.write.kind;
    if (kind != WriteKind::kCreate && kind != WriteKind::kPut) continue;
    // A create that lists nothing writes all attributes.
    if (!pattern.write.sets.empty() && !Contains(pattern.write.sets, name)) return false;
    created = true;
  }
  return created;
}

std::string_view ApiOf(const Code& code, const Plan& plan) {
  if (!code.api.empty()) return ApiName(code.api);
  return plan.resolved() ? ApiName(OperationName(plan.operation)) : std::string_view();
}

bool IsLegacy(const std::string& member) {
  static const std::vector<std::string> kLegacy = {
      "AttributesToGet", "AttributeUpdates", "ConditionalOperator", "Expected",
      "KeyConditions",   "QueryFilter",      "ScanFilter"};
  return Contains(kLegacy, member);
}

void CheckMembers(const Pattern& pattern, const Code& code, std::string_view api,
                  Findings& findings) {
  const std::span<const std::string_view> members = MembersOf(api);
  std::vector<std::string> given = MembersGiven(code);
  for (const std::string& member : given) {
    if (std::ranges::find(members, member) != members.end()) continue;
    const std::string_view near = NearestName(member, members);
    std::string fix = near.empty() ? fmt::format("leave {} out", member)
                                   : fmt::format("{} instead of {}", near, member);
    if (member == "Key" && api == "PutItem") fix = "the key is part of Item";
    findings.Add(pattern.name, code.place, fmt::format("{} has no member {}", api, member), fix);
  }
  const auto legacy = std::ranges::find_if(given, IsLegacy);
  const auto modern = std::ranges::find_if(
      given, [](const std::string& member) { return member.ends_with("Expression"); });
  if (legacy != given.end() && modern != given.end()) {
    findings.Add(pattern.name, code.place,
                 fmt::format("{} and {} cannot stand in one request", *legacy, *modern),
                 fmt::format("leave {} out", *legacy));
  }
}

}  // namespace

void CheckMissingParent(const Subject& subject, Findings& findings) {
  for (const Pattern& pattern : subject.model.patterns) {
    const Entity* entity = subject.model.FindEntity(pattern.entity);
    if (entity == nullptr) continue;
    for (const Code& code : pattern.code) {
      std::vector<std::string> missing;
      for (const Update::Target& target : ReadCode(code).targets) {
        const std::string& parent = target.path[0].name;
        if (target.path.size() < 2 || target.action == Update::Action::kRemove) continue;
        if (IsAlwaysThere(subject.model, *entity, parent)) continue;
        if (!Contains(RequiredByCode(code), parent)) AddOnce(missing, parent);
      }
      if (missing.empty()) continue;
      findings.Add(pattern.name, code.place,
                   fmt::format("writes into {}, which may not be there: \"The document path "
                               "provided in the update expression is invalid for update\"",
                               List(missing)),
                   fmt::format("condition: attribute_exists({}), and a create with the map when it "
                               "fails; or flat attributes",
                               missing.front()));
    }
  }
}

void CheckForeignMember(const Subject& subject, Findings& findings) {
  for (const Plan& plan : subject.plans) {
    for (const Code& code : plan.pattern->code) {
      const std::string_view api = ApiOf(code, plan);
      if (!api.empty()) {
        CheckMembers(*plan.pattern, code, api, findings);
      } else if (!code.api.empty()) {
        findings.Add(plan.pattern->name, code.place,
                     fmt::format("there is no operation {}", code.api),
                     NameHint(code.api, ApiNames()));
      }
    }
  }
}

// ---- WR11, WR12: sets, which are never empty, and are not lists

namespace {

bool IsSet(Type type) { return type == Type::kSS || type == Type::kNS || type == Type::kBS; }

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

}  // namespace

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

void CheckListSetMismatch(const Subject& subject, Findings& findings) {
  for (const Pattern& pattern : subject.model.patterns) {
    const Entity* entity = subject.model.FindEntity(pattern.entity);
    if (entity == nullptr) continue;
    MismatchCheck check(pattern, *entity, findings);
    check.Adds();
    for (const Code& code : pattern.code) check.OfCode(code);
  }
}

// ---- WR13, WR15: the limits of transactions and of items

namespace {

constexpr std::int64_t kMaxTransactionItems = 100;
constexpr double kMaxTransactionBytes = 4.0 * 1024 * 1024;
constexpr double kMaxItemBytes = 400.0 * 1024;

// Items that a pattern adds to a transaction: its own, and the sentinels that keep it unique.
std::int64_t ItemsOf(const Model& model, const Pattern& pattern) {
  if (pattern.kind == PatternKind::kGet) return pattern.read.batch;
  if (pattern.kind != PatternKind::kWrite) return 1;
  if (pattern.write.kind == WriteKind::kRekey) return 2;
  const Entity* entity = model.FindEntity(pattern.entity);
  const bool claims = pattern.write.kind == WriteKind::kCreate && entity != nullptr;
  return 1 + (claims ? static_cast<std::int64_t>(entity->unique.size()) : 0);
}

void CheckTransaction(const Model& model, const Pattern& transaction, Findings& findings) {
  std::int64_t items = 0;
  double bytes = 0;
  bool reads = false;
  for (const std::string& name : transaction.parts) {
    const Pattern* part = model.FindPattern(name);
    if (part == nullptr) continue;
    const std::int64_t count = ItemsOf(model, *part);
    items += count;
    reads = reads || part->kind == PatternKind::kGet;
    const Entity* entity = model.FindEntity(part->entity);
    if (entity == nullptr) continue;
    bytes += static_cast<double>(count) * ItemBytes(model, *entity).max;
  }
  if (items > kMaxTransactionItems) {
    findings.Add(transaction.name, transaction.place,
                 fmt::format("{} items; a transaction takes {}", items, kMaxTransactionItems),
                 "several transactions, or fewer items");
  }
  if (bytes > kMaxTransactionBytes) {
    findings.Add(transaction.name, transaction.place,
                 fmt::format("up to {:.1f} MB; a transaction takes 4 MB", bytes / 1024 / 1024),
                 "smaller items, or several transactions");
  }
  if (items == 1) {
    findings.Add(transaction.name, transaction.place,
                 reads ? "one item only: a strongly consistent GetItem does the same for half the "
                         "units"
                       : "one item only: a plain write with a condition does the same for half the "
                         "units",
                 fmt::format("use {} alone", transaction.parts.front()));
  }
}

bool Grows(Type type) {
  return type == Type::kSS || type == Type::kNS || type == Type::kBS || type == Type::kL;
}

// A stated `size` of the item does not make room for a value that alone is too large.
void CheckHiddenAttributes(const Entity& entity, Findings& findings) {
  for (const Attribute& attribute : entity.attributes) {
    const double bytes = attribute.bytes.max + static_cast<double>(attribute.name.size());
    if (bytes <= kMaxItemBytes) continue;
    findings.Add(entity.name + "." + attribute.name, attribute.place,
                 fmt::format("up to {:.0f} KB by itself, though {} says `size: {:.0f}`; an item "
                             "takes 400 KB",
                             bytes / 1024, entity.name, entity.item_bytes->max),
                 "keep large values elsewhere (S3) and their address here, or split the item");
  }
}

// Collections that writes add to, though the model does not say how large they get.
void CheckGrowth(const Model& model, const Entity& entity, Findings& findings) {
  for (const Attribute& attribute : entity.attributes) {
    if (!Grows(attribute.type) || attribute.size_stated) continue;
    const auto adds = std::ranges::find_if(model.patterns, [&](const Pattern& pattern) {
      return pattern.entity == entity.name && Contains(pattern.write.adds, attribute.name);
    });
    if (adds == model.patterns.end()) continue;
    findings.Add(
        entity.name + "." + attribute.name, attribute.place,
        fmt::format("{} adds to {}, and nothing says how large it gets: each write costs "
                    "the whole item, and at 400 KB writes fail",
                    adds->name, attribute.name),
        fmt::format("its size: {}: … 200/800; or an item for each member", attribute.name));
  }
}

}  // namespace

void CheckTransactionSize(const Subject& subject, Findings& findings) {
  for (const Pattern& pattern : subject.model.patterns) {
    if (pattern.kind == PatternKind::kTransaction && !pattern.parts.empty()) {
      CheckTransaction(subject.model, pattern, findings);
    }
  }
}

void CheckItemSize(const Subject& subject, Findings& findings) {
  for (const Entity& entity : subject.model.entities) {
    const Amount bytes = ItemBytes(subject.model, entity);
    if (bytes.max > kMaxItemBytes) {
      findings.Add(entity.name, entity.place,
                   fmt::format("up to {:.0f} KB; an item takes 400 KB", bytes.max / 1024),
                   "keep large values elsewhere (S3) and their address here, or split the item");
    } else if (entity.item_bytes) {
      CheckHiddenAttributes(entity, findings);
    }
    CheckGrowth(subject.model, entity, findings);
  }
}

}  // namespace stator::model
