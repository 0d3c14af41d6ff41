#include "systems/orders/migration.h"

#include <fmt/format.h>

#include <cstdlib>
#include <iostream>

#include "systems/program/fallible.h"
#include "systems/program/output.h"

namespace stator::systems::orders {
namespace {

// What is done, as it is kept in the table.
enum Done : int { kNothing = 0, kLoaded, kWritersDeployed, kIndexAdded, kReadersMoved, kRemoved };

// Counts that writers change while they are compared may differ by chance.
constexpr int kApplyAttempts = 3;

class MigrationRun {
 public:
  MigrationRun(Endpoint& endpoint, const MigrationOptions& options)
      : endpoint_(endpoint), options_(options), entities_(MakeEntities()) {}

  Fallible<MigrationReport> Run() {
    TRY(const int done, ReadProgress());
    report_.taken_up_at = done;
    if (done > kNothing) Say(fmt::format("an earlier run did the first {} of 5 steps", done));
    if (done < kLoaded) TRY_VOID(Load());
    StartTraffic(done);
    for (const auto& [step, take] : {std::pair(kWritersDeployed, &MigrationRun::DeployWriters),
                                     std::pair(kIndexAdded, &MigrationRun::AddIndex),
                                     std::pair(kReadersMoved, &MigrationRun::MoveReaders),
                                     std::pair(kRemoved, &MigrationRun::RemoveIndex)}) {
      if (step > options_.steps) return std::move(report_);
      if (done < step) TRY_VOID((this->*take)());
    }
    TRY_VOID(Finish());
    report_.complete = true;
    return std::move(report_);
  }

 private:
  std::unique_ptr<Entities> MakeEntities() const {
    return std::make_unique<Entities>(endpoint_, StageModel(Stage::kBefore),
                                      EntityOptions{.table_prefix = options_.traffic.table_prefix});
  }

  void Say(const std::string& line) const {
    if (options_.say) options_.say(line);
  }

  // With what was deployed when the last run ended.
  void StartTraffic(int done) {
    const Stage writers = done >= kReadersMoved      ? Stage::kAfter
                          : done >= kWritersDeployed ? Stage::kWriters
                                                     : Stage::kBefore;
    traffic_.emplace(endpoint_, options_.traffic, StageModel(writers),
                     StageModel(done >= kIndexAdded ? Stage::kReaders : Stage::kBefore));
  }

  Fallible<int> ReadProgress() {
    const auto described =
        endpoint_.DescribeTable({.table_name = options_.traffic.table_prefix + "ShopTable"});
    if (!described) {
      if (described.error().name() == "ResourceNotFoundException") return kNothing;
      return std::unexpected(described.error().message());
    }
    TRY(const auto item,
        OrMessage(entities_->Get("Progress", Item{{"name", "GSI3"}}, {.strong = true})));
    if (!item) return kNothing;
    return static_cast<int>(item->Find("stage")->AsInt64().value_or(kNothing));
  }

  Fallible<void> SaveProgress(int done) {
    TRY_VOID(OrMessage(
        entities_->Upsert("Progress", Item{{"name", "GSI3"}}, {.set = {{"stage", done}}})));
    return {};
  }

  Fallible<ApplyModelReport> Apply(Stage stage, bool prune) {
    ApplyModelOptions apply;
    apply.table_prefix = options_.traffic.table_prefix;
    apply.prune = prune;
    apply.backfill = stage == Stage::kWriters;
    apply.checkpoint_directory = options_.checkpoint_directory;
    apply.progress = options_.progress;
    for (int attempt = 1;; ++attempt) {
      auto report = ApplyModel(endpoint_, StageModel(stage), apply);
      if (!report) return std::unexpected(report.error().message());
      for (const std::string& line : report->lines) Say("  " + line);
      if (report->complete) return *std::move(report);
      if (attempt == kApplyAttempts) return std::unexpected("the index differs from its table");
    }
  }

