#include "api/statements/statement_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "api/items/key_binding.h"
#include "api/items/page_rules.h"
#include "api/items/write_rules.h"
#include "api/request_rules.h"
#include "api/tables/table_reference.h"
#include "base/try.h"
#include "partiql/statement.h"
#include "partiql/unprojected.h"
#include "partiql/write_key.h"
#include "value/item_codec.h"

namespace stator {

namespace {

std::size_t CountCharacters(std::string_view utf8) {
  return static_cast<std::size_t>(std::ranges::count_if(
      utf8, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

void ConstrainStatement(Constraints& check, std::string_view prefix,
                        const std::optional<std::string>& statement,
                        const std::optional<StatementParameters>& parameters) {
  const std::string path = std::string(prefix) + "statement";
  check.NotNull(path, statement);
  if (statement) {
    check.Length(Constraints::Quoted(*statement), path, CountCharacters(*statement), 1,
                 partiql::kMaxStatementLength);
  }
  if (parameters && parameters->empty()) {
    check.Fail(Constraints::Quoted("[]"), std::string(prefix) + "parameters",
               "Member must have length greater than or equal to 1");
  }
}

const StatementParameters& ParametersOf(const std::optional<StatementParameters>& parameters) {
  static const StatementParameters kNone;
  return parameters ? *parameters : kNone;
}

void AppendFingerprint(std::string& out, std::string_view statement,
                       const StatementParameters& parameters) {
  AppendVarint(out, statement.size());
  out.append(statement);
  AppendVarint(out, parameters.size());
  for (const AttributeValue& parameter : parameters) {
    AppendVarint(out, parameter.encoded().size());
    out.append(parameter.encoded());
  }
}

namespace {

ReturnValues ReturnValuesOf(partiql::Returning returning) {
  switch (returning) {
    case partiql::Returning::kNothing:
      return ReturnValues::kNone;
    case partiql::Returning::kAllOld:
      return ReturnValues::kAllOld;
    case partiql::Returning::kAllNew:
      return ReturnValues::kAllNew;
    case partiql::Returning::kModifiedOld:
      return ReturnValues::kUpdatedOld;
    case partiql::Returning::kModifiedNew:
      return ReturnValues::kUpdatedNew;
  }
  return ReturnValues::kNone;
}

// Empty and oversized values; their types were looked at when the read was planned.
Result<void> CheckReadKeys(const KeySchema& schema, const partiql::ReadPlan& plan) {
  for (const partiql::KeyedRead& read : plan.reads) {
    Item key;
    RETURN_IF_ERROR(CheckClauseValues(schema.hash.front(), read.partition));
    key.Set(read.partition.attribute, read.partition.value);
    if (read.sort) {
      RETURN_IF_ERROR(CheckClauseValues(schema.range.front(), *read.sort));
      key.Set(read.sort->attribute, read.sort->value);
    }
    RETURN_IF_ERROR(CheckKeySizes(schema, key.view()));
  }
  return {};
}

// An index cannot be searched by what it does not hold. Where no key is given it is read as a whole
// all the same, and what it does not hold is missing.
Result<void> CheckFilterProjected(const partiql::ReadPlan& plan, const Index* index) {
  if (index == nullptr) return {};
  const std::vector<std::string> missing = partiql::UnprojectedFilterNames(
      plan, [index](std::string_view name) { return index->Projects(name); });
  if (missing.empty()) return {};
  return Invalid(
      fmt::format("{}Secondary index {} does not project one or more filter attributes: [{}]",
                  kInvalidValues, index->name, fmt::join(missing, ", ")));
}

Result<void> CheckPaths(const partiql::SelectStatement& select, const Table& table) {
  if (select.projection) RETURN_IF_ERROR(CheckNoNestedKeys(table, select.projection->paths()));
  if (!select.where) return {};
  return CheckNoNestedKeys(table, Condition::FromNode(*select.where).Paths());
}

StatementWrite WriteOf(const partiql::InsertStatement& insert, const partiql::KeyNames& keys) {
  StatementWrite plan{.is_insert = true};
  plan.write.kind = ItemWrite::Kind::kPut;
  plan.write.item = insert.item;
  plan.write.condition = partiql::NoSuchItem(keys);
  return plan;
}

StatementWrite KeyedWrite(ItemWrite::Kind kind, partiql::KeyedItem&& item) {
  StatementWrite plan;
  plan.write.kind = kind;
  plan.write.item = std::move(item.key);
  plan.write.condition = std::move(item.condition);
  return plan;
}

Result<StatementWrite> WriteOf(const partiql::UpdateStatement& update,
                               const partiql::KeyNames& keys) {
  ASSIGN_OR_RETURN(partiql::KeyedItem item, partiql::KeyOf(update, keys));
  StatementWrite plan = KeyedWrite(ItemWrite::Kind::kUpdate, std::move(item));
  plan.write.update = update.update;
  plan.write.size_statement = false;
  plan.returned = ReturnValuesOf(update.returning);
  return plan;
}

Result<StatementWrite> WriteOf(const partiql::DeleteStatement& remove,
                               const partiql::KeyNames& keys) {
  ASSIGN_OR_RETURN(partiql::KeyedItem item, partiql::KeyOf(remove, keys));
  StatementWrite plan = KeyedWrite(ItemWrite::Kind::kDelete, std::move(item));
  plan.returned = ReturnValuesOf(remove.returning);
  return plan;
}

Result<StatementWrite> WriteOf(const partiql::ExistsStatement& exists,
                               const partiql::KeyNames& keys) {
  ASSIGN_OR_RETURN(partiql::KeyedItem item, partiql::KeyOf(exists, keys));
  return KeyedWrite(ItemWrite::Kind::kCheck, std::move(item));
}

}  // namespace

const std::string& TableReferenceOf(const partiql::Statement& statement) {
  return std::visit(
      [](const auto& some) -> const std::string& {
        if constexpr (requires { some.select; }) {
          return some.select.table;
        } else {
          return some.table;
        }
      },
      statement);
}

namespace {

Result<void> CheckReadableIndex(const Index& index) {
  if (index.keys.hash.size() == 1 && index.keys.range.size() <= 1) return {};
  return Invalid(
      "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or "
      "multi-attribute RANGE keys.");
}

}  // namespace

Result<partiql::Statement> ReadStatement(const Engine& engine, std::string_view text,
                                         const StatementParameters& parameters) {
  ASSIGN_OR_RETURN(partiql::Statement statement, partiql::ParseStatement(text, parameters));
  const auto* const exists = std::get_if<partiql::ExistsStatement>(&statement);
  const auto* const select =
      exists ? &exists->select : std::get_if<partiql::SelectStatement>(&statement);
  if (select == nullptr || !select->problem) return statement;
  if (const Result<TablePtr> table = FindStatementTable(engine, select->table)) {
    const Index* const index = FindMaintainedIndex(**table, *select->index);
    if (index != nullptr) RETURN_IF_ERROR(CheckReadableIndex(*index));
  }
  return std::unexpected(*select->problem);
}

Result<TablePtr> FindStatementTable(const Engine& engine, const std::string& reference) {
  ASSIGN_OR_RETURN(const std::string name, TableNameOf(reference, engine));
  return engine.FindTable(name);
}

partiql::KeyNames KeyNamesOf(const KeySchema& keys) {
  const auto name_of = [](const KeyAttribute& attribute) {
    return partiql::KeyName{.name = attribute.name, .type = AsType(attribute.type)};
  };
  partiql::KeyNames names{.partition = name_of(keys.hash.front()), .sort = std::nullopt};
  if (!keys.range.empty()) names.sort = name_of(keys.range.front());
  return names;
}

Result<const Index*> FindStatementIndex(const partiql::SelectStatement& select, const Table& table,
                                        bool consistent) {
  if (!select.index) return nullptr;
  const Index* index = FindMaintainedIndex(table, *select.index);
  if (index == nullptr) {
    return std::unexpected(Error::Validation("The table does not have the specified index"));
  }
  RETURN_IF_ERROR(CheckReadableIndex(*index));
  RETURN_IF_ERROR(CheckNotBackfilling(*index));
  if (index->global && consistent) {
    return std::unexpected(
        Error::Validation("Strongly consistent read is not supported on Global Secondary Indexes"));
  }
  return index;
}

Result<SelectPlan> PlanSelect(const partiql::SelectStatement& select, TablePtr table,
                              bool consistent) {
  SelectPlan plan;
  ASSIGN_OR_RETURN(plan.page.index, FindStatementIndex(select, *table, consistent));
  const KeySchema& keys = table->KeysOf(plan.page.index);
  ASSIGN_OR_RETURN(plan.reads, partiql::PlanRead(select, KeyNamesOf(keys)));
  RETURN_IF_ERROR(CheckReadKeys(keys, plan.reads));
  RETURN_IF_ERROR(CheckPaths(select, *table));
  RETURN_IF_ERROR(CheckIndexProjects({.projection = select.projection}, plan.page));
  RETURN_IF_ERROR(CheckFilterProjected(plan.reads, plan.page.index));
  plan.page.table = std::move(table);
  plan.page.projection = select.projection;
  plan.page.direction = plan.reads.forward ? Direction::kForward : Direction::kReverse;
  return plan;
}

Result<std::optional<Item>> ItemKeyOf(const partiql::SelectStatement& select, const Table& table) {
  RETURN_IF_ERROR(FindStatementIndex(select, table, /*consistent=*/false));
  if (select.index) return std::nullopt;
  ASSIGN_OR_RETURN(partiql::ReadPlan plan, partiql::PlanRead(select, KeyNamesOf(table.keys)));
  if (!plan.item_key) return std::nullopt;
  RETURN_IF_ERROR(CheckKey(table.keys, plan.item_key->view()));
  RETURN_IF_ERROR(CheckPaths(select, table));
  return std::move(plan.item_key);
}

Result<StatementWrite> PlanWrite(const partiql::Statement& statement, TablePtr table) {
  const partiql::KeyNames keys = KeyNamesOf(table->keys);
  Result<StatementWrite> plan = std::visit(
      [&keys](const auto& some) -> Result<StatementWrite> {
        if constexpr (std::is_same_v<decltype(some), const partiql::SelectStatement&>) {
          return std::unexpected(Error::InternalServerError("a SELECT is not a write"));
        } else {
          return WriteOf(some, keys);
        }
      },
      statement);
  if (plan) plan->write.table = std::move(table);
  if (plan && plan->returned != ReturnValues::kNone) WantReturned(plan->returned, plan->write);
  return plan;
}

Result<void> CheckNotExists(const partiql::Statement& statement) {
  if (!std::holds_alternative<partiql::ExistsStatement>(statement)) return {};
  return Invalid("EXISTS can only be used in ExecuteTransaction write requests.");
}

}  // namespace stator
