#include "model/parse.h"

#include <gtest/gtest.h>

#include <string>

namespace stator::model {
namespace {

std::string Problems(const std::expected<Model, std::vector<Problem>>& parsed) {
  std::string all;
  if (parsed) return all;
  for (const Problem& problem : parsed.error()) all += ProblemText("model.yaml", problem) + "\n";
  return all;
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
  const auto model = ParseModel(kDownloads, "model.yaml");
  ASSERT_TRUE(model) << Problems(model);
}

TEST(ParseModel, ReadsTheHomeAssistant) {
  const auto model = ParseModel(kHome, "model.yaml");
  ASSERT_TRUE(model) << Problems(model);
}

}  // namespace
}  // namespace stator::model
