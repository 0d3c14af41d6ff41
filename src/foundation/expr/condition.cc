#include "expr/condition.h"

#include <utility>

#include "base/try.h"
#include "expr/condition_binder.h"
#include "expr/condition_node.h"
#include "expr/condition_parser.h"

namespace stator {
namespace {

void CollectPaths(const ConditionNode& node, std::vector<Path>& paths) {
  for (const Operand& operand : node.operands) {
    if (const Path* path = std::get_if<Path>(&operand.source)) paths.push_back(*path);
  }
  for (const ConditionNode& child : node.children) CollectPaths(child, paths);
}

}  // namespace

Result<Condition> Condition::Parse(std::string_view text, ExpressionKind kind,
                                   Placeholders& placeholders) {
  ASSIGN_OR_RETURN(const SyntaxTree tree, ParseConditionSyntax(text, kind));
  ASSIGN_OR_RETURN(ConditionNode root, BindCondition(tree, kind, placeholders));
  return Condition(std::make_shared<const ConditionNode>(std::move(root)));
}

Condition Condition::FromNode(ConditionNode root) {
  return Condition(std::make_shared<const ConditionNode>(std::move(root)));
}

bool Condition::Evaluate(ItemView item) const { return Holds(*root_, item); }

std::vector<Path> Condition::Paths() const {
  std::vector<Path> paths;
  CollectPaths(*root_, paths);
  return paths;
}

}  // namespace stator
