#include "live/apply.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <optional>

#include "base/try.h"
#include "entity/tables.h"

namespace stator::live {
namespace {

constexpr int kDefaultSegments = 4;
// Writers may be at work while an index is compared with its table.
constexpr int kVerifyAttempts = 3;

// The migration of the model for this index; null: none.
const model::Migration* MigrationOf(const model::Model& model, const Step& step) {
  for (const model::Migration& migration : model.migrations) {
    if (migration.table == step.table->id && step.index != nullptr &&
        migration.index == step.index->name) {
      return &migration;
    }
  }
  return nullptr;
}

class Applier {
 public:
  Applier(Endpoint& endpoint, const model::Model& model, const Step& step,
          const ApplyOptions& options, const LiveProgressCallback& progress)
      : endpoint_(endpoint),
        model_(model),
        step_(step),
        options_(options),
        progress_(progress),
        table_name_(options.table_prefix + step.table->name) {}

  Result<StepOutcome> Run() {
    switch (step_.kind) {
      case StepKind::kCreateTable:
        RETURN_IF_ERROR(endpoint_.CreateTable(
            entity::MakeCreateTable(*step_.table, table_name_, options_.steps.environment)));
        return Wait();
      case StepKind::kCreateIndex:
        return CreateIndex();
      case StepKind::kDeleteIndex:
        return DeleteIndex();
      case StepKind::kSetBilling:
      case StepKind::kSetStream:
      case StepKind::kSetProtection:
        return UpdateTable();
      case StepKind::kSetTtl:
        RETURN_IF_ERROR(
            endpoint_.UpdateTimeToLive({.table_name = table_name_,
                                        .specification = TimeToLiveSpecification{
                                            .enabled = true, .attribute_name = step_.table->ttl}}));
        return StepOutcome{};
      case StepKind::kSetRecovery:
        return SetRecovery();
      case StepKind::kBackfill:
        return Fill();
      case StepKind::kVerify:
        return Verify();
      case StepKind::kStuck:
        break;
    }
    return StepOutcome{.text = step_.text, .failed = true, .stopped = false};
  }

 private:
  Result<StepOutcome> Wait() {
    const auto show = [&](const std::string& what) {
      if (progress_) {
        progress_({.what = "waiting for " + what, .read = 0, .changed = 0, .total = std::nullopt});
      }
    };
    ASSIGN_OR_RETURN(const std::string inactive,
                     entity::WaitUntilActive(endpoint_, table_name_, show));
    if (!inactive.empty()) {
      return std::unexpected(Error::ResourceInUse(
          fmt::format("{} is still not active after ten minutes; run the command again later, it "
                      "goes on where it stopped",
                      inactive)));
    }
    return StepOutcome{};
  }

  // DynamoDB needs the types of all keys of a table whenever an index is added.
  Result<StepOutcome> CreateIndex() {
    ASSIGN_OR_RETURN(const std::optional<TableState> state, ReadTableState(endpoint_, table_name_));
    std::vector<const model::Index*> indexes{step_.index};
    for (const model::Index& index : step_.table->indexes) {
      if (state && state->FindIndex(index.name) != nullptr) indexes.push_back(&index);
    }
    UpdateTableRequest request;
    request.table_name = table_name_;
    request.attribute_definitions = entity::MakeDefinitions(*step_.table, indexes);
    GlobalSecondaryIndexUpdate update;
    update.create = entity::MakeGlobalIndex(*step_.table, *step_.index);
    request.global_secondary_index_updates = {update};
    RETURN_IF_ERROR(endpoint_.UpdateTable(request));
    return Wait();
  }

  Result<StepOutcome> DeleteIndex() {
    UpdateTableRequest request;
    request.table_name = table_name_;
    GlobalSecondaryIndexUpdate update;
    update.remove = GlobalSecondaryIndexUpdate::DeleteAction{.index_name = step_.index_name};
    request.global_secondary_index_updates = {update};
    RETURN_IF_ERROR(endpoint_.UpdateTable(request));
    return Wait();
  }

  Result<StepOutcome> UpdateTable() {
    const CreateTableRequest wanted =
        entity::MakeCreateTable(*step_.table, table_name_, options_.steps.environment);
    UpdateTableRequest request;
    request.table_name = table_name_;
    if (step_.kind == StepKind::kSetBilling) {
      request.billing_mode = wanted.billing_mode;
      request.provisioned_throughput = wanted.provisioned_throughput;
      if (wanted.provisioned_throughput) ProvisionIndexes(wanted, request);
    } else if (step_.kind == StepKind::kSetStream) {
      request.stream_specification = wanted.stream_specification.value_or(
          StreamSpecification{.stream_enabled = false, .stream_view_type = std::nullopt});
    } else {
      request.deletion_protection_enabled = true;
    }
    RETURN_IF_ERROR(endpoint_.UpdateTable(request));
    return Wait();
  }

