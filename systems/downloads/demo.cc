#include "systems/downloads/demo.h"

#include <fmt/format.h>

#include "stator/database.h"
#include "systems/downloads/batch.h"
#include "systems/downloads/downloader.h"
#include "systems/downloads/operations.h"
#include "systems/downloads/source.h"
#include "systems/program/model_text.h"
#include "systems/program/process.h"
#include "systems/program/program.h"

namespace stator::systems::downloads {
namespace {

constexpr const char* kDate = "2026-02-28";
constexpr const char* kQuietDate = "2026-06-01";
constexpr const char* kPast = "restored-";

// A step that fails ends the demo.
class Demo {
 public:
  Fallible<void> Play();

 private:
  Fallible<void> Begin();
  Fallible<void> StartTheDay();
  Fallible<void> HaveAccidents();
  Fallible<void> Recover();
  Fallible<void> DamageAndRestore();
  Fallible<void> LetTimePass();
  Fallible<void> CountAQuietDay();

  Fallible<void> Tell(const Fallible<Batch>& batch) {
    if (!batch) return std::unexpected(batch.error());
    batch_ = *batch;
    fmt::print("  the poller: {} is {}, {} of {} completed, {} failed\n", batch_.id(),
               batch_.status, batch_.completed.size(), batch_.expected.size(),
               batch_.failed.size());
    return {};
  }

