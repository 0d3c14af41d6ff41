#include <fmt/format.h>

#include <string>

#include "model/parse/known_names.h"
#include "model/parse/reference_check.h"

namespace stator::model {

void ReferenceCheck::CheckPatterns() {
  for (Pattern& pattern : model_.patterns) {
    switch (pattern.kind) {
      case PatternKind::kGet:
      case PatternKind::kQuery:
      case PatternKind::kScan:
        CheckRead(pattern);
        break;
      case PatternKind::kWrite:
        CheckWrite(pattern);
        break;
      case PatternKind::kTransaction:
        CheckTransaction(pattern);
        break;
    }
  }
}

void ReferenceCheck::CheckRead(Pattern& pattern) {
  ReadDetail& read = pattern.read;
  if (pattern.kind == PatternKind::kGet) {
    const Entity* entity = RequireEntity(pattern.entity, {"patterns", pattern.name, "get"});
    if (entity == nullptr) return;
    read.table = entity->table;
  } else {
    CheckReadSource(pattern);
  }
  if (const Table* table = FindTable(read.table)) CheckReadNames(pattern, *table);
}

void ReferenceCheck::CheckReadSource(Pattern& pattern) {
  ReadDetail& read = pattern.read;
  const std::string_view kind = pattern.kind == PatternKind::kQuery ? "query" : "scan";
  const Table* table = RequireTable(read.table, {"patterns", pattern.name, kind});
  if (table == nullptr) return;
  if (!read.index.empty()) RequireIndex(*table, read.index, {"patterns", pattern.name, kind});
  if (pattern.entity.empty()) {
    for (const Term& term : read.where) {
      if (pattern.entity.empty() && FindEntity(term.entity) != nullptr) {
        pattern.entity = term.entity;
      }
    }
  }
  const Entity* entity = RequireEntity(pattern.entity, {"patterns", pattern.name, "of"});
  if (entity != nullptr && entity->table != table->id) {
    problems_.Add(locator_.Find({"patterns", pattern.name, "of"}, pattern.entity),
                  fmt::format("entity {} is in table {}, not in table {}", entity->name,
                              entity->table, table->id));
  }
}

void ReferenceCheck::CheckReadNames(Pattern& pattern, const Table& table) {
  ReadDetail& read = pattern.read;
  const Entity* entity = FindEntity(pattern.entity);
  // Terms without an entity may speak of any that the table holds.
  const AttributeScope& all = ScopeOf(table);
  const AttributeScope& scope = entity != nullptr ? ScopeOf(*entity) : all;
  const auto require = [&](std::string_view field, const std::vector<std::string>& names) {
    RequireAttributes(scope, names, {"patterns", pattern.name, field});
  };
  require("by", pattern.by);
  require("needs", read.needs);
  if (!pattern.scope.empty()) require("scope", {pattern.scope});
  if (!read.order_by.empty()) require("order_by", {read.order_by});
  if (!read.foreach_attribute.empty()) require("foreach", {read.foreach_attribute});
  for (Term& term : read.where) RequireTerm(scope, table, term);
  RequireTerms(scope, table, read.filter);
  RequireTerms(scope, table, read.finds);
  if (read.then_get) RequireEntity(*read.then_get, {"patterns", pattern.name, "then_get"});
}

void ReferenceCheck::CheckWrite(Pattern& pattern) {
  WriteDetail& write = pattern.write;
  const Entity* entity = RequireEntity(pattern.entity, {"patterns", pattern.name, "write"});
  if (entity == nullptr) return;
  CheckVerb(pattern, *entity);
  const AttributeScope& scope = ScopeOf(*entity);
  const auto require = [&](std::string_view field, const std::vector<std::string>& names) {
    RequireAttributes(scope, names, {"patterns", pattern.name, field});
  };
  require("by", pattern.by);
  require("sets", write.sets);
  require("removes", write.removes);
  require("adds", write.adds);
  require("empty_sets", write.empty_sets);
  if (write.derives) require("derives", *write.derives);
  if (!pattern.scope.empty()) require("scope", {pattern.scope});
  if (const Table* table = FindTable(entity->table)) {
    RequireTerms(scope, *table, write.condition);
  }
}

void ReferenceCheck::CheckVerb(const Pattern& pattern, const Entity& entity) {
  const WriteDetail& write = pattern.write;
  if (write.kind != WriteKind::kMove) return;
  if (entity.machine && entity.machine->FindMove(write.move) != nullptr) return;
  ReportUnknown(fmt::format("write of {}", entity.name), write.move, VerbNames(entity),
                locator_.Find({"patterns", pattern.name, "write"}, write.move));
}

void ReferenceCheck::CheckTransaction(const Pattern& pattern) {
  if (pattern.parts.empty()) {
    problems_.Add(pattern.place, fmt::format("transaction `{}` names no patterns", pattern.name));
  }
  for (const std::string& part : pattern.parts) {
    const auto place = [&] {
      return locator_.Find({"patterns", pattern.name, "transaction"}, part);
    };
    const auto it = patterns_.find(part);
    if (part == pattern.name) {
      problems_.Add(place(), fmt::format("transaction `{}` contains itself", part));
    } else if (it == patterns_.end()) {
      ReportUnknown("pattern", part, PatternNames(model_), place());
    } else if (it->second->kind == PatternKind::kTransaction) {
      problems_.Add(place(), fmt::format("`{}` is a transaction itself; they do not nest", part),
                    "name its patterns instead");
    }
  }
}

}  // namespace stator::model
