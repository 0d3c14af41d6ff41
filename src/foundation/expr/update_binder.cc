#include "expr/update_binder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/try.h"
#include "expr/binding.h"
#include "expr/expression_text.h"
#include "expr/path_set.h"

namespace stator {
namespace {

using Action = Update::Action;
using Kind = UpdateOperand::Kind;

constexpr ExpressionKind kKind = ExpressionKind::kUpdate;

Result<void> CheckFunctionNames(const SyntaxTree& tree) {
  for (const SyntaxNode& node : tree.nodes) {
    if (node.kind != SyntaxKind::kFunction) continue;
    if (node.text == "if_not_exists" || node.text == "list_append") continue;
    return ExpressionError(kKind, fmt::format("Invalid function name; function: {}", node.text));
  }
  return {};
}

Result<void> CheckSections(const std::vector<Action>& sections) {
  for (auto at = sections.begin(); at != sections.end(); ++at) {
    if (std::find(sections.begin(), at, *at) == at) continue;
    return ExpressionError(
        kKind, fmt::format("The \"{}\" section can only be used once in an update expression;",
                           SectionName(*at)));
  }
  return {};
}

// How the messages about ADD and DELETE call a type.
std::string_view LongTypeName(Type type) {
  switch (type) {
    case Type::kS:
      return "STRING";
    case Type::kN:
      return "NUMBER";
    case Type::kB:
      return "BINARY";
    case Type::kL:
      return "LIST";
    case Type::kM:
      return "MAP";
    default:
      return TypeName(type);
  }
}

Result<void> CheckSectionOperand(const Update::Target& target) {
  if (target.action != Action::kAdd && target.action != Action::kDelete) return {};
  const Type type = target.constant->type();
  const bool is_set = type == Type::kSS || type == Type::kNS || type == Type::kBS;
  if (is_set || (type == Type::kN && target.action == Action::kAdd)) return {};
  // DELETE names the type set of ADD, too.
  return ExpressionError(
      kKind,
      fmt::format("Incorrect operand type for operator or function; operator: {}, operand type: "
                  "{}, typeSet: ALLOWED_FOR_ADD_OPERAND",
                  SectionName(target.action), LongTypeName(type)));
}

// The type that the value of an operand must have, if that can be said without an item.
std::optional<Type> StaticType(const UpdateOperand& operand) {
  switch (operand.kind) {
    case Kind::kPath:
      return std::nullopt;
    case Kind::kConstant:
      return operand.constant.type();
    case Kind::kIfNotExists:
      return StaticType(operand.arguments.front());
    case Kind::kListAppend:
      return Type::kL;
    case Kind::kPlus:
    case Kind::kMinus:
      return Type::kN;
  }
  return std::nullopt;
}

class Binder {
 public:
  Binder(const SyntaxTree& tree, Placeholders& placeholders)
      : tree_(tree), placeholders_(placeholders), bound_(tree.nodes.size()) {}

  // All names of the expression, then all values.
  Result<void> LookUp() {
    for (const SyntaxNode& node : tree_.nodes) {
      if (node.kind != SyntaxKind::kPath) continue;
      RETURN_IF_ERROR(BindPath(node, kKind, placeholders_, Of(node).path));
    }
    for (const SyntaxNode& node : tree_.nodes) {
      if (node.kind != SyntaxKind::kValue) continue;
      ASSIGN_OR_RETURN(Of(node).value, BindValue(node, kKind, placeholders_));
    }
    return {};
  }

  Update::Target Target(const UpdateSyntax::Clause& clause) {
    Update::Target target{.path = std::move(Of(*clause.target).path), .action = clause.action};
    if (clause.value != nullptr && clause.value->kind == SyntaxKind::kValue) {
      target.constant = *Of(*clause.value).value;
    }
    return target;
  }

