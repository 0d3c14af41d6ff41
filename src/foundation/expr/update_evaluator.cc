#include "expr/update_evaluator.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/try.h"
#include "base/work.h"
#include "expr/path.h"
#include "value/encoding.h"
#include "value/item_codec.h"
#include "value/number.h"
#include "value/size.h"
#include "value/value_problem.h"

namespace stator {
namespace {

using Action = Update::Action;
using OperandKind = UpdateOperand::Kind;

// Values longer than this cannot be part of an acceptable item: an encoding is less than eight
// times as long as the size that DynamoDB counts. Keeps the memory of one update bounded.
constexpr std::size_t kMaxResultBytes = 8 * kMaxItemBytes;

// A computed value, or a view of one in the item or the program.
class Evaluated {
 public:
  explicit Evaluated(ValueView borrowed) : borrowed_(borrowed) {}
  explicit Evaluated(std::string encoded) : owned_(std::move(encoded)) {}
  ValueView view() const { return owned_.empty() ? borrowed_ : ValueView(owned_); }

 private:
  ValueView borrowed_;
  std::string owned_;  // no value's encoding is empty
};

Error MissingAttribute() {
  return Error::Validation(
      "The provided expression refers to an attribute that does not exist in the item");
}

Error WrongDataType() {
  return Error::Validation("An operand in the update expression has an incorrect data type");
}

Error UpdatedItemTooLarge() {
  return Error::Validation("Item size to update has exceeded the maximum allowed size");
}

// The result of arithmetic. One that needs too many digits is an overflow, too: nothing is rounded.
Result<std::string> Encoded(const std::expected<Number, NumberProblem>& number) {
  if (!number) {
    const NumberProblem problem =
        number.error() == NumberProblem::kTooManyDigits ? NumberProblem::kOverflow : number.error();
    return std::unexpected(ProblemError(NumberProblemOf(problem, {}), Wording::kCurrent));
  }
  std::string encoded;
  AppendNumber(encoded, *number);
  return encoded;
}

Result<std::string> AddNumbers(ValueView a, ValueView b) {
  return Encoded(Add(Number::Decode(a.number()), Number::Decode(b.number())));
}

Result<std::string> SubtractNumbers(ValueView a, ValueView b) {
  return Encoded(Subtract(Number::Decode(a.number()), Number::Decode(b.number())));
}

// One list behind the other.
std::string ConcatenateLists(ListView a, ListView b) {
  std::string encoded;
  const std::size_t begun = BeginContainer(encoded, Type::kL, a.size() + b.size());
  encoded.append(a.body());
  encoded.append(b.body());
  EndContainer(encoded, begun);
  return encoded;
}

Result<std::string> Combine(OperandKind kind, ValueView a, ValueView b) {
  const Type wanted = kind == OperandKind::kListAppend ? Type::kL : Type::kN;
  if (a.type() != wanted || b.type() != wanted) return std::unexpected(WrongDataType());
  if (kind == OperandKind::kPlus) return AddNumbers(a, b);
  if (kind == OperandKind::kMinus) return SubtractNumbers(a, b);
  if (a.encoded().size() + b.encoded().size() > kMaxResultBytes) {
    return std::unexpected(UpdatedItemTooLarge());
  }
  return ConcatenateLists(a.List(), b.List());
}

// The result may refer to `operand` and to the item before.
Result<Evaluated> EvaluateOperand(const UpdateOperand& operand, const PathLookup& before) {
  if (operand.kind == OperandKind::kConstant) return Evaluated(operand.constant.view());
  if (operand.kind == OperandKind::kPath || operand.kind == OperandKind::kIfNotExists) {
    if (const std::optional<ValueView> value = before.Find(operand.path)) {
      // If the work has to end, the update is dropped, whatever it has come to.
      Work::Charge(value->encoded().size());
      return Evaluated(*value);
    }
    if (operand.kind == OperandKind::kPath) return std::unexpected(MissingAttribute());
    return EvaluateOperand(operand.arguments.front(), before);
  }
  ASSIGN_OR_RETURN(const Evaluated first, EvaluateOperand(operand.arguments[0], before));
  ASSIGN_OR_RETURN(const Evaluated second, EvaluateOperand(operand.arguments[1], before));
  ASSIGN_OR_RETURN(std::string combined, Combine(operand.kind, first.view(), second.view()));
  return Evaluated(std::move(combined));
}

struct PathChange {
  const Path* path;
  Update::Action action;
  ValueView value;  // not for REMOVE
};

using Changes = std::span<const PathChange>;

Error InvalidPath() {
  return Error::Validation(
      "The document path provided in the update expression is invalid for update");
}

// Takes the changes that lead the same way at `depth` off the front.
Changes TakeGroup(Changes& changes, std::size_t depth) {
  const std::size_t same = SameStep(
      changes, depth, [](const PathChange& change) -> const Path& { return *change.path; });
  const Changes group = changes.first(same);
  changes = changes.subspan(same);
  return group;
}

const char* BodyOf(ItemView map) {
  const char* at = map.encoded().data();
  encoding::ReadVarint(at);
  return at;
}

const char* EndOf(ValueView value) { return value.encoded().data() + value.encoded().size(); }

// Merges, level by level, the children of the old container with the changes; both are sorted. A
// group is the changes that go through the same child or end at it.
class Rewriter {
 public:
  explicit Rewriter(UpdateProgram::Origin origin) : origin_(origin) {}