  Fallible<void> Load() {
    Say("before: the orders are in GSI2 by ORDER#<status>, three partitions for all of them");
    TRY_VOID(Apply(Stage::kBefore, false));
    TRY_VOID(LoadOrders(*entities_, options_.traffic));
    Say(fmt::format("  {} orders placed", options_.traffic.orders));
    return SaveProgress(kLoaded);
  }

  Fallible<void> TrafficIsWell() const {
    if (const auto failure = traffic_->failure()) return std::unexpected(*failure);
    return {};
  }

  Fallible<void> DeployWriters() {
    traffic_->Allow(0.1);
    traffic_->WaitForAllowed();
    traffic_->DeployWriters(StageModel(Stage::kWriters));
    Say("1. writers first: from now on every write sets the keys of GSI2 and of GSI3");
    TRY_VOID(TrafficIsWell());
    return SaveProgress(kWritersDeployed);
  }

  Fallible<void> AddIndex() {
    Say("2. the index is added, filled and compared; writers and readers go on");
    // Some items are written before the index exists: it takes them up by itself.
    traffic_->Allow(0.2);
    traffic_->WaitForAllowed();
    const std::int64_t before = traffic_->writes();
    traffic_->Allow(0.8);
    TRY_VOID(Apply(Stage::kWriters, false));
    report_.writes_while_filling = traffic_->writes() - before;
    Say(fmt::format("  {} writes were made meanwhile", report_.writes_while_filling));
    TRY_VOID(TrafficIsWell());
    return SaveProgress(kIndexAdded);
  }

  Fallible<void> MoveReaders() {
    traffic_->DeployReaders(StageModel(Stage::kReaders));
    traffic_->Allow(0.9);
    traffic_->WaitForAllowed();
    Say("3. readers leave first: they ask GSI3 now, all shards");
    TRY_VOID(TrafficIsWell());
    return SaveProgress(kReadersMoved);
  }

  Fallible<void> RemoveIndex() {
    traffic_->DeployWriters(StageModel(Stage::kAfter));
    Say("4. then writers stop setting the keys of GSI2, and it is removed");
    traffic_->Allow(0.95);
    TRY_VOID(Apply(Stage::kAfter, true));
    TRY_VOID(TrafficIsWell());
    return SaveProgress(kRemoved);
  }

  Fallible<void> Finish() {
    traffic_->Finish();
    TRY_VOID(TrafficIsWell());
    report_.writes = traffic_->writes();
    report_.reads = traffic_->reads();
    const auto audit = AuditModel(endpoint_, StageModel(Stage::kAfter),
                                  {.table_prefix = options_.traffic.table_prefix});
    if (!audit) return std::unexpected(audit.error().message());
    report_.items = audit->items;
    report_.flaws = audit->flaws;
    Say(fmt::format("5. the audit of {} items: {}", audit->items,
                    audit->clean() ? "every item is in GSI1 and GSI3 where it belongs"
                                   : fmt::format("{} flaws", audit->flaws.size())));
    for (const std::string& flaw : audit->flaws) Say("  " + flaw);
    return {};
  }

  Endpoint& endpoint_;
  const MigrationOptions& options_;
  std::unique_ptr<Entities> entities_;
  std::optional<Traffic> traffic_;
  MigrationReport report_;
};

}  // namespace

Fallible<MigrationReport> PlayMigration(Endpoint& endpoint, const MigrationOptions& options) {
  return MigrationRun(endpoint, options).Run();
}

Model StageModel(Stage stage) {
  auto model = Model::Parse(StageModelText(stage));
  if (!model) {
    // The text is built in and tested.
    std::cerr << model.error() << "\n";
    std::abort();
  }
  return *std::move(model);
}

std::string ProgressText(const LiveProgress& progress) {
  std::string text =
      systems::ProgressText(progress.what, progress.read, progress.total.value_or(0));
  if (progress.changed > 0) text += fmt::format(", {} changed", progress.changed);
  return text;
}

}  // namespace stator::systems::orders