  Result<UpdateOperand> Operand(const SyntaxNode& node) {
    switch (node.kind) {
      case SyntaxKind::kPath:
        return UpdateOperand{.kind = Kind::kPath, .path = std::move(Of(node).path)};
      case SyntaxKind::kValue:
        return UpdateOperand{.kind = Kind::kConstant, .constant = *Of(node).value};
      case SyntaxKind::kArithmetic:
        return Call(node, node.text == "+" ? Kind::kPlus : Kind::kMinus, Type::kN);
      default:
        break;
    }
    if (node.children.size() != 2) return CountMismatch(node);
    if (node.text == "if_not_exists") return IfNotExists(node);
    return Call(node, Kind::kListAppend, Type::kL);
  }

 private:
  // What a path or a value placeholder stands for. A path is moved to the one place that needs it.
  struct Bound {
    Path path;
    const AttributeValue* value = nullptr;
  };

  Bound& Of(const SyntaxNode& node) { return bound_[tree_.PositionOf(node)]; }

  Result<UpdateOperand> Call(const SyntaxNode& node, Kind kind, Type wanted) {
    UpdateOperand call{.kind = kind};
    call.arguments.reserve(node.children.size());
    for (const SyntaxNode& child : node.children) {
      ASSIGN_OR_RETURN(call.arguments.emplace_back(), Operand(child));
    }
    for (const UpdateOperand& argument : call.arguments) {
      const std::optional<Type> type = StaticType(argument);
      if (type && *type != wanted) return OperandTypeError(kKind, node.text, TypeName(*type));
    }
    return call;
  }

  Result<UpdateOperand> IfNotExists(const SyntaxNode& node) {
    if (node.children.front().kind != SyntaxKind::kPath) return PathRequiredError(kKind, node.text);
    UpdateOperand call{.kind = Kind::kIfNotExists,
                       .path = std::move(Of(node.children.front()).path)};
    ASSIGN_OR_RETURN(call.arguments.emplace_back(), Operand(node.children.back()));
    return call;
  }

  // Problems of the arguments themselves come first.
  Result<UpdateOperand> CountMismatch(const SyntaxNode& node) {
    for (const SyntaxNode& child : node.children) RETURN_IF_ERROR(Operand(child));
    return OperandCountError(kKind, node);
  }

  const SyntaxTree& tree_;
  Placeholders& placeholders_;
  std::vector<Bound> bound_;  // by the position of a node
};

Result<void> CheckTargets(const UpdateProgram& program) {
  std::vector<const Path*> paths;
  paths.reserve(program.targets.size());
  for (const Update::Target& target : program.targets) paths.push_back(&target.path);
  RETURN_IF_ERROR(CheckDisjoint(paths, kKind));
  for (const Update::Target& target : program.targets) RETURN_IF_ERROR(CheckSectionOperand(target));
  return {};
}

}  // namespace

void UpdateProgram::SortTargets() {
  by_path.resize(targets.size());
  for (std::uint32_t i = 0; i < by_path.size(); ++i) by_path[i] = i;
  std::ranges::sort(by_path, [this](std::uint32_t a, std::uint32_t b) {
    return PathBefore(targets[a].path, targets[b].path);
  });
}

Result<UpdateProgram> BindUpdate(const UpdateSyntax& syntax, Placeholders& placeholders) {
  RETURN_IF_ERROR(CheckReservedWords(syntax.tree, kKind));
  RETURN_IF_ERROR(CheckFunctionNames(syntax.tree));
  RETURN_IF_ERROR(CheckSections(syntax.sections));
  RETURN_IF_ERROR(CheckOperatorCount(syntax.tree, kKind));
  Binder binder(syntax.tree, placeholders);
  RETURN_IF_ERROR(binder.LookUp());
  UpdateProgram program;
  program.targets.reserve(syntax.clauses.size());
  for (const auto& clause : syntax.clauses) program.targets.push_back(binder.Target(clause));
  RETURN_IF_ERROR(CheckTargets(program));
  program.values.reserve(syntax.clauses.size());
  for (const auto& clause : syntax.clauses) {
    UpdateOperand& value = program.values.emplace_back();
    if (clause.action == Action::kSet) {
      ASSIGN_OR_RETURN(value, binder.Operand(*clause.value));
    }
  }
  program.SortTargets();
  return program;
}

}  // namespace stator