  // Appends the entries of the changed map and counts them. What no change touches is copied in
  // runs.
  Result<std::size_t> RewriteMap(ItemView old, Changes changes, std::size_t depth,
                                 std::string& body) {
    std::size_t count = old.size();
    auto entry = old.begin();
    const char* entry_begin = BodyOf(old);
    const char* copied = entry_begin;  // everything before it is written
    while (!changes.empty()) {
      const std::string& name = (*changes.front().path)[depth].name;
      for (; entry != old.end() && entry->first < name; ++entry) entry_begin = EndOf(entry->second);
      body.append(copied, entry_begin);
      const bool exists = entry != old.end() && entry->first == name;
      ASSIGN_OR_RETURN(
          const bool kept,
          AppendEntry(TakeGroup(changes, depth),
                      exists ? std::optional(entry->second) : std::nullopt, depth, body));
      count = count - exists + kept;
      if (exists) {
        entry_begin = EndOf(entry->second);
        ++entry;
      }
      copied = entry_begin;
    }
    body.append(copied, old.encoded().end());
    return count;
  }

 private:
  Result<std::size_t> RewriteList(ListView old, Changes changes, std::size_t depth,
                                  std::string& body) {
    std::size_t count = 0;
    std::size_t index = 0;
    for (const ValueView& element : old) {
      if (!changes.empty() && (*changes.front().path)[depth].index == index) {
        ASSIGN_OR_RETURN(const bool kept,
                         AppendChild(TakeGroup(changes, depth), element, depth, body));
        count += kept;
      } else {
        body.append(element.encoded());
        ++count;
      }
      ++index;
    }
    // Elements behind the end are appended in the order of their indexes, without gaps.
    while (!changes.empty()) {
      ASSIGN_OR_RETURN(const bool added,
                       AppendChild(TakeGroup(changes, depth), std::nullopt, depth, body));
      count += added;
    }
    return count;
  }

  // As AppendChild, with the name before it.
  Result<bool> AppendEntry(Changes group, std::optional<ValueView> old, std::size_t depth,
                           std::string& body) {
    const std::size_t before = body.size();
    AppendName(body, (*group.front().path)[depth].name);
    ASSIGN_OR_RETURN(const bool kept, AppendChild(group, old, depth, body));
    if (!kept) body.resize(before);
    return kept;
  }

  // Appends the changed child. False if it is gone.
  Result<bool> AppendChild(Changes group, std::optional<ValueView> old, std::size_t depth,
                           std::string& out) {
    const Path& path = *group.front().path;
    if (path.size() == depth + 1) return AppendChanged(group.front(), old, out);
    const bool by_index = path[depth + 1].is_index;
    if (!old || old->type() != (by_index ? Type::kL : Type::kM)) {
      return std::unexpected(InvalidPath());
    }
    std::string body;
    ASSIGN_OR_RETURN(const std::size_t count, by_index
                                                  ? RewriteList(old->List(), group, depth + 1, body)
                                                  : RewriteMap(old->Map(), group, depth + 1, body));
    const std::size_t begun = BeginContainer(out, old->type(), count);
    out.append(body);
    EndContainer(out, begun);
    return true;
  }

  Result<bool> AppendChanged(const PathChange& change, std::optional<ValueView> old,
                             std::string& out) {
    switch (change.action) {
      case Action::kSet:
        out.append(change.value.encoded());
        return true;
      case Action::kRemove:
        return false;
      case Action::kAdd:
        return AppendSum(old, change.value, out);
      case Action::kDelete:
        return AppendDifference(old, change.value, out);
    }
    return false;
  }

