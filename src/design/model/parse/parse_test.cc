#include "model/parse/parse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/testing/model_fixture.h"

namespace stator::model {
namespace parse_test {

std::string ProblemsOf(std::string_view text) {
  const auto parsed = ParseModel(text, "model.yaml");
  return parsed ? "" : ProblemTexts("model.yaml", parsed.error());
}

constexpr std::string_view kDownloads = R"yaml(
model: 1
assume: {region: us-east-1, price_list: 2026-09, month: 30d, peak: 6x, env: [dev, test, prod]}
tables:
  jobs:
    name: data-download-jobs
    key: FileID str
    billing: on_demand
    ttl: TTL
    pitr: {prod: 35d}
    indexes:
      StatusIndex: {pk: Status str, sk: StatusUpdatedAt num, project: all}
      BatchIndex:  {pk: BatchID str, sk: Status str, project: all}
entities:
  FileJob:
    table: jobs
    keys: {FileID: "{Entity}-{DownloadDate}"}
    volume: {create: 10/day, per: {BatchID: 10/40}}
    attrs:
      Entity: str 12 no=#
      DownloadDate: str date
      BatchID: str 53 ->Batch
      PresignedURL: str 500/1500 valid=30m secret
      StatusUpdatedAt: num epoch_ms
      ErrorMessage: str 0/500 opt
      TTL: num epoch_s = now+30d
    machine:
      attr: Status
      initial: available
      stamp: StatusUpdatedAt
      states: {available: dwell 1d, downloading: dwell 30m, completed: end, failed: end, error: end}
      moves:
        claim:    available -> downloading
        complete: downloading -> completed +CompletedAt
        fail:     downloading -> failed|error +ErrorMessage
        requeue:  downloading|failed -> available +BatchID +PresignedURL
patterns:
  enqueue: {write: FileJob.create, guard: not_exists, rate: 10/day, dup: 5%}
  claim:   {write: FileJob.claim, rate: 10/day}
  is_done: {get: FileJob, by: FileID, batch: 10, fresh: strong, rate: 60/day}
  stuck:   {query: jobs.StatusIndex, where: "Status = downloading, StatusUpdatedAt < now-30m", class: ops}
  by_status: {query: jobs.StatusIndex, foreach: Status, select: count, class: ops}
claims:
  - {says: 33 WCU/day, check: wcu.day == 33}
  - {says: overflows the 25 RCU free tier, check: rcu.peak_per_s > 25}
accept:
  IX04@jobs.StatusIndex: operators want the whole record
)yaml";

constexpr std::string_view kHome = R"yaml(
model: 1
assume: {rates: {msgs: 200/day}}
types: {Act: str 20 no=# norm=nfc|lower|trim canon=Alias}
tables:
  homeops:
    key: pk str, sk str
    indexes:
      GSI1: {pk: gsi1pk str, sk: gsi1sk str}
  activities:
    key: [chatId str, activityId str]
    indexes:
      chatId-activity-index: {pk: chatId str, sk: activityTimestamp str, project: [userId]}
      userId-timestamp-index: {pk: userId str, sk: timestamp num}
entities:
  Alias:
    table: homeops
    keys: {pk: "ALIAS#{chatId}", sk: "{alias}", gsi1pk: "ALIASES_BY_ACTIVITY#{chatId}", gsi1sk: "{canonicalActivity}"}
    size: 250
    volume: {per: {chatId: 60/100}, update: 3/week}
  Habit:
    table: homeops
    keys: {pk: "PATTERN#{chatId}#{userId}", sk: "{activity}"}
    attrs: {dayOfWeekCounts: counters mon..sun, hourOfDayCounts: counters 0..23, totalCount: counter}
  Activity:
    table: activities
    keys: {chatId: "{chatId}", activityId: "{id:ulid}", activityTimestamp: "{activity}#{timestamp:010d}"}
patterns:
  aliases:  {query: homeops, where: Alias.chatId = $c, all: true, rate: $msgs, cache: 5m per_process, on_error: empty}
  who_last: {query: activities.chatId-activity-index, where: "chatId = $c, activity = $a", order: desc, limit: 1}
  user_last: {query: activities.userId-timestamp-index, where: userId = $u, filter: "activity = $a, chatId = $c", order: desc, want: 1}
migrations:
  - {add_index: activities.chatId-activity-index, then: backfill Activity.activityTimestamp, guard: exists, order: writers_first, segments: 4, rate: 50/s}
)yaml";

TEST(ParseModel, ReadsTheDownloadPipeline) {
  const Model model = ParsedModel(kDownloads);
  const Table* jobs = model.FindTable("jobs");
  ASSERT_NE(jobs, nullptr);
  EXPECT_EQ(jobs->name, "data-download-jobs");
  EXPECT_EQ(jobs->partition->name, "FileID");
  EXPECT_FALSE(jobs->sort);
  EXPECT_FALSE(jobs->provisioned);
  EXPECT_EQ(jobs->pitr.In("prod"), seconds(35 * 86400));
  EXPECT_FALSE(jobs->pitr.In("dev"));
  EXPECT_EQ(jobs->FindIndex("StatusIndex")->sort.front().type, Type::kN);
  const Entity* job = model.FindEntity("FileJob");
  ASSERT_NE(job, nullptr);
  EXPECT_EQ(job->ttl, "TTL");
  EXPECT_EQ(job->machine->FindMove("fail")->to.size(), 2U);
  EXPECT_EQ(job->volume.per.front().second.max, 40);
  const Pattern* done = model.FindPattern("is_done");
  EXPECT_EQ(done->read.table, "jobs");
  EXPECT_EQ(done->read.batch, 10);
  EXPECT_TRUE(done->read.strong);
  EXPECT_NEAR(done->rate->PerDay(), 60, 1e-9);
  EXPECT_EQ(model.FindPattern("claim")->write.kind, WriteKind::kMove);
  EXPECT_EQ(model.FindPattern("stuck")->read.where.size(), 2U);
  EXPECT_EQ(model.FindPattern("by_status")->read.foreach_attribute, "Status");
  EXPECT_DOUBLE_EQ(model.FindPattern("enqueue")->write.duplicate_share, 0.05);
  EXPECT_EQ(model.accepted.front().target, "jobs.StatusIndex");
  EXPECT_EQ(model.assume.peak, 6);
}

TEST(ParseModel, ReadsTheHomeAssistant) {
  const Model model = ParsedModel(kHome);
  EXPECT_EQ(model.FindPattern("aliases")->entity, "Alias");
  EXPECT_TRUE(model.FindPattern("aliases")->read.cache_per_process);
  EXPECT_EQ(model.FindPattern("user_last")->read.index, "userId-timestamp-index");
  EXPECT_EQ(model.FindPattern("user_last")->read.want, 1);
  const Migration& migration = model.migrations.front();
  EXPECT_EQ(migration.entity, "Activity");
  EXPECT_EQ(migration.attributes, std::vector<std::string>{"activityTimestamp"});
  EXPECT_EQ(migration.guard, Guard::kExists);
  EXPECT_EQ(model.FindEntity("Alias")->item_bytes->typical, 250);
}

TEST(ParseModel, TheMachinesAttributeIsAnEnumOfItsStates) {
  const Model model = ParsedModel(kDownloads);
  const Attribute* status = model.FindEntity("FileJob")->FindAttribute("Status");
  ASSERT_NE(status, nullptr);
  EXPECT_EQ(status->values.size(), 5U);
  EXPECT_EQ(status->bytes.max, 11);
  EXPECT_TRUE(model.FindEntity("FileJob")->FindAttribute("CompletedAt")->optional);
}

TEST(ParseModel, KeysWithoutATemplateAreTheAttributeItself) {
  const Model model = ParsedModel(kDownloads);
  const Entity* job = model.FindEntity("FileJob");
  EXPECT_TRUE(job->FindKey("Status")->IsPlain());
  EXPECT_TRUE(job->FindKey("BatchID")->IsPlain());
  EXPECT_FALSE(job->FindKey("FileID")->IsPlain());
  const Model home = ParsedModel(kHome);
  // Habit has no attribute of that name, so it is not in the index.
  EXPECT_EQ(home.FindEntity("Habit")->FindKey("gsi1pk"), nullptr);
}

TEST(ParseModel, AttributesThatOnlyTemplatesNameAreImplicit) {
  const Model model = ParsedModel(kHome);
  const Entity* activity = model.FindEntity("Activity");
  EXPECT_TRUE(activity->FindAttribute("chatId")->implicit);
  EXPECT_EQ(activity->FindAttribute("id")->unit, Unit::kUlid);
  EXPECT_EQ(activity->FindAttribute("timestamp")->type, Type::kN);
}

TEST(ParseModel, ATableMayLackItsKey) {
  EXPECT_FALSE(ParsedModel("model: 1\ntables: {t: {name: x}}").tables.front().partition);
}

// One mistake each, in a model that is otherwise right.
struct Mistake {
  std::string_view replace;
  std::string_view with;
  std::string_view message;
};

constexpr Mistake kMistakes[] = {
    {"project: all}\n      Batch", "projct: all}\n      Batch",
     "11:62: unknown field `projct` (did you mean `project`?)"},
    {"table: jobs", "table: job", "15:12: unknown table `job` (did you mean `jobs`?)"},
    {"query: jobs.StatusIndex, where", "query: jobs.StatsIndex, where",
     "unknown index of table jobs `StatsIndex` (did you mean `StatusIndex`?)"},
    {"get: FileJob,", "get: FileJobs,", "unknown entity `FileJobs` (did you mean `FileJob`?)"},
    {"by: FileID", "by: FileId2", "unknown attribute of FileJob `FileId2`"},
    {"foreach: Status", "foreach: Statu", "did you mean `Status`?"},
    {"Status = downloading, S", "Statos = downloading, S", "did you mean `Status`?"},
    {"FileJob.claim", "FileJob.clam", "unknown write of FileJob `clam` (did you mean `claim`?)"},
    {"initial: available", "initial: availble", "unknown state `availble`"},
    {"available -> downloading", "available -> downloadng", "did you mean `downloading`?"},
    {"+ErrorMessage", "+ErrorMesage", "did you mean `ErrorMessage`?"},
    {"{DownloadDate}", "{DownloadDat}", "did you mean `DownloadDate`?"},
    {"dup: 5%", "dup: 5", "not a share"},
    {"rate: 60/day", "rate: 60", "lacks a unit of time"},
    {"class: ops}\n  by", "class: opz}\n  by", "unknown class `opz` (did you mean `ops`?)"},
    {"pitr: {prod: 35d}", "pitr: {prd: 35d}", "unknown environment `prd`"},
    {"pitr: {prod: 35d}", "pitr: [35d]", "`pitr` must be text, not a list"},
    {"    indexes:\n", "    indexes: [a]\n    attributes:\n",
     "`indexes` must be a map, not a list"},
    {"guard: not_exists", "guard: not_exist", "unknown guard `not_exist`"},
    {"str 12 no=#", "string 12 no=#", "unknown type `string`"},
    {"model: 1", "model: 2", "unknown version `2`"},
    {"model: 1\n", "", "begin the file with `model: 1`"},
    {"check: wcu.day == 33", "chek: wcu.day == 33", "did you mean `check`?"},
    {"operators want the whole record", "\"\"", "accepted without a reason"},
    {"IX04@", "IX4@", "`IX4` is not a rule"},
    {"fresh: strong, ", "fresh: strong, limit: 3, ", "it belongs to query, scan, this is get"},
    {"{get: FileJob, by: FileID,", "{by: FileID,", "does not say what it does"},
    {"key: FileID str", "key: FileID", "must be a name and a type"},
    {"key: FileID str", "key: FileID list", "a key is str, num or bin"},
    {"->Batch", "->FileJop", "did you mean `FileJob`?"},
};

TEST(ParseModel, EachMistakeIsReportedWithItsPlaceAndARemedy) {
  for (const Mistake& mistake : kMistakes) {
    std::string text(kDownloads.substr(1));
    const std::size_t at = text.find(mistake.replace);
    ASSERT_NE(at, std::string::npos) << mistake.replace;
    text.replace(at, mistake.replace.size(), mistake.with);
    const std::string problems = ProblemsOf(text);
    EXPECT_NE(problems.find(mistake.message), std::string::npos) << mistake.with << " gave:\n"
                                                                 << problems;
  }
}

TEST(ParseModel, EveryMistakeIsReportedInTheOrderOfTheFile) {
  const auto model = ParseModel(R"yaml(
model: 1
tables:
  t: {kee: id str, billing: [x]}
entities:
  E: {table: u, attrs: {a: strr}}
patterns:
  p: {get: F}
)yaml",
                                "model.yaml");
  ASSERT_FALSE(model);
  ASSERT_EQ(model.error().size(), 5U) << ProblemTexts("model.yaml", model.error());
  EXPECT_TRUE(std::ranges::is_sorted(model.error(), {}, &Problem::place));
}

