// ExportTableToPointInTime, DescribeExport and ListExports.
#include <algorithm>

#include "api/constraints.h"
#include "api/operations.h"
#include "api/tables/table_reference.h"
#include "api/transfers/transfer_rules.h"
#include "base/random.h"
#include "base/try.h"
#include "engine/history/history.h"

namespace stator {

// ExportTableToPointInTime: writes a table as it was, or how it changed, to files.
namespace export_table_to_point_in_time {
namespace {

constexpr std::chrono::minutes kPeriodMin{15};
constexpr std::chrono::hours kPeriodMax{24};
constexpr std::size_t kMaxKeyIdLength = 2048;

struct Plan {
  ExportTableToPointInTimeRequest request;
  std::string table_name;
  std::string fingerprint;
};

Result<void> CheckConstraints(const ExportTableToPointInTimeRequest& request) {
  Constraints check;
  check.NotNull("tableArn", request.table_arn);
  if (request.table_arn) {
    check.Length(Constraints::Quoted(*request.table_arn), "tableArn", request.table_arn->size(), 1,
                 kMaxArnLength);
  }
  ConstrainToken(check, request.client_token);
  ConstrainBucket(check, "s3Bucket", request.s3_bucket);
  ConstrainBucketOwner(check, "s3BucketOwner", request.s3_bucket_owner);
  ConstrainPrefix(check, "s3Prefix", request.s3_prefix);
  check.Enum("s3SseAlgorithm", request.s3_sse_algorithm);
  if (const auto& key = request.s3_sse_kms_key_id) {
    check.Length(Constraints::Quoted(*key), "s3SseKmsKeyId", key->size(), 1, kMaxKeyIdLength);
  }
  check.Enum("exportFormat", request.export_format);
  check.Enum("exportType", request.export_type);
  if (const auto& period = request.incremental_export_specification) {
    check.Enum("incrementalExportSpecification.exportViewType", period->export_view_type);
  }
  return check.Finish();
}

std::unexpected<Error> InvalidRequest(std::string_view why) {
  return std::unexpected(Error::Validation("Invalid Request: " + std::string(why)));
}

bool IsIncremental(const ExportTableToPointInTimeRequest& request) {
  return request.export_type && request.export_type->value() == ExportType::kIncrementalExport;
}

// Members that belong to one type of export only.
Result<void> CheckType(const ExportTableToPointInTimeRequest& request) {
  const auto& period = request.incremental_export_specification;
  if (!IsIncremental(request)) {
    if (!period) return {};
    return InvalidRequest(
        "IncrementalExportSpecification can only be specified when ExportType is "
        "INCREMENTAL_EXPORT");
  }
  if (request.export_time_ms) {
    return InvalidRequest("ExportTime cannot be specified when ExportType is INCREMENTAL_EXPORT");
  }
  if (period && period->export_from_time_ms) return {};
  return InvalidRequest(
      "ExportFromTime must be specified in IncrementalExportSpecification when ExportType is "
      "INCREMENTAL_EXPORT");
}

std::string FingerprintOf(const ExportTableToPointInTimeRequest& request) {
  Fingerprint fingerprint;
  fingerprint.Add(request.table_arn).Add(request.export_time_ms).Add(request.s3_bucket);
  fingerprint.Add(request.s3_bucket_owner).Add(request.s3_prefix).Add(request.s3_sse_algorithm);
  fingerprint.Add(request.s3_sse_kms_key_id).Add(request.export_format).Add(request.export_type);
  if (const auto& period = request.incremental_export_specification) {
    fingerprint.Add(period->export_from_time_ms).Add(period->export_to_time_ms);
    fingerprint.Add(period->export_view_type);
  }
  return fingerprint.Text();
}

Result<Plan> Validate(ExportTableToPointInTimeRequest&& request, Engine& engine, Wording) {
  RETURN_IF_ERROR(CheckConstraints(request));
  if (!IsArn(*request.table_arn)) return std::unexpected(Error::Validation("Invalid TableArn"));
  Plan plan;
  ASSIGN_OR_RETURN(plan.table_name, TableNameOf(*request.table_arn, engine));
  RETURN_IF_ERROR(CheckType(request));
  RETURN_IF_ERROR(CheckBuckets(engine));
  RETURN_IF_ERROR(CheckLocation(request.s3_bucket, request.s3_prefix));
  plan.fingerprint = FingerprintOf(request);
  plan.request = std::move(request);
  return plan;
}

TimeMs Time(std::int64_t ms) { return TimeMs(std::chrono::milliseconds(ms)); }
std::int64_t Ms(TimeMs time) { return time.time_since_epoch().count(); }

// Everything that is acknowledged can be exported, so the latest time is now.
Result<void> CheckTime(std::int64_t time_ms, const Table& table, TimeMs now) {
  const RestorableTimes times = RestorableTimesOf(*table.recovery, now);
  if (Time(time_ms) >= times.earliest && Time(time_ms) <= std::max(now, times.latest)) return {};
  return std::unexpected(Error::InvalidExportTime(
      "The specified ExportTime is outside of the point in time recovery window."));
}

Result<ExportDescription::Period> PeriodOf(const IncrementalExportSpecification& sent,
                                           const Table& table, TimeMs now) {
  ExportDescription::Period period;
  period.from_ms = *sent.export_from_time_ms;
  period.to_ms = sent.export_to_time_ms.value_or(Ms(now));
  if (sent.export_view_type) period.view_type = sent.export_view_type->value();
  RETURN_IF_ERROR(CheckTime(period.from_ms, table, now));
  RETURN_IF_ERROR(CheckTime(period.to_ms, table, now));
  if (period.from_ms >= period.to_ms) {
    return InvalidRequest("ExportFromTime must be earlier than ExportToTime");
  }
  const auto length = Time(period.to_ms) - Time(period.from_ms);
  if (length >= kPeriodMin && length <= kPeriodMax) return period;
  return InvalidRequest(
      "The time between ExportFromTime and ExportToTime must be at least 15 minutes and at most 24 "
      "hours");
}

Result<ExportJob> MakeJob(Engine& engine, Plan& plan, const Table& table, TimeMs now) {
  ExportTableToPointInTimeRequest& request = plan.request;
  ExportJob job;
  job.id = engine.transfers().NewId();
  job.fingerprint = std::move(plan.fingerprint);
  job.table = table.number;
  for (const auto* keys : {&table.keys.hash, &table.keys.range}) {
    for (const KeyAttribute& key : *keys) job.key_names.push_back(key.name);
  }
  std::ranges::sort(job.key_names);
  ExportDescription& shown = job.shown;
  shown.export_arn = table.arn + std::string(kExportArn.part) + job.id;
  shown.start_ms = Ms(now);
  shown.table_arn = table.arn;
  shown.table_id = table.id;
  shown.client_token = request.client_token ? *request.client_token : RandomUuid();
  shown.s3_bucket = *request.s3_bucket;
  shown.s3_bucket_owner = std::move(request.s3_bucket_owner);
  shown.s3_prefix = std::move(request.s3_prefix);
  if (request.s3_sse_algorithm) shown.s3_sse_algorithm = request.s3_sse_algorithm->value();
  shown.s3_sse_kms_key_id = std::move(request.s3_sse_kms_key_id);
  if (request.export_format) shown.export_format = request.export_format->value();
  if (IsIncremental(request)) {
    shown.export_type = ExportType::kIncrementalExport;
    ASSIGN_OR_RETURN(shown.period, PeriodOf(*request.incremental_export_specification, table, now));
    return job;
  }
  shown.export_time_ms = request.export_time_ms.value_or(Ms(now));
  RETURN_IF_ERROR(CheckTime(*shown.export_time_ms, table, now));
  return job;
}

Result<ExportTableToPointInTimeResponse> Execute(Engine& engine, Plan plan) {
  const TimeMs now = engine.clock().Now();
  const ExportPtr earlier =
      FindByToken(engine.transfers().exports(), plan.request.client_token, now);
  if (earlier) {
    if (earlier->fingerprint != plan.fingerprint) return std::unexpected(Error::ExportConflict());
    return ExportTableToPointInTimeResponse{earlier->shown};
  }
  const Result<TablePtr> table = engine.FindTable(plan.table_name);
  if (!table) return std::unexpected(Error::TableNotFound(*plan.request.table_arn));
  if (!(*table)->recovery) {
    return std::unexpected(Error::PointInTimeRecoveryUnavailable((*table)->name));
  }
  ASSIGN_OR_RETURN(ExportJob job, MakeJob(engine, plan, **table, now));
  ASSIGN_OR_RETURN(const ExportPtr started, engine.transfers().StartExport(std::move(job)));
  return ExportTableToPointInTimeResponse{started->shown};
}

}  // namespace
}  // namespace export_table_to_point_in_time

STATOR_DEFINE_BACKGROUND_OPERATION(ExportTableToPointInTime, export_table_to_point_in_time);

// DescribeExport: tells how an export is getting on.
namespace describe_export {
namespace {

struct Plan {
  std::string arn;
  std::string id;
};

Result<Plan> Validate(const DescribeExportRequest& request, Engine& engine, Wording) {
  Plan plan;
  ASSIGN_OR_RETURN(plan.id, JobIdOf(request.export_arn, kExportArn, engine));
  plan.arn = *request.export_arn;
  return plan;
}

Result<DescribeExportResponse> Execute(Engine& engine, const Plan& plan) {
  ASSIGN_OR_RETURN(const ExportPtr job,
                   engine.LookUp([&] { return engine.transfers().exports().Find(plan.id); }));
  if (!job || job->shown.export_arn != plan.arn) {
    return std::unexpected(Error::ExportNotFound(plan.arn));
  }
  return DescribeExportResponse{job->shown};
}

}  // namespace
}  // namespace describe_export

STATOR_DEFINE_OPERATION(DescribeExport, describe_export);

// ListExports: exports in the order in which they began, page by page.
namespace list_exports {
namespace {

struct Plan {
  JobPage page;
  std::optional<std::string> table_arn;
};

Result<Plan> Validate(const ListExportsRequest& request, Engine&, Wording) {
  Plan plan{.page = {}, .table_arn = request.table_arn};
  ASSIGN_OR_RETURN(plan.page, JobPage::From("maxResults", request.max_results, request.next_token));
  return plan;
}

Result<ListExportsResponse> Execute(Engine& engine, const Plan& plan) {
  RETURN_IF_ERROR(engine.BringCatalogUpToDate());
  ListExportsResponse response;
  response.next_token = plan.page.List(
      engine.transfers().exports(),
      [&](const auto& shown) { return !plan.table_arn || shown.table_arn == *plan.table_arn; },
      [&](const auto& shown) {
        response.export_summaries.push_back({.export_arn = shown.export_arn,
                                             .export_status = shown.export_status,
                                             .export_type = shown.export_type});
      });
  return response;
}

}  // namespace
}  // namespace list_exports

STATOR_DEFINE_OPERATION(ListExports, list_exports);

}  // namespace stator