  Result<bool> AppendSum(std::optional<ValueView> old, ValueView operand, std::string& out) {
    if (!old) {
      out.append(operand.encoded());
      return true;
    }
    if (old->type() != operand.type()) return std::unexpected(TypeMismatch());
    if (operand.type() == Type::kN) {
      ASSIGN_OR_RETURN(const std::string sum, AddNumbers(*old, operand));
      out.append(sum);
    } else if (operand.type() == Type::kL) {
      out.append(ConcatenateLists(old->List(), operand.List()));
    } else {
      std::vector<std::string_view> members;
      std::ranges::set_union(old->Set().Members(), operand.Set().Members(),
                             std::back_inserter(members));
      AppendSet(out, operand.type(), members);
    }
    return true;
  }

  Result<bool> AppendDifference(std::optional<ValueView> old, ValueView operand, std::string& out) {
    if (!old) return false;
    if (old->type() != operand.type() || !IsSetType(operand.type())) {
      return std::unexpected(TypeMismatch());
    }
    std::vector<std::string_view> members;
    std::ranges::set_difference(old->Set().Members(), operand.Set().Members(),
                                std::back_inserter(members));
    if (members.empty()) return false;
    AppendSet(out, operand.type(), members);
    return true;
  }

  Error TypeMismatch() const {
    return Error::Validation(
        origin_ == UpdateProgram::Origin::kLegacy
            ? "Type mismatch for attribute to update"
            : "An operand in the update expression has an incorrect data type");
  }

  UpdateProgram::Origin origin_;
};

// Everything that no change touches is copied as it is. REQUIRES: `changes` sorted by PathBefore,
// their paths disjoint.
Result<Item> Rewrite(ItemView before, Changes changes, UpdateProgram::Origin origin) {
  std::string encoded;
  encoded.reserve(before.encoded().size() + 64);
  AppendVarint(encoded, before.size());
  const std::size_t assumed = encoded.size();
  ASSIGN_OR_RETURN(const std::size_t count,
                   Rewriter(origin).RewriteMap(before, changes, 0, encoded));
  // Nothing moves if the count is as long as before, which it mostly is.
  std::string written;
  AppendVarint(written, count);
  encoded.replace(0, assumed, written);
  return Item::FromEncoded(std::move(encoded));
}

// A value is nested as deeply as its target, and the stored item has a limit.
Result<void> CheckNesting(const Path& target, ValueView value) {
  if (static_cast<int>(target.size()) - 1 + NestingDepth(value) <= kMaxNesting) return {};
  return std::unexpected(Error::Validation("Nesting Levels have exceeded supported limits"));
}

void CollectOperandPaths(const UpdateOperand& operand, PathLookup::Paths& paths) {
  if (!operand.path.empty()) paths.push_back(&operand.path);
  for (const UpdateOperand& argument : operand.arguments) CollectOperandPaths(argument, paths);
}

// One value per target: what a SET assigns, the operand of ADD and DELETE, nothing for REMOVE.
Result<std::vector<Evaluated>> EvaluateAll(const UpdateProgram& program, ItemView item) {
  PathLookup::Paths paths;
  if (program.values.size() >= PathLookup::kManyPaths) {
    for (const UpdateOperand& value : program.values) CollectOperandPaths(value, paths);
    PathLookup::Sort(paths);
  }
  const PathLookup before(item, paths);
  std::vector<Evaluated> values;
  values.reserve(program.targets.size());
  std::size_t total_bytes = 0;
  for (std::size_t i = 0; i < program.targets.size(); ++i) {
    const Update::Target& target = program.targets[i];
    if (target.action == Update::Action::kSet) {
      ASSIGN_OR_RETURN(Evaluated value, EvaluateOperand(program.values[i], before));
      RETURN_IF_ERROR(CheckNesting(target.path, value.view()));
      values.push_back(std::move(value));
    } else {
      values.emplace_back(target.constant ? target.constant->view() : ValueView());
    }
    total_bytes += values.back().view().encoded().size();
    if (total_bytes > kMaxResultBytes) return std::unexpected(UpdatedItemTooLarge());
  }
  return values;
}

}  // namespace

Result<Item> ApplyProgram(const UpdateProgram& program, ItemView before) {
  ASSIGN_OR_RETURN(const std::vector<Evaluated> values, EvaluateAll(program, before));
  std::vector<PathChange> changes;
  changes.reserve(values.size());
  for (const std::uint32_t i : program.by_path) {
    const Update::Target& target = program.targets[i];
    changes.push_back({&target.path, target.action, values[i].view()});
  }
  return Rewrite(before, changes, program.origin);
}

}  // namespace stator
