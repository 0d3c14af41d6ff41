#include "expr/update_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/try.h"
#include "expr/binding.h"
#include "expr/operand_parser.h"
#include "expr/operand_rules.h"
#include "expr/syntax.h"
#include "value/item_codec.h"

namespace stator {
namespace {

using Action = Update::Action;
using OperandKind = UpdateOperand::Kind;

constexpr ExpressionKind kUpdateKind = ExpressionKind::kUpdate;
constexpr std::array<std::string_view, 4> kUpdateKeywords = {"SET", "REMOVE", "ADD", "DELETE"};
constexpr std::array<Action, 4> kActions = {Action::kSet, Action::kRemove, Action::kAdd,
                                            Action::kDelete};

// Refers to the text.
struct UpdateSyntax {
  struct Clause {
    Update::Action action;
    const SyntaxNode* target;
    const SyntaxNode* value;  // null for REMOVE
  };
  SyntaxTree tree;                       // owns the nodes
  std::vector<Update::Action> sections;  // in written order, repeated ones too
  std::vector<Clause> clauses;           // in written order
};

std::string_view SectionName(Action action) {
  switch (action) {
    case Action::kSet:
      return "SET";
    case Action::kRemove:
      return "REMOVE";
    case Action::kAdd:
      return "ADD";
    case Action::kDelete:
      return "DELETE";
  }
  return "";
}

class UpdateParser : private OperandParser {
 public:
  explicit UpdateParser(std::string_view text) : OperandParser(text, kUpdateKeywords) {}

  Result<UpdateSyntax> Parse() && {
    RETURN_IF_ERROR(Finish(kUpdateKind, ParseSections()));
    update_.tree = std::move(tree_);
    return std::move(update_);
  }

 private:
  bool ParseSections() {
    do {
      const std::optional<Action> action = TakeSectionKeyword();
      if (!action || !ParseSection(*action)) return false;
    } while (!cursor_.AtEnd());
    return true;
  }

  std::optional<Action> TakeSectionKeyword() {
    for (const Action action : kActions) {
      if (cursor_.TakeKeyword(SectionName(action))) return action;
    }
    return std::nullopt;
  }

  bool ParseSection(Action action) {
    update_.sections.push_back(action);
    do {
      const SyntaxNode* target = ParsePath();
      if (target == nullptr) return false;
      const SyntaxNode* value = nullptr;
      if (action != Action::kRemove) {
        if (action == Action::kSet && !cursor_.TakeSymbol('=')) return false;
        value = action == Action::kSet ? ParseSetValue() : ParseValue();
        if (value == nullptr) return false;
      }
      update_.clauses.push_back({action, target, value});
    } while (cursor_.TakeSymbol(','));
    return true;
  }

  SyntaxNode* ParseSetValue() {
    SyntaxNode* left = cursor_.AtSymbol('(') ? ParseGroup() : ParseOperand();
    if (left == nullptr || left->kind == SyntaxKind::kArithmetic) return left;
    if (!cursor_.AtSymbol('+') && !cursor_.AtSymbol('-')) return left;
    SyntaxNode* sum = New(SyntaxKind::kArithmetic, cursor_.Take());
    SyntaxNode* right = ParseOperand();
    if (right == nullptr) return nullptr;
    sum->children.push_back(left);
    sum->children.push_back(right);
    return sum;
  }

  // Around a whole value, or around its first operand.
  SyntaxNode* ParseGroup() {
    if (!Enter()) return nullptr;
    const std::size_t open = cursor_.position();
    cursor_.Take();
    SyntaxNode* inner = ParseSetValue();
    if (inner == nullptr || !CloseGroup(open)) return nullptr;
    Leave();
    return inner;
  }

  UpdateSyntax update_;
};

Result<void> CheckUpdateFunctions(const SyntaxTree& tree) {
  for (const SyntaxNode& node : tree.nodes) {
    if (node.kind != SyntaxKind::kFunction) continue;
    if (IsUpdateFunction(node.text)) continue;
    return ExpressionError(kUpdateKind, ForeignFunction(node.text, "an update"));
  }
  // A list_append is a whole value, never part of one.
  for (const SyntaxNode& node : tree.nodes) {
    for (const SyntaxNode& child : node.children) {
      if (child.kind == SyntaxKind::kFunction && child.text == "list_append") {
        return ExpressionError(kUpdateKind, MisusedFunction(child.text));
      }
    }
  }
  return {};
}

Result<void> CheckSections(const std::vector<Action>& sections) {
  for (auto at = sections.begin(); at != sections.end(); ++at) {
    if (std::find(sections.begin(), at, *at) == at) continue;
    return ExpressionError(
        kUpdateKind,
        fmt::format("The \"{}\" section can only be used once in an update expression;",
                    SectionName(*at)));
  }
  return {};
}

// The name of a type in messages about ADD and DELETE.
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
  if (IsSetType(type) || (type == Type::kN && target.action == Action::kAdd)) return {};
  // DELETE names the type set of ADD, too.
  return ExpressionError(
      kUpdateKind,
      fmt::format("Incorrect operand type for operator or function; operator: {}, operand type: "
                  "{}, typeSet: ALLOWED_FOR_ADD_OPERAND",
                  SectionName(target.action), LongTypeName(type)));
}

class UpdateBinder {
 public:
  UpdateBinder(const SyntaxTree& tree, Placeholders& placeholders)
      : tree_(tree), placeholders_(placeholders), bound_(tree.nodes.size()) {}

