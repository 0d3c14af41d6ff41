#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "model/parse/fields.h"
#include "model/parse/predicate_text.h"
#include "model/parse/sections.h"

namespace stator::model {
namespace {

constexpr std::int64_t kMostSegments = 1'000'000;

void ReadIndexName(const Fields& fields, std::string_view field, Migration& migration) {
  const std::string text = fields.Text(field);
  const std::size_t dot = text.find('.');
  migration.table = text.substr(0, dot);
  if (dot == std::string::npos || dot == 0 || dot + 1 == text.size()) {
    fields.problems().Add(fields.PlaceOf(field), fmt::format("`{}` must be table.Index", field));
  } else {
    migration.index = text.substr(dot + 1);
  }
}

// "Order.GSI1PK", "Order.GSI1PK, Order.GSI1SK", or "Order" for all its keys.
void ReadBackfill(Problems& problems, const Node& node, const std::vector<std::string>& names,
                  Migration& migration) {
  for (const std::string& name : names) {
    const std::size_t dot = name.find('.');
    const std::string entity = name.substr(0, dot);
    if (!migration.entity.empty() && migration.entity != entity) {
      problems.Add(node.place, "a backfill is of one entity", "make two migrations");
    }
    if (entity.empty()) problems.Add(node.place, "a backfill names Entity.attribute");
    migration.entity = entity;
    if (dot != std::string::npos) migration.attributes.push_back(name.substr(dot + 1));
  }
}

void ReadThen(const Fields& fields, Migration& migration) {
  const Node* node = fields.Find("then");
  if (node == nullptr) return;
  constexpr std::string_view kBackfill = "backfill ";
  if (!node->IsText() || !node->text.starts_with(kBackfill)) {
    fields.problems().Add(node->place, "`then` must be `backfill Entity.attribute`");
    return;
  }
  std::vector<std::string> names;
  for (const auto name : SplitText(std::string_view(node->text).substr(kBackfill.size()), ',')) {
    names.emplace_back(name);
  }
  ReadBackfill(fields.problems(), *node, names, migration);
}

void ReadStep(const Fields& fields, Migration& migration) {
  const int steps =
      int{fields.Has("add_index")} + int{fields.Has("remove_index")} + int{fields.Has("backfill")};
  if (steps != 1) {
    fields.problems().Add(fields.place(),
                          "a migration has one of add_index, remove_index and backfill");
  }
  if (fields.Has("add_index")) {
    migration.kind = Migration::Kind::kAddIndex;
    ReadIndexName(fields, "add_index", migration);
  } else if (fields.Has("remove_index")) {
    migration.kind = Migration::Kind::kRemoveIndex;
    ReadIndexName(fields, "remove_index", migration);
  } else if (const Node* backfill = fields.Find("backfill")) {
    migration.kind = Migration::Kind::kBackfill;
    ReadBackfill(fields.problems(), *backfill, fields.Names("backfill"), migration);
  }
}

Migration ReadMigration(const Reading& reading, const Node& node) {
  using Order = Migration::Order;
  static constexpr std::array<Choice<Order>, 3> kOrders{{{"writers_first", Order::kWritersFirst},
                                                         {"backfill_first", Order::kBackfillFirst},
                                                         {"readers_first", Order::kReadersFirst}}};
  const Fields fields(reading.problems, node, kMigrationFields);
  Migration migration{.place = node.place};
  if (!node.IsMap()) return migration;
  ReadStep(fields, migration);
  ReadThen(fields, migration);
  if (const Node* guard = fields.Find("guard")) {
    migration.guard = ReadGuard(reading.problems, *guard, nullptr);
  }
  migration.order = fields.OneOf<Order>("order", kOrders).value_or(Order::kUnsaid);
  migration.resumable = fields.Flag("resumable", true);
  migration.segments = static_cast<int>(fields.Count("segments", kMostSegments).value_or(1));
  migration.rate = fields.RateOf("rate", reading.model.assume);
  migration.together = fields.Names("together");
  return migration;
}

}  // namespace

void ReadMigrations(Reading& reading, const Node& node) {
  if (!CheckList(reading.problems, node, "migrations")) return;
  for (const Node& item : node.items) {
    reading.model.migrations.push_back(ReadMigration(reading, item));
  }
}

}  // namespace stator::model