  // A provisioned table needs capacities for its indexes in the same request.
  static void ProvisionIndexes(const CreateTableRequest& wanted, UpdateTableRequest& request) {
    if (!wanted.global_secondary_indexes) return;
    request.global_secondary_index_updates.emplace();
    for (const GlobalSecondaryIndex& index : *wanted.global_secondary_indexes) {
      GlobalSecondaryIndexUpdate update;
      update.update.emplace();
      update.update->index_name = index.index_name;
      update.update->provisioned_throughput = index.provisioned_throughput;
      request.global_secondary_index_updates->push_back(std::move(update));
    }
  }

  Result<StepOutcome> SetRecovery() {
    const auto period = step_.table->pitr.In(options_.steps.environment);
    RETURN_IF_ERROR(endpoint_.UpdateContinuousBackups(
        {.table_name = table_name_,
         .point_in_time_recovery_specification = PointInTimeRecoverySpecification{
             .point_in_time_recovery_enabled = true,
             .recovery_period_in_days = std::chrono::ceil<std::chrono::days>(*period).count()}}));
    return StepOutcome{};
  }

  std::string CheckpointFile() const {
    if (options_.checkpoint_directory.empty()) return {};
    return fmt::format("{}/{}.{}.json", options_.checkpoint_directory, table_name_,
                       step_.index->name);
  }

  Result<StepOutcome> Fill() {
    const model::Migration* migration = MigrationOf(model_, step_);
    const auto started = std::chrono::steady_clock::now();
    const double stated_rate =
        migration != nullptr && migration->rate ? migration->rate->per_second : 0;
    ASSIGN_OR_RETURN(const BackfillResult result,
                     Backfill(endpoint_, model_, *step_.table,
                              {.table_name = table_name_,
                               .index = step_.index,
                               .segments = options_.segments.value_or(
                                   migration == nullptr ? kDefaultSegments : migration->segments),
                               .items_per_second = options_.items_per_second.value_or(stated_rate),
                               .checkpoint = CheckpointFile(),
                               .now = options_.now,
                               .stop = options_.stop},
                              progress_));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
    std::string text = fmt::format("{} items read, {} changed, {:.1f} s", result.read,
                                   result.changed, took.count());
    if (result.resumed_at > 0) text += fmt::format(", taken up after {}", result.resumed_at);
    if (result.gone > 0) text += fmt::format(", {} deleted meanwhile", result.gone);
    if (result.no_keys > 0) {
      text +=
          fmt::format(", {} whose keys cannot be made (stator audit names them)", result.no_keys);
    }
    if (result.stopped) text += ", stopped: run the command again to go on";
    return StepOutcome{.text = std::move(text), .failed = false, .stopped = result.stopped};
  }

  Result<StepOutcome> Verify() {
    IndexCheck check;
    for (int attempt = 0; attempt < kVerifyAttempts; ++attempt) {
      ASSIGN_OR_RETURN(check, VerifyIndex(endpoint_, *step_.index, table_name_,
                                          options_.segments.value_or(kDefaultSegments), progress_));
      if (check.ok()) break;
    }
    std::string text = fmt::format("{} items carry its keys, {} entries in the index",
                                   check.expected, check.found);
    if (check.expected_after != check.expected) {
      text += fmt::format(", then {} items: writers are at work", check.expected_after);
    }
    return StepOutcome{.text = std::move(text), .failed = !check.ok(), .stopped = false};
  }

  Endpoint& endpoint_;
  const model::Model& model_;
  const Step& step_;
  const ApplyOptions& options_;
  const LiveProgressCallback& progress_;
  const std::string table_name_;
};

}  // namespace

Result<StepOutcome> CarryOutStep(Endpoint& endpoint, const model::Model& model, const Step& step,
                                 const ApplyOptions& options,
                                 const LiveProgressCallback& progress) {
  return Applier(endpoint, model, step, options, progress).Run();
}

Result<TableOutcome> ApplyTable(Endpoint& endpoint, const model::Model& model,
                                const model::Table& table, const ApplyOptions& options,
                                const ApplyObserver& observer) {
  if (!table.partition) {
    return std::unexpected(
        Error::Validation(fmt::format("table `{}` has no key in the model", table.id)));
  }
  ASSIGN_OR_RETURN(const std::optional<TableState> state,
                   ReadTableState(endpoint, options.table_prefix + table.name));
  TableOutcome all;
  for (const Step& step : PlanSteps(model, table, state, options.steps)) {
    ++all.steps;
    observer.begin(step);
    if (step.kind == StepKind::kStuck) all.complete = false;
    if (options.dry_run || step.kind == StepKind::kStuck) continue;
    ASSIGN_OR_RETURN(const StepOutcome outcome,
                     CarryOutStep(endpoint, model, step, options, observer.progress));
    observer.end(outcome);
    if (outcome.failed || outcome.stopped) all.complete = false;
    if (outcome.stopped) break;
  }
  return all;
}

}  // namespace stator::live
