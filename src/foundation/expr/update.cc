#include "expr/update.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "expr/path_set.h"
#include "expr/update_binder.h"
#include "expr/update_evaluator.h"
#include "expr/update_parser.h"
#include "expr/update_program.h"
#include "expr/update_rewrite.h"
#include "value/item_codec.h"

namespace stator {
namespace {

// A value stands as deep as its target; the stored item may not become deeper than allowed.
Result<void> CheckNesting(const Path& target, ValueView value) {
  if (static_cast<int>(target.size()) - 1 + NestingDepth(value) <= kMaxNesting) return {};
  return std::unexpected(Error::Validation("Nesting Levels have exceeded supported limits"));
}

// What every SET assigns; one element for each target, the others stand for nothing.
Result<std::vector<Evaluated>> EvaluateAll(const UpdateProgram& program, ItemView before) {
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

void CollectPaths(const UpdateOperand& operand, std::vector<Path>& paths) {
  if (!operand.path.empty()) paths.push_back(operand.path);
  for (const UpdateOperand& argument : operand.arguments) CollectPaths(argument, paths);
}

}  // namespace

Result<Update> Update::Parse(std::string_view text, Placeholders& placeholders) {
  ASSIGN_OR_RETURN(const UpdateSyntax syntax, ParseUpdateSyntax(text));
  ASSIGN_OR_RETURN(UpdateProgram program, BindUpdate(syntax, placeholders));
  return Update(std::make_shared<const UpdateProgram>(std::move(program)));
}

Update Update::FromProgram(UpdateProgram program) {
  return Update(std::make_shared<const UpdateProgram>(std::move(program)));
}

const std::vector<Update::Target>& Update::targets() const { return program_->targets; }

std::vector<Path> Update::OperandPaths() const {
  std::vector<Path> paths;
  for (const UpdateOperand& value : program_->values) CollectPaths(value, paths);
  return paths;
}

Result<Item> Update::Apply(ItemView before) const {
  ASSIGN_OR_RETURN(const std::vector<Evaluated> values, EvaluateAll(*program_, before));
  std::vector<PathChange> changes;
  changes.reserve(values.size());
  for (const std::uint32_t i : program_->by_path) {
    const Target& target = program_->targets[i];
    changes.push_back({&target.path, target.action, values[i].view()});
  }
  return Rewrite(before, changes, program_->origin);
}

Item Update::SelectTargets(ItemView item) const {
  std::vector<Path> sorted;
  sorted.reserve(program_->targets.size());
  for (const std::uint32_t i : program_->by_path) sorted.push_back(program_->targets[i].path);
  return SelectPaths(item, sorted);
}

}  // namespace stator
