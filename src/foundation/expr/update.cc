#include "expr/update.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/try.h"
#include "expr/legacy_comparison.h"
#include "expr/update_evaluator.h"
#include "expr/update_parser.h"
#include "value/item_codec.h"
#include "value/number.h"
#include "value/size.h"

namespace stator {
namespace {

void CollectPaths(const UpdateOperand& operand, std::vector<Path>& paths) {
  if (!operand.path.empty()) paths.push_back(operand.path);
  for (const UpdateOperand& argument : operand.arguments) CollectPaths(argument, paths);
}

// ADD appends to a list.
bool CanBeAdded(Type type) { return type == Type::kN || type == Type::kL || IsSetType(type); }

Result<Update::Action> ActionOf(const AttributeUpdate& update) {
  const AttributeAction action =
      update.action && update.action->is_known() ? update.action->value() : AttributeAction::kPut;
  if (!update.value) {
    if (action == AttributeAction::kDelete) return Update::Action::kRemove;
    return InvalidParameters("Only DELETE action is allowed when no attribute value is specified");
  }
  const Type type = update.value->type();
  switch (action) {
    case AttributeAction::kPut:
      return Update::Action::kSet;
    case AttributeAction::kAdd:
      if (CanBeAdded(type)) return Update::Action::kAdd;
      return InvalidParameters(
          fmt::format("ADD action is not supported for the type {}", TypeName(type)));
    case AttributeAction::kDelete:
      break;
  }
  if (IsSetType(type)) return Update::Action::kDelete;
  return InvalidParameters(
      fmt::format("DELETE action with value is not supported for the type {}", TypeName(type)));
}

// The size of a statement itself, which counts like the size of an item (behaviour.md §6.3).
constexpr std::size_t kStatement = 3;
constexpr std::size_t kAssigning = 19;  // a SET or ADD clause
constexpr std::size_t kRemoving = 1;    // a REMOVE or DELETE clause
constexpr std::size_t kTargetStep = 4;
constexpr std::size_t kPathOperand = 1;
constexpr std::size_t kPathOperandStep = 14;
constexpr std::size_t kPlus = 34;
constexpr std::size_t kMinus = 37;
constexpr std::size_t kIfNotExists = 39;
constexpr std::size_t kListAppend = 37;

std::size_t ElementBytes(const PathElement& element) {
  return element.is_index ? std::to_string(element.index).size() : element.name.size();
}

std::size_t TargetBytes(const Path& path) {
  std::size_t bytes = ElementBytes(path.front());
  for (std::size_t i = 1; i < path.size(); ++i) bytes += kTargetStep + ElementBytes(path[i]);
  return bytes;
}

std::size_t PathOperandBytes(const Path& path) {
  std::size_t bytes = kPathOperand;
  for (const PathElement& element : path) bytes += kPathOperandStep + ElementBytes(element);
  return bytes;
}

std::size_t OperandBytes(const UpdateOperand& operand) {
  std::size_t bytes = 0;
  switch (operand.kind) {
    case UpdateOperand::Kind::kPath:
      return PathOperandBytes(operand.path);
    case UpdateOperand::Kind::kConstant:
      return ValueSizeBytes(operand.constant.view());
    case UpdateOperand::Kind::kIfNotExists:
      bytes = kIfNotExists + PathOperandBytes(operand.path);
      break;
    case UpdateOperand::Kind::kListAppend:
      bytes = kListAppend;
      break;
    case UpdateOperand::Kind::kPlus:
      bytes = kPlus;
      break;
    case UpdateOperand::Kind::kMinus:
      bytes = kMinus;
      break;
  }
  for (const UpdateOperand& argument : operand.arguments) bytes += OperandBytes(argument);
  return bytes;
}

// The size of the members that are in both sets. REQUIRES: sets of the same type.
std::size_t CommonMemberBytes(SetView a, SetView b) {
  std::vector<std::string_view> common;
  std::ranges::set_intersection(a.Members(), b.Members(), std::back_inserter(common));
  std::size_t bytes = 0;
  for (const std::string_view member : common) {
    bytes +=
        a.type() == Type::kNS ? static_cast<std::size_t>(NumberSizeBytes(member)) : member.size();
  }
  return bytes;
}

// Of a set, only the members that the old set does not have.
std::size_t AddedBytes(const Update::Target& target, ItemView before) {
  const ValueView operand = target.constant->view();
  const std::size_t all = ValueSizeBytes(operand);
  if (operand.type() == Type::kN) return all;
  const std::optional<ValueView> old = Resolve(before, target.path);
  if (!old || old->type() != operand.type()) return all;
  return all - CommonMemberBytes(operand.Set(), old->Set());
}

std::size_t ClauseBytes(const Update::Target& target, const UpdateOperand& value, ItemView before) {
  switch (target.action) {
    case Update::Action::kSet:
      return kAssigning + TargetBytes(target.path) + OperandBytes(value);
    case Update::Action::kAdd:
      return kAssigning + TargetBytes(target.path) + AddedBytes(target, before);
    default:
      return kRemoving + TargetBytes(target.path);
  }
}

}  // namespace

void UpdateProgram::SortTargets() {
  by_path.resize(targets.size());
  std::iota(by_path.begin(), by_path.end(), 0U);
  std::ranges::sort(by_path, [this](std::uint32_t a, std::uint32_t b) {
    return PathBefore(targets[a].path, targets[b].path);
  });
}

Result<Update> Update::Parse(std::string_view text, Placeholders& placeholders) {
  ASSIGN_OR_RETURN(UpdateProgram program, ParseUpdateProgram(text, placeholders));
  return FromProgram(std::move(program));
}

Update Update::FromProgram(UpdateProgram program) {
  return Update(std::make_shared<const UpdateProgram>(std::move(program)));
}

const std::vector<Update::Target>& Update::targets() const { return program_->targets; }

bool Update::OnlyRemoves() const {
  return std::ranges::all_of(program_->targets, [](const Target& target) {
    return target.action == Action::kRemove || target.action == Action::kDelete;
  });
}

const Update::Target* Update::TargetIn(std::string_view attribute) const {
  const auto name = [this](std::uint32_t at) -> std::string_view {
    return program_->targets[at].path.front().name;
  };
  const auto found = std::ranges::lower_bound(program_->by_path, attribute, {}, name);
  if (found == program_->by_path.end() || name(*found) != attribute) return nullptr;
  return &program_->targets[*found];
}

std::vector<Path> Update::OperandPaths() const {
  std::vector<Path> paths;
  for (const UpdateOperand& value : program_->values) CollectPaths(value, paths);
  return paths;
}

Result<Item> Update::Apply(ItemView before) const { return ApplyProgram(*program_, before); }

Item Update::SelectTargets(ItemView item) const {
  std::vector<Path> sorted;
  sorted.reserve(program_->targets.size());
  for (const std::uint32_t i : program_->by_path) sorted.push_back(program_->targets[i].path);
  return SelectPaths(item, sorted);
}

Result<Update> Update::FromAttributeUpdates(const AttributeUpdateMap& updates, Wording wording) {
  UpdateProgram program{.origin = UpdateProgram::Origin::kLegacy};
  for (const auto& [name, update] : updates) {
    RETURN_IF_ERROR(CheckAttributeName(name));
    if (update.value) RETURN_IF_ERROR(CheckArgumentValues({&*update.value, 1}, wording));
    ASSIGN_OR_RETURN(const Action action, ActionOf(update));
    program.targets.push_back(
        {.path = {{.name = name}}, .action = action, .constant = update.value});
    UpdateOperand& value = program.values.emplace_back();
    if (action == Action::kSet) value.constant = *update.value;
  }
  program.SortTargets();
  return FromProgram(std::move(program));
}

std::size_t Update::StatementBytes(ItemView before) const {
  if (program_->origin == UpdateProgram::Origin::kLegacy) return 0;
  std::size_t bytes = kStatement;
  for (std::size_t i = 0; i < program_->targets.size(); ++i) {
    bytes += ClauseBytes(program_->targets[i], program_->values[i], before);
    // One value may stand in many clauses.
    if (bytes > kMaxItemBytes) break;
  }
  return bytes;
}

}  // namespace stator
