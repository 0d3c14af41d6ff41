#include "model/claims/claims.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>

#include "model/claims/claim_expression.h"
#include "model/testing/model_fixture.h"

namespace stator::model {
namespace claims_test {

struct Judged {
  std::string rule;  // empty: it holds
  double truth = 0;
  std::string text;
};

Judged JudgeOne(std::string model_text, const std::string& check) {
  model_text += "claims:\n  - {says: a figure, check: \"" + check + "\"}\n";
  const Model model = ParsedModel(model_text);
  const auto plans = ResolvePatterns(model);
  const auto estimates = EstimatePlans(model, plans);
  const PriceList* list = FindPriceList("");
  const auto results = EvaluateClaims(model, estimates, *list, *list->Find(model.assume.region));
  const ClaimResult& result = results.front();
  return {result.holds ? "" : std::string(result.rule), result.truth,
          result.problem + result.why + " " + result.difference};
}

// The pipeline of the daily downloads, with items of a given size.
std::string Downloads(const std::string& file_size) {
  return R"(
model: 1
assume: {region: us-east-1, month: 30d, peak: 6x}
tables:
  jobs:
    key: FileID str
    ttl: TTL
    indexes:
      StatusIndex: {pk: Status str, sk: StatusUpdatedAt num, project: all}
      BatchIndex: {pk: BatchID str, sk: Status str, project: all}
  batches:
    key: BatchID str
    ttl: TTL
    indexes:
      PollingDateIndex: {pk: PollingDate str, sk: Status str, project: all}
entities:
  FileJob:
    table: jobs
    keys: {FileID: "{Entity}-{DownloadDate}"}
    size: )" +
         file_size + R"(
    volume: {create: 10/day, per: {BatchID: 10/40}}
    attrs:
      Entity: str 8 no=#
      DownloadDate: str date
      BatchID: str 53
      StatusUpdatedAt: num epoch_ms
      TTL: num epoch_s = now+30d
    machine:
      attr: Status
      initial: available
      stamp: StatusUpdatedAt
      states: {available: dwell 1d, downloading: dwell 30m, completed: end, failed: end}
      moves:
        claim: available -> downloading
        finish: downloading -> completed
  Batch:
    table: batches
    volume: {create: 1/day, per: {PollingDate: 1}}
    attrs:
      BatchID: str 53
      PollingDate: str date
      UpdatedAt: str iso_ms
      TTL: num epoch_s = now+90d
    machine:
      attr: Status
      initial: initiated
      stamp: UpdatedAt
      states: {initiated: dwell 1m, queued: dwell 1h, completed: end, timeout: end}
      moves:
        queue: initiated -> queued
        complete: queued -> completed
patterns:
  put_batch: {write: Batch.create, guard: not_exists, rate: 1/day}
  put_file: {write: FileJob.create, guard: not_exists, rate: 10/day}
  claim: {write: FileJob.claim, rate: 10/day}
  finish: {write: FileJob.finish, rate: 10/day}
  queue_batch: {write: Batch.queue, rate: 1/day}
  complete_batch: {write: Batch.complete, rate: 1/day}
  is_done: {get: FileJob, fresh: strong, rate: 60/day}
  is_done_later: {get: FileJob, rate: 60/day}
)";
}

TEST(Claims, TheDownloadsTake138WriteUnitsADayAndNot33) {
  const Judged said = JudgeOne(Downloads("900"), "wcu.day == 33");
  EXPECT_NEAR(said.truth, 138, 1e-6) << said.text;
  EXPECT_EQ(said.rule, "CO01") << said.text;
  EXPECT_NEAR(JudgeOne(Downloads("2 KB"), "wcu.day == 33").truth, 268, 1e-6);
}

struct ClaimCase {
  const char* check;
  const char* rule;
};

class ClaimsOfDownloads : public ::testing::TestWithParam<ClaimCase> {};

TEST_P(ClaimsOfDownloads, AreJudged) {
  const Judged judged = JudgeOne(Downloads("900"), GetParam().check);
  EXPECT_EQ(judged.rule, GetParam().rule)
      << GetParam().check << " is " << judged.truth << ": " << judged.text;
}