  // All names of the expression, then all values.
  Result<void> LookUp() {
    for (const SyntaxNode& node : tree_.nodes) {
      if (node.kind != SyntaxKind::kPath) continue;
      RETURN_IF_ERROR(BindPath(node, kUpdateKind, placeholders_, Of(node).path));
    }
    for (const SyntaxNode& node : tree_.nodes) {
      if (node.kind != SyntaxKind::kValue) continue;
      ASSIGN_OR_RETURN(Of(node).value, BindValue(node, kUpdateKind, placeholders_));
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
        return UpdateOperand{.kind = OperandKind::kPath, .path = std::move(Of(node).path)};
      case SyntaxKind::kValue:
        return UpdateOperand{.kind = OperandKind::kConstant, .constant = *Of(node).value};
      case SyntaxKind::kArithmetic:
        return Call(node, node.text == "+" ? OperandKind::kPlus : OperandKind::kMinus, Type::kN);
      default:
        break;
    }
    if (node.children.size() != 2) return CountMismatch(node);
    if (node.text == "if_not_exists") return IfNotExists(node);
    return Call(node, OperandKind::kListAppend, Type::kL);
  }

 private:
  // A path or the value of a placeholder. A path is moved to the one place that needs it.
  struct Bound {
    Path path;
    const AttributeValue* value = nullptr;
  };

  Bound& Of(const SyntaxNode& node) { return bound_[tree_.PositionOf(node)]; }

  Result<UpdateOperand> Call(const SyntaxNode& node, OperandKind kind, Type wanted) {
    UpdateOperand call{.kind = kind};
    call.arguments.reserve(node.children.size());
    for (const SyntaxNode& child : node.children) {
      ASSIGN_OR_RETURN(call.arguments.emplace_back(), Operand(child));
    }
    for (const UpdateOperand& argument : call.arguments) {
      const std::optional<Type> type = StaticType(argument);
      if (type && *type != wanted) {
        return ExpressionError(kUpdateKind, WrongOperandType(node.text, TypeName(*type)));
      }
    }
    return call;
  }

  Result<UpdateOperand> IfNotExists(const SyntaxNode& node) {
    if (node.children.front().kind != SyntaxKind::kPath) {
      return ExpressionError(kUpdateKind, PathRequired(node.text));
    }
    UpdateOperand call{.kind = OperandKind::kIfNotExists,
                       .path = std::move(Of(node.children.front()).path)};
    ASSIGN_OR_RETURN(call.arguments.emplace_back(), Operand(node.children.back()));
    return call;
  }

  // Problems of the arguments themselves come first.
  Result<UpdateOperand> CountMismatch(const SyntaxNode& node) {
    for (const SyntaxNode& child : node.children) RETURN_IF_ERROR(Operand(child));
    return ExpressionError(kUpdateKind, WrongOperandCount(node.text, node.children.size()));
  }

  const SyntaxTree& tree_;
  Placeholders& placeholders_;
  std::vector<Bound> bound_;  // by the position of a node
};

Result<void> CheckTargets(const UpdateProgram& program) {
  std::vector<const Path*> paths;
  paths.reserve(program.targets.size());
  for (const Update::Target& target : program.targets) paths.push_back(&target.path);
  RETURN_IF_ERROR(RefuseFor(kUpdateKind, RelatedPaths(paths)));
  for (const Update::Target& target : program.targets) RETURN_IF_ERROR(CheckSectionOperand(target));
  return {};
}

}  // namespace

Result<UpdateProgram> ParseUpdateProgram(std::string_view text, Placeholders& placeholders) {
  RETURN_IF_ERROR(CheckExpressionText(text, kUpdateKind));
  ASSIGN_OR_RETURN(const UpdateSyntax syntax, UpdateParser(text).Parse());
  RETURN_IF_ERROR(CheckReservedWords(syntax.tree, kUpdateKind));
  RETURN_IF_ERROR(CheckUpdateFunctions(syntax.tree));
  RETURN_IF_ERROR(CheckSections(syntax.sections));
  RETURN_IF_ERROR(CheckOperatorCount(syntax.tree, kUpdateKind));
  UpdateBinder binder(syntax.tree, placeholders);
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
