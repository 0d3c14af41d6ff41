#include <fmt/format.h>

#include <span>
#include <utility>

#include "base/try.h"
#include "expr/legacy_comparison.h"
#include "expr/update.h"
#include "expr/update_program.h"

namespace stator {
namespace {

std::unexpected<Error> Refused(std::string_view reason) {
  return std::unexpected(
      Error::Validation(fmt::format("One or more parameter values were invalid: {}", reason)));
}

bool IsSet(Type type) { return type == Type::kSS || type == Type::kNS || type == Type::kBS; }

// A list is appended to.
bool CanBeAdded(Type type) { return type == Type::kN || type == Type::kL || IsSet(type); }

Result<Update::Action> ActionOf(const AttributeUpdate& update) {
  const AttributeAction action =
      update.action && update.action->is_known() ? update.action->value() : AttributeAction::kPut;
  if (!update.value) {
    if (action == AttributeAction::kDelete) return Update::Action::kRemove;
    return Refused("Only DELETE action is allowed when no attribute value is specified");
  }
  const Type type = update.value->type();
  switch (action) {
    case AttributeAction::kPut:
      return Update::Action::kSet;
    case AttributeAction::kAdd:
      if (CanBeAdded(type)) return Update::Action::kAdd;
      return Refused(fmt::format("ADD action is not supported for the type {}", TypeName(type)));
    case AttributeAction::kDelete:
      break;
  }
  if (IsSet(type)) return Update::Action::kDelete;
  return Refused(
      fmt::format("DELETE action with value is not supported for the type {}", TypeName(type)));
}

}  // namespace

Result<Update> Update::FromAttributeUpdates(const AttributeUpdateMap& updates, Wording wording) {
  UpdateProgram program{.origin = UpdateProgram::Origin::kLegacy};
  for (const auto& [name, update] : updates) {
    if (update.value) RETURN_IF_ERROR(CheckArgumentValues({&*update.value, 1}, wording));
    ASSIGN_OR_RETURN(const Action action, ActionOf(update));
    program.targets.push_back(
        {.path = {{.name = name}}, .action = action, .constant = update.value});
    UpdateOperand& value = program.values.emplace_back();
    if (action == Action::kSet) value.constant = *update.value;
  }
  program.SortTargets();
  return Update(std::make_shared<const UpdateProgram>(std::move(program)));
}

}  // namespace stator
