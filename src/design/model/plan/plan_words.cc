#include "model/plan/plan_words.h"

#include <algorithm>

namespace stator::model {
namespace {

// "STATUS#{status}" → "STATUS#<status>"
std::string Angles(std::string text) {
  std::ranges::replace(text, '{', '<');
  std::ranges::replace(text, '}', '>');
  return text;
}

std::string ValueAt(const KeyClause& clause, std::size_t at) {
  return at < clause.values.size() ? Angles(clause.values[at]) : "?";
}

std::string_view Sign(Comparison comparison) {
  switch (comparison) {
    case Comparison::kLess:
      return "<";
    case Comparison::kLessOrEqual:
      return "<=";
    case Comparison::kGreater:
      return ">";
    case Comparison::kGreaterOrEqual:
      return ">=";
    case Comparison::kNotEqual:
      return "<>";
    default:
      return "=";
  }
}

std::string ClauseText(const KeyClause& clause) {
  if (clause.comparison == Comparison::kBetween) {
    return clause.attribute + " BETWEEN " + ValueAt(clause, 0) + " AND " + ValueAt(clause, 1);
  }
  if (clause.comparison == Comparison::kBeginsWith) {
    return "begins_with(" + clause.attribute + ", " + ValueAt(clause, 0) + ")";
  }
  return clause.attribute + " " + std::string(Sign(clause.comparison)) + " " + ValueAt(clause, 0);
}

}  // namespace

std::string KeyWords(const Plan& plan) {
  std::string out;
  for (const KeyClause& clause : plan.key) out += (out.empty() ? "" : " AND ") + ClauseText(clause);
  if (!out.empty() && plan.pattern != nullptr && plan.pattern->read.descending) out += ", DESC";
  return out;
}

std::string IndexWord(const Plan& plan) {
  if (plan.table == nullptr) return "";
  return plan.index == nullptr ? "Main" : plan.index->name;
}

std::string EntityWords(const Plan& plan) {
  if (plan.entity != nullptr) return plan.entity->name;
  std::string out;
  for (const Entity* entity : plan.present) out += (out.empty() ? "" : ", ") + entity->name;
  return out;
}

bool IsRead(const Plan& plan) {
  if (plan.pattern == nullptr) return false;
  const PatternKind kind = plan.pattern->kind;
  return kind == PatternKind::kGet || kind == PatternKind::kQuery || kind == PatternKind::kScan;
}

bool Concerns(const Plan& plan, const Entity& entity) {
  if (plan.entity != nullptr) return plan.entity == &entity;
  return std::ranges::count(plan.present, &entity) > 0;
}

}  // namespace stator::model
