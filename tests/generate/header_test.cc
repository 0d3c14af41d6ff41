// The generated headers compile, and their structs keep what they are given.
#include <gtest/gtest.h>

#include <string>

#include "generated/calls.h"
#include "generated/everything.h"

namespace stator {
namespace {

// Stands in for the entity layer: remembers what it was asked.
struct Asked {
  std::string verb;
  std::string pattern;
  Item first;
  Item second;
};
struct Recorder {
  Asked Query(std::string_view pattern, const Item& parameters) {
    return {"Query", std::string(pattern), parameters, {}};
  }
  Asked Get(std::string_view pattern, const Item& parameters) {
    return {"Get", std::string(pattern), parameters, {}};
  }
  Asked Create(std::string_view pattern, const Item& item) {
    return {"Create", std::string(pattern), item, {}};
  }
  Asked Put(std::string_view pattern, const Item& item) {
    return {"Put", std::string(pattern), item, {}};
  }
  Asked Delete(std::string_view pattern, const Item& identity) {
    return {"Delete", std::string(pattern), identity, {}};
  }
  Asked Move(std::string_view pattern, const Item& identity, const Item& changes) {
    return {"Move", std::string(pattern), identity, changes};
  }
  Asked Update(std::string_view pattern, const Item& identity, const Item& changes) {
    return {"Update", std::string(pattern), identity, changes};
  }
};

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

TEST(GeneratedHeader, PatternsPassTheirNameAndTypedParameters) {
  Recorder entities;
  Asked asked = everything::Stuck(entities, 1772236800000);
  EXPECT_EQ(asked.verb + " " + asked.pattern, "Query stuck");
  EXPECT_EQ(asked.first, (Item{{"before", 1772236800000}}));
  asked = everything::OfBatch(entities, "batch-1", everything::FileJobStatus::kFailed);
  EXPECT_EQ(asked.first, (Item{{"batch", "batch-1"}, {"status", "failed"}}));
  asked = everything::IsDone(entities, "accounts", "2026-02-28");
  EXPECT_EQ(asked.verb, "Get");
  EXPECT_EQ(asked.first, (Item{{"Entity", "accounts"}, {"DownloadDate", "2026-02-28"}}));
  asked = everything::Claim(entities, Job());
  EXPECT_EQ(asked.verb + " " + asked.pattern, "Move claim");
  EXPECT_EQ(asked.first, (Item{{"Entity", "accounts"}, {"DownloadDate", "2026-02-28"}}));
  asked = everything::Enqueue(entities, Job());
  EXPECT_EQ(asked.first, Job().ToItem());
  EXPECT_EQ(calls::Timeline(entities, "u-1").first, (Item{{"user", "u-1"}}));
}

}  // namespace
}  // namespace stator
