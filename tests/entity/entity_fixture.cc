#include "tests/entity/entity_fixture.h"

#include <gtest/gtest.h>

#include "model/keys/derive.h"
#include "model/model.h"

namespace stator::testing {

const char* const kCallsModel = R"(
model: 1
tables:
  calls:
    name: Calls
    key: userId str, sk str
    ttl: expires
    indexes:
      byCallId: {pk: callId str, project: all}
      byProvider: {pk: providerId str, sk: sk str, project: all}
      byUserStatus: {pk: userStatus str, sk: sk str, project: all}
      open:
        pk: openPk str
        sk: openSk str
        project: all
        sparse: {when: "status = SCHEDULED and urgent = true", share: 1%}
        shards: {n: 4, by: random}
entities:
  Call:
    table: calls
    keys:
      sk: "{scheduledFor:013d}#{callId}"
      userStatus: "{userId}#{status}"
      openPk: "OPEN#{shard}"
      openSk: "{scheduledFor:013d}#{callId}"
    attrs:
      userId: str 12 no=#
      callId: str 12 no=#
      providerId: str 12 opt
      scheduledFor: num epoch_ms
      urgent: bool = false
      note: str 20 opt norm=nfc|lower|trim
      changedAt: num epoch_ms
      expires: num epoch_s opt
    unique: [callId]
    version: version
    rekey: [reschedule]
    machine:
      attr: status
      initial: SCHEDULED
      stamp: changedAt
      states: {SCHEDULED: dwell 1d, COMPLETED: end, MISSED: end}
      moves:
        complete: SCHEDULED -> COMPLETED
        close: SCHEDULED -> COMPLETED|MISSED
patterns:
  timeline: {query: calls, where: userId = $u, order: asc, page: 10, rate: 1/s}
  by_id: {query: calls.byCallId, where: callId = $id, unique: true, rate: 1/s}
  by_provider: {query: calls.byProvider, where: providerId = $p, order: desc, page: 3, rate: 1/s}
  next: {query: calls.byUserStatus, where: "userId = $u, status = SCHEDULED, scheduledFor >= $from", order: asc, limit: 1, rate: 1/s}
  range: {query: calls, where: "userId = $u, scheduledFor > $from, scheduledFor <= $to", all: true, rate: 1/s}
  urgent: {query: calls.open, of: Call, where: "scheduledFor >= $from", order: asc, page: 5, rate: 1/s}
  noted: {query: calls, where: userId = $u, filter: note = $n, want: 1, rate: 1/s}
  create: {write: Call.create, rate: 1/s}
  reschedule: {write: Call.rekey, sets: [scheduledFor], rate: 1/s}
)";

World::World(const std::string& yaml) {
  const auto clock = ClockSetting::Parse("fixed:2026-02-28T08:00:00Z");
  auto opened = Database::Open({.clock = *clock});
  EXPECT_TRUE(opened);
  database_ = *std::move(opened);
  auto parsed = Model::Parse(yaml);
  EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error());
  model_ = std::make_unique<Model>(*parsed);
  entities_ = std::make_unique<Entities>(*database_, *model_,
                                         EntityOptions{.clock = &database_->clock(), .seed = 7});
  const auto created = entities_->CreateTables();
  EXPECT_TRUE(created) << (created ? "" : created.error().message);
}

std::vector<Item> World::Items(const std::string& table_name) {
  const model::Table* table = nullptr;
  for (const model::Table& each : model_->values().tables) {
    if (each.name == table_name) table = &each;
  }
  std::vector<Item> items;
  ScanRequest request{.table_name = table_name};
  do {
    const auto page = database_->Scan(request);
    EXPECT_TRUE(page);
    if (!page) return items;
    for (std::size_t i = 0; i < page->items->size(); ++i) {
      if (model::IsSentinel(*table, (*page->items)[i])) continue;
      items.push_back(Item::FromView((*page->items)[i]));
    }
    request.exclusive_start_key = page->last_evaluated_key;
  } while (request.exclusive_start_key);
  return items;
}

std::int64_t World::CountRows(const std::string& table_name, const std::string& index_name) {
  ScanRequest request{.table_name = table_name, .select = Select::kCount};
  if (!index_name.empty()) request.index_name = index_name;
  const auto page = database_->Scan(request);
  EXPECT_TRUE(page);
  return page ? page->count : -1;
}

std::vector<std::string> World::Audit() {
  std::vector<std::string> problems;
  const model::Model& model = model_->values();
  for (const model::Table& table : model.tables) {
    for (const Item& item : Items(table.name)) {
      const model::Entity* entity = model::EntityOf(model, table, item.view());
      if (entity == nullptr) {
        problems.push_back("an item that is no entity");
        continue;
      }
      const auto derived =
          model::DeriveKeys(model, *entity, item.view(), database_->clock().Now(), nullptr);
      if (!derived) {
        problems.push_back(derived.error());
        continue;
      }
      for (const model::DerivedKey& key : *derived) {
        const auto stored = item.Find(key.key->attribute);
        const bool same = key.value ? stored && *stored == key.value->view() : !stored;
        if (!same) problems.push_back(entity->name + "." + key.key->attribute);
      }
    }
  }
  return problems;
}

Item Call(const std::string& user, const std::string& id, std::int64_t at) {
  return Item{{"userId", user}, {"callId", id}, {"scheduledFor", at}};
}

std::string Text(const Item& item, std::string_view name) {
  const auto value = item.Find(name);
  if (!value) return "(none)";
  return value->type() == Type::kN ? value->N() : std::string(value->S());
}

}  // namespace stator::testing