  TemporaryFolder folder_{"downloads-demo"};
  std::unique_ptr<Database> database_;
  std::unique_ptr<Entities> entities_;
  std::unique_ptr<Source> source_;
  std::optional<KeyPair> keys_;
  std::optional<OutputFolder> output_;
  std::optional<Job> lost_;  // claimed by a downloader that was killed
  Batch batch_;
};

Fallible<void> Demo::Begin() {
  auto database = Database::Open({.clock = *ClockSetting::Parse("fixed:2026-02-28T08:00:00Z")});
  if (!database) return std::unexpected(database.error().message());
  database_ = *std::move(database);
  const auto set_up = SetUpTables(*database_, "prod", "");
  if (!set_up) return std::unexpected(set_up.error());
  const auto model = Model::Parse(ModelText());
  if (!model) return std::unexpected(model.error());
  entities_ =
      std::make_unique<Entities>(*database_, *model, EntityOptions{.clock = &database_->clock()});
  keys_ = KeyPair::Generate();
  auto source = Source::Start({}, *keys_, database_->clock());
  if (!source) return std::unexpected(source.error());
  source_ = *std::move(source);
  auto output = OutputFolder::Open(folder_.path() + "/output");
  if (!output) return std::unexpected(output.error());
  output_ = *std::move(output);
  return {};
}

Fallible<void> Demo::StartTheDay() {
  fmt::print("08:00  the day starts; somebody presses the button twice\n");
  for (int i = 0; i < 2; ++i) {
    const auto report = StartDay(*entities_, {.source = {source_->url()}, .date = kDate});
    if (!report) return std::unexpected(report.error());
    batch_ = report->batch;
    fmt::print("  run: {} is {}: {} jobs created, {} known\n", batch_.id(), batch_.status,
               report->created, report->known);
  }
  return {};
}

Fallible<void> Demo::HaveAccidents() {
  fmt::print(
      "\n08:00  one downloader claims a file and is killed; one file is damaged on its way\n");
  source_->SetFault("rates", Fault::kCorrupt);
  Downloader killed(*entities_, *keys_, *output_, "killed");
  auto claimed = killed.Claim({"accounts", kDate});
  if (!claimed) return std::unexpected(claimed.error());
  lost_ = *std::move(claimed);
  const auto report = DrainWith(4, *entities_, *keys_, *output_, "worker");
  if (!report) return std::unexpected(report.error());
  fmt::print("  four downloaders: {} completed, {} failed\n", report->completed, report->failed);
  return Tell(Poll(*entities_, batch_));
}

Fallible<void> Demo::Recover() {
  fmt::print("\n08:31  the address in the stuck job has died; requeue looks at StatusIndex\n");
  database_->clock().Advance(std::chrono::minutes(31));
  source_->SetFault("rates", Fault::kNone);
  const auto requeued = RequeueAll(*entities_, {.source = {source_->url()}});
  if (!requeued) return std::unexpected(requeued.error());
  fmt::print("  requeue: {} stuck, {} failed, {} put back with new addresses\n",
             requeued->stuck.size(), requeued->failed.size(), requeued->requeued);
  const auto report = DrainWith(4, *entities_, *keys_, *output_, "worker");
  if (!report) return std::unexpected(report.error());
  fmt::print("  four downloaders: {} completed, {} failed\n", report->completed, report->failed);
  Downloader killed(*entities_, *keys_, *output_, "killed");
  if (const auto worked = killed.Work(*lost_); !worked) return worked;
  fmt::print(
      "  the killed one wakes up and wants to finish: {} claim taken away, nothing changed\n",
      killed.report().lost);
  if (const auto told = Tell(Poll(*entities_, batch_)); !told) return told;
  const auto board = ReadDashboard(*entities_, kDate);
  if (!board) return std::unexpected(board.error());
  fmt::print("\n{}", DashboardText(*board));
  return {};
}

Fallible<void> Demo::DamageAndRestore() {
  fmt::print("\n09:00  somebody deletes three jobs; the tables of 08:31 are restored beside\n");
  const TimeMs before = database_->clock().Now();
  database_->clock().Advance(std::chrono::minutes(29));
  for (const char* entity : {"accounts", "cards", "loans"}) {
    const auto gone = entities_->Delete("FileJob", KeyOf(FileName{entity, kDate}));
    if (!gone) return std::unexpected(gone.error().message);
  }
  const auto left = FilesOfBatch(*entities_, batch_.id());
  if (!left) return std::unexpected(left.error());
  const auto restored =
      Restore(*database_, {.table_prefix = {}, .into_prefix = kPast, .moment = before});
  if (!restored) return std::unexpected(restored.error());
  const auto model = Model::Parse(ModelText());
  if (!model) return std::unexpected(model.error());
  Entities past(*database_, *model,
                EntityOptions{.clock = &database_->clock(), .table_prefix = kPast});
  const auto there = FilesOfBatch(past, batch_.id());
  if (!there) return std::unexpected(there.error());
  fmt::print("  {} jobs are left, {} are in {}\n", left->size(), there->size(), restored->front());
  return {};
}

Fallible<void> Demo::LetTimePass() {
  for (const int days : {31, 62}) {
    database_->clock().Advance(std::chrono::days(days));
    const auto jobs = FilesOfBatch(*entities_, batch_.id());
    const auto batches = BatchesOf(*entities_, kDate);
    if (!jobs || !batches) return std::unexpected(jobs ? batches.error() : jobs.error());
    fmt::print("{}  {} jobs, {} batch\n",
               days == 31 ? "\n31 days later:" : "93 days later:", jobs->size(), batches->size());
  }
  return {};
}

// With one downloader: who loses a race for a file pays for it, and how many do differs.
Fallible<void> Demo::CountAQuietDay() {
  const UsedUnits before = entities_->used();
  const auto started = StartDay(*entities_, {.source = {source_->url()}, .date = kQuietDate});
  if (!started) return std::unexpected(started.error());
  Downloader downloader(*entities_, *keys_, *output_, "worker");
  if (const auto drained = downloader.Drain(); !drained) return drained;
  const auto batch = Poll(*entities_, started->batch);
  if (!batch) return std::unexpected(batch.error());
  const UsedUnits now = entities_->used();
  fmt::print(
      "\nA quiet day, {}: {} of {} completed by one downloader, and no scan.\n"
      "It took {} write units and {} read units in {} requests.\n",
      kQuietDate, batch->completed.size(), batch->expected.size(), now.write - before.write,
      now.read - before.read, now.requests - before.requests);
  return {};
}

Fallible<void> Demo::Play() {
  using Step = Fallible<void> (Demo::*)();
  for (const Step step : {&Demo::Begin, &Demo::StartTheDay, &Demo::HaveAccidents, &Demo::Recover,
                          &Demo::DamageAndRestore, &Demo::LetTimePass, &Demo::CountAQuietDay}) {
    if (const auto played = (this->*step)(); !played) return played;
  }
  return {};
}

}  // namespace

int RunDemo() {
  const auto played = Demo().Play();
  return played ? kDone : Fail(played.error());
}

}  // namespace stator::systems::downloads
