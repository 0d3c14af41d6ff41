#include "api/backups/continuous_backups.h"

#include "engine/history/history.h"

namespace stator {

Result<TablePtr> FindBackedUpTable(const std::string& name, const Engine& engine) {
  Result<TablePtr> table = engine.FindTable(name);
  if (!table) return std::unexpected(Error::TableNotFound(name));
  return table;
}

ContinuousBackupsResponse DescribeContinuousBackups(const Table& table, TimeMs now) {
  ContinuousBackupsResponse response;
  if (!table.recovery) return response;
  const RestorableTimes times = RestorableTimesOf(*table.recovery, now);
  response.continuous_backups.point_in_time_recovery = {
      .recovery_period_in_days = table.recovery->days,
      .earliest_restorable_ms = times.earliest.time_since_epoch().count(),
      .latest_restorable_ms = times.latest.time_since_epoch().count()};
  return response;
}

void WriteContinuousBackups(JsonWriter& out, const ContinuousBackupsResponse& response) {
  const auto& recovery = response.continuous_backups.point_in_time_recovery;
  out.BeginObject();
  out.Key("ContinuousBackupsDescription").BeginObject();
  out.Key("ContinuousBackupsStatus").String("ENABLED");
  out.Key("PointInTimeRecoveryDescription").BeginObject();
  out.Key("PointInTimeRecoveryStatus").String(recovery ? "ENABLED" : "DISABLED");
  if (recovery) {
    out.Key("RecoveryPeriodInDays").Integer(recovery->recovery_period_in_days);
    out.Key("EarliestRestorableDateTime").TimestampMs(recovery->earliest_restorable_ms);
    out.Key("LatestRestorableDateTime").TimestampMs(recovery->latest_restorable_ms);
  }
  out.EndObject();
  out.EndObject();
  out.EndObject();
}

}  // namespace stator
