#include "live/audit.h"

#include <gtest/gtest.h>

#include "model/model.h"
#include "tests/entity/entity_fixture.h"

namespace stator::live {
namespace audit_test {

using testing::Call;
using testing::World;

constexpr std::int64_t kAt = 1'772'265'600'000;

AuditReport Audit(World& world, bool fix = false) {
  const model::Model& model = world.model().values();
  const auto report =
      AuditTable(world.database(), model, model.tables.front(),
                 {.table_name = "Calls", .fix = fix, .now = world.clock().Now()}, {});
  EXPECT_TRUE(report) << (report ? "" : report.error().message());
  return *report;
}

// Puts an item past the entity layer.
void Damage(World& world, const std::string& id, const std::string& update,
            const ValueMap& values) {
  ASSERT_TRUE(world.entities().Create("Call", Call("ann", id, kAt)));
  UpdateItemRequest request{.table_name = "Calls",
                            .key = Item{{"userId", "ann"}, {"sk", std::to_string(kAt) + "#" + id}},
                            .update_expression = update,
                            .expression_attribute_names = NameMap{{"#s", "status"}}};
  if (update.find("#s") == std::string::npos) request.expression_attribute_names.reset();
  if (!values.empty()) request.expression_attribute_values = values;
  const auto done = world.database().UpdateItem(request);
  ASSERT_TRUE(done) << done.error().message();
}

TEST(Audit, OfWhatTheEntityLayerWroteIsClean) {
  World world;
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(world.entities().Create("Call", Call("ann", "c" + std::to_string(i), kAt + i)));
  }
  const AuditReport report = Audit(world);
  EXPECT_TRUE(report.clean());
  EXPECT_EQ(report.items, 20);
  EXPECT_EQ(report.sentinels, 20);
  EXPECT_EQ(report.indexes.size(), 4U);
}

TEST(Audit, NamesEveryKindOfFlaw) {
  World world;
  Damage(world, "a", "SET #s = :v", {{":v", "COMPLETED"}});  // userStatus is stale
  Damage(world, "b", "REMOVE userStatus", {});
  Damage(world, "c", "SET openPk = :v, openSk = :v", {{":v", "OPEN#1"}});  // not urgent
  Damage(world, "d", "SET changedAt = :v", {{":v", 1'772'265'600}});
  Damage(world, "e", "SET #s = :v, userStatus = :u", {{":v", "LOST"}, {":u", "ann#LOST"}});
  Damage(world, "f", "SET changedAt = :v", {{":v", "1772265600000"}});
  Damage(world, "g", "SET urgent = :v", {{":v", "yes"}});
  ASSERT_TRUE(world.database().DeleteItem(
      {.table_name = "Calls",
       .key = Item{{"userId", "UNIQUE#Call#callId#g"}, {"sk", "UNIQUE#Call#callId#g"}}}));
  const AuditReport report = Audit(world);
  const auto count = [&](Flaw flaw, const std::string& subject) {
    const auto it = report.flaws.find({flaw, subject});
    return it == report.flaws.end() ? 0 : it->second.items;
  };
  EXPECT_EQ(count(Flaw::kKeyWrong, "Call.userStatus"), 1);
  EXPECT_EQ(count(Flaw::kKeyMissing, "Call.userStatus"), 1);
  EXPECT_EQ(count(Flaw::kKeyLeftBehind, "Call.openPk"), 1);
  EXPECT_EQ(count(Flaw::kWrongUnit, "Call.changedAt"), 1);
  EXPECT_EQ(count(Flaw::kUnknownValue, "Call.status"), 1);
  EXPECT_EQ(count(Flaw::kNumberAsText, "Call.changedAt"), 1);
  EXPECT_EQ(count(Flaw::kWrongType, "Call.urgent"), 1);
  EXPECT_EQ(count(Flaw::kSentinelMissing, "Call"), 1);
  EXPECT_FALSE(report.clean());
}

TEST(Audit, MendsDerivedKeysWhenAsked) {
  World world;
  Damage(world, "a", "SET #s = :v", {{":v", "COMPLETED"}});
  Damage(world, "b", "REMOVE userStatus", {});
  Damage(world, "c", "SET openPk = :v, openSk = :v", {{":v", "OPEN#1"}});
  const AuditReport mended = Audit(world, true);
  EXPECT_EQ(mended.mended, 3);
  EXPECT_TRUE(Audit(world).clean());
  EXPECT_TRUE(world.Audit().empty());
}

}  // namespace audit_test
}  // namespace stator::live