TEST(ParseModel, AtMostFiftyProblemsAreReported) {
  std::string text = "model: 1\n";
  for (int i = 0; i < 200; ++i) text += "x" + std::to_string(i) + ": 1\n";
  EXPECT_EQ(ParseModel(text, "").error().size(), 50U);
}

TEST(ParseModel, CyclesAreRefused) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"{model: 1, types: {A: B opt, B: A opt}}", "is made of itself"},
      {"{model: 1, types: {A: A}}", "is made of itself"},
      {"{model: 1, patterns: {t: {transaction: [t]}}}", "contains itself"},
      {"{model: 1, patterns: {t: {transaction: [u]}, u: {transaction: [t]}}}", "do not nest"},
      {"{model: 1, assume: {rates: {a: $b, b: $a}}}", "unknown rate `$b`"},
  };
  for (const auto& [text, message] : cases) {
    const std::string problems = ProblemsOf(text);
    EXPECT_NE(problems.find(message), std::string::npos) << text << " gave:\n" << problems;
  }
}

TEST(ParseModel, TypesMayBeMadeOfTypesInAnyOrder) {
  const Model model = ParsedModel(R"yaml(
model: 1
types: {Name: Short opt, Short: str 9 no=#}
tables: {t: {key: id str}}
entities: {E: {table: t, attrs: {id: Short, name: Name secret}}}
)yaml");
  const Attribute* name = model.entities.front().FindAttribute("name");
  EXPECT_EQ(name->bytes.typical, 9);
  EXPECT_TRUE(name->optional);
  EXPECT_TRUE(name->secret);
  EXPECT_FALSE(model.entities.front().FindAttribute("id")->optional);
}

TEST(ParseModel, TextThatIsNoModelIsRefused) {
  for (const std::string_view text : {"", "a", "[]", "model: [1]", "{", "tables: 1", "\xff\xfe"}) {
    EXPECT_FALSE(ParseModel(text, "model.yaml")) << text;
  }
}

TEST(LoadModel, AFileThatIsNotThereIsAProblem) {
  for (const char* path : {"/nowhere/model.yaml", "/"}) {
    const auto model = LoadModel(path);
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().front().message, "cannot be read");
  }
}

TEST(ParseModel, FiftyEntitiesAndTwoHundredPatternsTakeMilliseconds) {
  std::string text = "model: 1\ntables:\n  t: {key: \"pk str, sk str\"}\nentities:\n";
  for (int i = 0; i < 50; ++i) {
    text += "  E" + std::to_string(i) + ":\n    table: t\n    keys: {pk: \"E#{a}\", sk: \"{b}\"}\n";
    text += "    attrs:\n";
    for (char c = 'a'; c <= 't'; ++c) text += std::string("      ") + c + ": str 20 no=# opt\n";
  }
  text += "patterns:\n";
  for (int i = 0; i < 200; ++i) {
    text += "  p" + std::to_string(i) + ": {query: t, where: \"E" + std::to_string(i % 50) +
            ".a = $a, b begins_with $b\", rate: 10/day}\n";
  }
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(ParsedModel(text).patterns.size(), 200U);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(1000));
}

}  // namespace parse_test
}  // namespace stator::model
