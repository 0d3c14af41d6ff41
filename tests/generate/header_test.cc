// The generated headers compile, and their structs keep what they are given.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "generated/calls.h"
#include "generated/everything.h"
#include "stator/database.h"

namespace stator {
namespace {

everything::FileJob Job() {
  everything::FileJob job;
  job.entity = "accounts";
  job.download_date = "2026-02-28";
  job.batch_id = "batch-1";
  job.presigned_url = "https://example.com";
  job.status_updated_at = 1772236800000;
  job.files = {"a", "b"};
  job.seen = {{"mon", 3}};
  job.ratio = Decimal(std::string("0.25"));
  job.ttl = 1774828800;
  return job;
}

TEST(GeneratedHeader, KeyBuildersAreThoseOfTheModel) {
  EXPECT_EQ(calls::Call::SkKey(1700000000000, "c-1"), "1700000000000#c-1");
  EXPECT_EQ(calls::Call::SkKey(42, "c-1"), "0000000000042#c-1");
  EXPECT_EQ(calls::Call::UserStatusKey("u-1", calls::CallStatus::kScheduled), "u-1#SCHEDULED");
  EXPECT_EQ(Job().Key(), (Item{{"FileID", "accounts-2026-02-28"}}));
}

TEST(GeneratedHeader, AnItemBecomesTheSameStruct) {
  const everything::FileJob job = Job();
  const Item item = job.ToItem();
  EXPECT_EQ(item.Find("Status")->S(), "available");
  EXPECT_EQ(item.Find("class")->S(), "gold");
  EXPECT_EQ(item.Find("Files")->type(), Type::kSS);
  EXPECT_FALSE(item.Find("ErrorMessage"));
  EXPECT_FALSE(item.Find("FileID"));  // derived: the entity layer's to keep
  const Result<everything::FileJob> again = everything::FileJob::FromItem(item.view());
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(*again, job);
}

TEST(GeneratedHeader, AnItemThatDoesNotFitIsAnError) {
  Item item = Job().ToItem();
  item.Set("Status", AttributeValue("lost"));
  EXPECT_FALSE(everything::FileJob::FromItem(item.view()));
  item = Job().ToItem();
  item.Remove("BatchID");
  const Result<everything::FileJob> read = everything::FileJob::FromItem(item.view());
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message().find("BatchID"), std::string::npos);
}

std::unique_ptr<Entities> Open(Database& database, const std::string& file) {
  const auto model = Model::Load(STATOR_SOURCE_DIR "/tests/generate/models/" + file);
  EXPECT_TRUE(model) << (model ? "" : model.error());
  auto entities =
      std::make_unique<Entities>(database, *model, EntityOptions{.clock = &database.clock()});
  const auto created = entities->CreateTables();
  EXPECT_TRUE(created) << (created ? "" : created.error().message);
  return entities;
}

TEST(GeneratedHeader, PatternsAreTypedFunctionsOnEntities) {
  const auto database = *Database::Open({});
  const auto entities = Open(*database, "calls.yaml");
  calls::Call call;
  call.user_id = "ann";
  call.call_id = "c-1";
  call.provider_id = "p-1";
  call.scheduled_for = 1772236800000;
  const auto created = calls::Create(*entities, call);
  ASSERT_TRUE(created) << created.error().message;
  EXPECT_EQ(created->version, 1);
  const auto timeline = calls::Timeline(*entities, "ann");
  ASSERT_TRUE(timeline) << timeline.error().message;
  ASSERT_EQ(timeline->items.size(), 1U);
  EXPECT_EQ(timeline->items.front(), *created);
  const auto moved =
      calls::Reschedule(*entities, *created, {.set = {{"scheduledFor", 1772236900000}}});
  ASSERT_TRUE(moved) << moved.error().message;
  EXPECT_EQ(moved->scheduled_for, 1772236900000);
  EXPECT_EQ(calls::Create(*entities, call).error().kind, EntityErrorKind::kNotUnique);
}

TEST(GeneratedHeader, MovesAndGetsAreTyped) {
  // Before the job expires.
  const auto database =
      *Database::Open({.clock = *ClockSetting::Parse("fixed:2026-02-28T00:00:00Z")});
  const auto entities = Open(*database, "everything.yaml");
  const auto queued = everything::Enqueue(*entities, Job());
  ASSERT_TRUE(queued) << queued.error().message;
  const auto claimed = everything::Claim(*entities, *queued);
  ASSERT_TRUE(claimed) << claimed.error().message;
  EXPECT_EQ(claimed->status, everything::FileJobStatus::kDownloading);
  const auto found = everything::IsDone(*entities, "accounts", "2026-02-28");
  ASSERT_TRUE(found && *found);
  EXPECT_EQ(**found, *claimed);
}

}  // namespace
}  // namespace stator