INSTANTIATE_TEST_SUITE_P(
    Claims, ClaimsOfDownloads,
    testing::Values(
        ClaimCase{"rcu.day(is_done) == 60", ""}, ClaimCase{"rcu.day(is_done_later) == 30", ""},
        ClaimCase{"rcu.day(is_done_later) == 60", "CO02"},
        ClaimCase{"rcu.day(is_done) == 30", "CO02"},
        ClaimCase{"rcu.peak_per_s(is_done) > 25", "CO03"}, ClaimCase{"wcu.peak_per_s > 25", "CO03"},
        ClaimCase{"rcu.day > free_tier.rcu", "CO03"}, ClaimCase{"wcu.peak_per_s < 25", ""},
        ClaimCase{"price.read_million == 0.25", "CO04"},
        ClaimCase{"price.write_million == 1.25", "CO04"},
        ClaimCase{"price.read_million == 0.283", "CO04"},
        ClaimCase{"price.write_million == 0.625", ""}, ClaimCase{"price.pitr_gb == 0.20", ""},
        ClaimCase{"cost.provisioned(1, 1) ~= 0.57", ""},
        ClaimCase{"cost.provisioned(1, 1) > cost.month", ""}, ClaimCase{"cost.month == 0", "CO05"},
        ClaimCase{"cost.month < 0.01", ""}, ClaimCase{"size(FileJob.FileID) == 22", "CO07"},
        ClaimCase{"size(FileJob.FileID) == 19", ""}, ClaimCase{"key_size(FileJob) == 19", ""},
        ClaimCase{"retention(Batch) >= days(quarter)", "CO07"}, ClaimCase{"wru(claim) == 5", ""},
        ClaimCase{"wru(put_file) == 3", ""}, ClaimCase{"wru(claim) == 3", "CO01"},
        ClaimCase{"index_share(jobs.StatusIndex) == 100%", ""},
        ClaimCase{"2 * (1 + 2) - 6 / 2 == 3", ""}, ClaimCase{"wcu.day == 12345", "CO07"}));

TEST(Claims, AliasesOf30KilobytesAre4UnitsAndNot8) {
  const std::string text = R"(
model: 1
tables: {homeops: {key: "pk str, sk str"}}
entities:
  Alias:
    table: homeops
    keys: {pk: "ALIAS#{chatId}", sk: "{alias}"}
    size: 300
    volume: {per: {chatId: 100}}
    attrs: {alias: str 20}
  Act:
    table: homeops
    keys: {pk: "ACT#{userId}", sk: "{id}"}
    size: 500
    volume: {per: {userId: 21900}}
    attrs: {id: str ulid, activity: str 12}
patterns:
  aliases: {query: homeops, of: Alias, where: Alias.chatId = $c, all: true, rate: 200/day}
  cached: {query: homeops, of: Alias, where: Alias.chatId = $c, all: true, rate: 1/s, cache: 5m per_process}
  question: {query: homeops, of: Act, where: Act.userId = $u, filter: activity = $a, all: true, rate: 1/day}
)";
  const Judged eight = JudgeOne(text, "rru(aliases) == 8");
  EXPECT_EQ(eight.truth, 4) << eight.text;
  EXPECT_EQ(eight.rule, "CO02") << eight.text;
  const Judged question = JudgeOne(text, "rru(question) ~= 1337");
  EXPECT_EQ(question.rule, "") << question.truth << question.text;
  EXPECT_NEAR(JudgeOne(text, "rcu.day(cached) == 1").truth, 4.0 * 86400 / 301, 1e-6);
}

TEST(ClaimExpressions, SayWhatIsWrongWithThem) {
  for (const char* bad : {"", "wcu.day", "1 ==", "1 == 2 3", "(1 == 2", "wcu.day( == 1", "1 = 2",
                          "1..2 == 1", "== 1", "a b == 1"}) {
    EXPECT_FALSE(ParseClaim(bad).has_value()) << bad;
  }
  EXPECT_FALSE(ParseClaim(std::string(3000, '(') + "1").has_value());
  EXPECT_FALSE(ParseClaim(std::string(3000, '-') + "1 == 1").has_value());
  std::string chain = "1";
  for (int i = 0; i < 1000; ++i) chain += "+1";
  EXPECT_FALSE(ParseClaim(chain + " == 1").has_value());
}

RC_GTEST_PROP(ClaimExpressions, NeverCrash, (const std::string& text)) {
  const auto check = ParseClaim(text);
  if (check) {
    const FigureValue one = [](const Figure&) { return 1.0; };
    (void)Evaluate(*check->left, one).has_value();
  }
  RC_ASSERT(check.has_value() || !check.error().empty());
}

TEST(PriceLists, KnowTheirRegionsAndTheirDates) {
  const PriceList* newest = FindPriceList("");
  ASSERT_NE(newest, nullptr);
  EXPECT_EQ(newest->name, "2026-09");
  EXPECT_EQ(newest->Find("us-east-1")->write_million, 0.625);
  EXPECT_EQ(newest->Find("eu-west-1")->read_million, 0.1415);
  EXPECT_EQ(FindPriceList("2024-10")->Find("us-east-1")->read_million, 0.25);
  EXPECT_EQ(FindPriceList("1999-01"), nullptr);
  EXPECT_EQ(newest->Find("moon-1"), nullptr);
}

TEST(PriceLists, SayWhereTheyAreWrong) {
  const auto bad = ParsePriceList("price_list: mine\nregions:\n  here:\n    reed_million: 1\n");
  ASSERT_FALSE(bad.has_value());
  EXPECT_EQ(bad.error(), "line 4: unknown price `reed_million`");
  EXPECT_FALSE(ParsePriceList("price_list: mine\n").has_value());
  EXPECT_FALSE(
      ParsePriceList("price_list: x\nregions:\n  a:\n    read_million: nan\n").has_value());
}

}  // namespace claims_test
}  // namespace stator::model
