// The size of an update statement itself, which counts like the size of an item (behaviour.md
// §6.3).
#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "expr/update.h"
#include "expr/update_program.h"
#include "value/number.h"
#include "value/size.h"

namespace stator {
namespace {

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

// The size of the members that are in both sets, which are of one type.
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

// Of a set, only the members that are not there yet.
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

std::size_t Update::StatementBytes(ItemView before) const {
  if (program_->origin == UpdateProgram::Origin::kLegacy) return 0;
  std::size_t bytes = kStatement;
  for (std::size_t i = 0; i < program_->targets.size(); ++i) {
    bytes += ClauseBytes(program_->targets[i], program_->values[i], before);
  }
  return bytes;
}

}  // namespace stator
