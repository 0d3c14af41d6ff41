#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "model/keys/truth.h"
#include "model/names.h"
#include "model/plan/plan.h"

namespace stator::model {
namespace {

// "{c}" is the parameter $c; a value with more than that is shown in quotes.
std::string ValueWords(const std::string& value) {
  const bool one = value.size() > 2 && value.front() == '{' && value.back() == '}' &&
                   value[1] != '{' && value.find('}') == value.size() - 1 &&
                   value.find(':') == std::string::npos;
  if (one) {
    const std::string name = value.substr(1, value.size() - 2);
    return name.starts_with("now") ? name : "$" + name;
  }
  return value.find('{') == std::string::npos ? value : '"' + value + '"';
}

std::string ClauseWords(const PlanClause& clause) {
  if (clause.comparison == Comparison::kBeginsWith) {
    return fmt::format("begins_with({}, {})", clause.attribute, ValueWords(clause.values.front()));
  }
  std::string text = fmt::format("{} {} ", clause.attribute, ComparisonText(clause.comparison));
  for (std::size_t i = 0; i < clause.values.size(); ++i) {
    text += (i > 0 ? " and " : "") + ValueWords(clause.values[i]);
  }
  return text;
}

std::string ConditionWords(const Plan& plan) {
  std::string text;
  for (const PlanClause& clause : plan.key)
    text += (text.empty() ? "" : " and ") + ClauseWords(clause);
  return text;
}

std::string FilterWords(const Plan& plan) {
  std::string text;
  for (const Term& term : plan.residue) text += (text.empty() ? "" : " and ") + TermText(term);
  if (plan.pattern->read.filter) {
    text += (text.empty() ? "" : " and ") + plan.pattern->read.filter->text;
  }
  return text;
}

std::string_view EffectName(IndexEffect::Kind kind) {
  switch (kind) {
    case IndexEffect::Kind::kNone:
      return "stays";
    case IndexEffect::Kind::kPut:
      return "enters";
    case IndexEffect::Kind::kRemove:
      return "leaves";
    case IndexEffect::Kind::kUpdate:
      return "updates";
    case IndexEffect::Kind::kMove:
      return "moves in";
  }
  return "?";
}

std::string EffectWords(const Plan& plan) {
  std::string text;
  for (const IndexEffect& effect : plan.effects) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", EffectName(effect.kind),
                        effect.index->name);
    if (effect.share < 1) text += fmt::format(" ({:.3g}%)", effect.share * 100);
  }
  return text;
}

std::string Source(const Plan& plan) {
  if (plan.table == nullptr) return {};
  return plan.index == nullptr ? plan.table->id : plan.table->id + "." + plan.index->name;
}

std::string ReadText(const Plan& plan) {
  std::string text = fmt::format("{} {}", OperationName(plan.operation), Source(plan));
  if (const std::string key = ConditionWords(plan); !key.empty()) text += ": " + key;
  if (const std::string filter = FilterWords(plan); !filter.empty()) text += "; filter " + filter;
  if (plan.calls > 1) text += fmt::format("; {} requests", plan.calls);
  return text;
}

std::string WriteText(const Plan& plan) {
  std::string text = fmt::format("{} {}", OperationName(plan.operation), plan.entity->name);
  if (!plan.condition.empty()) text += " if " + plan.condition;
  if (!plan.derived.empty()) {
    text += "; derives ";
    for (const std::string& key : plan.derived) text += (text.ends_with(' ') ? "" : ", ") + key;
  }
  if (const std::string effects = EffectWords(plan); !effects.empty()) text += "; " + effects;
  if (plan.operation == Operation::kTransactWriteItems) {
    for (const std::vector<std::string>& names : plan.entity->unique) {
      text += fmt::format("; an item of its own keeps {} unique", List(names));
    }
  }
  return text;
}

std::string TransactionText(const Plan& plan) {
  std::string text = std::string(OperationName(plan.operation)) + " [";
  for (std::size_t i = 0; i < plan.parts.size(); ++i) {
    if (i > 0) text += " | ";
    text += PlanText(plan.parts[i]);
  }
  return text + "]";
}

// "STATUS#{status}" → "STATUS#<status>"
std::string WithAngles(std::string text) {
  std::ranges::replace(text, '{', '<');
  std::ranges::replace(text, '}', '>');
  return text;
}

std::string ValueAt(const PlanClause& clause, std::size_t at) {
  return at < clause.values.size() ? WithAngles(clause.values[at]) : "?";
}

std::string ClauseText(const PlanClause& clause) {
  if (clause.comparison == Comparison::kBetween) {
    return clause.attribute + " BETWEEN " + ValueAt(clause, 0) + " AND " + ValueAt(clause, 1);
  }
  if (clause.comparison == Comparison::kBeginsWith) {
    return "begins_with(" + clause.attribute + ", " + ValueAt(clause, 0) + ")";
  }
  return clause.attribute + " " + std::string(ComparisonText(clause.comparison)) + " " +
         ValueAt(clause, 0);
}

}  // namespace

std::string_view OperationName(Operation operation) {
  switch (operation) {
    case Operation::kNone:
      return "none";
    case Operation::kGetItem:
      return "GetItem";
    case Operation::kBatchGetItem:
      return "BatchGetItem";
    case Operation::kQuery:
      return "Query";
    case Operation::kScan:
      return "Scan";
    case Operation::kPutItem:
      return "PutItem";
    case Operation::kUpdateItem:
      return "UpdateItem";
    case Operation::kDeleteItem:
      return "DeleteItem";
    case Operation::kTransactGetItems:
      return "TransactGetItems";
    case Operation::kTransactWriteItems:
      return "TransactWriteItems";
  }
  return "?";
}

std::string PlanText(const Plan& plan) {
  switch (plan.operation) {
    case Operation::kNone:
      return plan.obstacle;
    case Operation::kGetItem:
    case Operation::kBatchGetItem:
    case Operation::kQuery:
    case Operation::kScan:
      return ReadText(plan);
    case Operation::kTransactGetItems:
    case Operation::kTransactWriteItems:
      if (!plan.parts.empty()) return TransactionText(plan);
      [[fallthrough]];
    default:
      return WriteText(plan);
  }
}

std::string KeyWords(const Plan& plan) {
  std::string out;
  for (const PlanClause& clause : plan.key)
    out += (out.empty() ? "" : " AND ") + ClauseText(clause);
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

int ShardsOf(const Plan& plan) {
  if (plan.index == nullptr || !plan.index->shards) return 1;
  const Shards& shards = *plan.index->shards;
  const auto fixes_it = [&](const Term& term) {
    return term.attribute == shards.by && term.comparison == Comparison::kEqual;
  };
  const bool known = !shards.by.empty() &&
                     (std::ranges::any_of(plan.pattern->read.where, fixes_it) ||
                      std::ranges::find(plan.pattern->by, shards.by) != plan.pattern->by.end());
  return known ? 1 : std::max(1, shards.count);
}

bool Concerns(const Plan& plan, const Entity& entity) {
  if (plan.entity != nullptr) return plan.entity == &entity;
  return std::ranges::count(plan.present, &entity) > 0;
}

bool IsWanted(const Plan& plan, const Entity& entity) {
  if (plan.entity != nullptr) return plan.entity == &entity;
  const std::vector<std::string>& named = plan.pattern->entities;
  return named.empty() || std::ranges::find(named, entity.name) != named.end();
}

}  // namespace stator::model
