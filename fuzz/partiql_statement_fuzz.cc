// Any text as a statement; what is accepted is analysed against two schemas and run on a few rows.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "partiql/key_names.h"
#include "partiql/read_plan.h"
#include "partiql/statement.h"
#include "partiql/unprojected.h"
#include "partiql/write_key.h"
#include "value/item_codec.h"

namespace {

using namespace stator;           // NOLINT
using namespace stator::partiql;  // NOLINT

const std::vector<AttributeValue>& GivenParameters() {
  static const std::vector<AttributeValue> parameters = {
      "a", 1, AttributeValue::StringSet({"x", "y"}), AttributeValue::List({1, "two"}), true};
  return parameters;
}

const std::vector<Item>& Rows() {
  static const std::vector<Item> rows = {
      {{"pk", "a"}, {"sk", 1}, {"x", "text"}, {"ss", AttributeValue::StringSet({"x", "y"})}},
      {{"pk", "a"}, {"sk", 2}, {"l", AttributeValue::List({1, AttributeValue::Map({{"k", 1}})})}},
      {{"pk", "b"}, {"sk", 1}, {"m", AttributeValue::Map({{"k", AttributeValue::Null()}})}},
  };
  return rows;
}

const std::vector<KeyNames>& Schemas() {
  static const std::vector<KeyNames> schemas = {
      {.partition = {.name = "pk", .type = Type::kS},
       .sort = KeyName{.name = "sk", .type = Type::kN}},
      {.partition = {.name = "x", .type = Type::kS}},
  };
  return schemas;
}

bool Reads(const KeyedRead& read, const KeyNames& keys, const Item& row) {
  const std::optional<ValueView> partition = row.Find(keys.partition.name);
  if (!partition || !(*partition == read.partition.value.view())) return false;
  if (read.sort) {
    const std::string sort = OrderedBytes(*row.Find(keys.sort->name));
    const SortRange point{.lower = SortRange::Bound{sort}, .upper = SortRange::Bound{sort}};
    if (!Overlap(point, RangeOf(read.sort))) return false;
  }
  return !read.filter || read.filter->Evaluate(row.view());
}

void Analyse(const SelectStatement& select, const KeyNames& keys) {
  (void)CheckReadKeyTypes(select, keys);
  const Result<ReadPlan> plan = PlanRead(select, keys);
  if (!plan) return;
  STATOR_CHECK(plan->reads.size() <= kMaxReads);
  UnprojectedFilterNames(*plan, [](std::string_view name) { return name == "x"; });
  for (const Item& row : Rows()) {
    const bool wanted = !select.where || Condition::FromNode(*select.where).Evaluate(row.view());
    const auto found = plan->access == ReadPlan::Access::kScan
                           ? (!plan->filter || plan->filter->Evaluate(row.view()) ? 1 : 0)
                           : std::ranges::count_if(plan->reads, [&](const KeyedRead& read) {
                               return Reads(read, keys, row);
                             });
    STATOR_CHECK(found == (wanted ? 1 : 0));
    if (select.projection) {
      STATOR_CHECK(IsWellFormedItem(select.projection->Apply(row.view()).encoded()));
    }
  }
}

void Analyse(const InsertStatement& insert, const KeyNames&) {
  STATOR_CHECK(insert.item.problem() == nullptr);
  STATOR_CHECK(IsWellFormedItem(insert.item.encoded()));
}

void Analyse(const UpdateStatement& update, const KeyNames& keys) {
  const Result<KeyedItem> found = KeyOf(update, keys);
  if (found) STATOR_CHECK(found->condition && !found->condition->Evaluate(ItemView()));
  for (const Item& row : Rows()) {
    const Result<Item> after = update.update.Apply(row.view());
    if (after) STATOR_CHECK(IsWellFormedItem(after->encoded()));
    update.update.StatementBytes(row.view());
  }
}

void Analyse(const DeleteStatement& remove, const KeyNames& keys) {
  const Result<KeyedItem> found = KeyOf(remove, keys);
  if (found && found->condition) found->condition->Evaluate(found->key.view());
}

void Analyse(const ExistsStatement& exists, const KeyNames& keys) {
  const Result<KeyedItem> found = KeyOf(exists, keys);
  if (found) STATOR_CHECK(found->condition.has_value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<Statement> statement = ParseStatement(text, GivenParameters());
  if (!statement) {
    STATOR_CHECK(!statement.error().message().empty());
    return 0;
  }
  for (const KeyNames& keys : Schemas()) {
    std::visit([&keys](const auto& any) { Analyse(any, keys); }, *statement);
  }
  return 0;
}
