#include "client/response_parts.h"
#include "client/responses.h"

namespace stator {

void ReadMembers(MemberReader& in, ListTablesResponse& response) {
  if (auto names = in.Strings("TableNames")) response.table_names = *std::move(names);
  response.last_evaluated_table_name = in.String("LastEvaluatedTableName");
}

void ReadMembers(MemberReader&, EmptyResponse&) {}

void ReadMembers(MemberReader& in, ListTagsOfResourceResponse& response) {
  using Pair = std::pair<std::string, std::string>;
  auto tags = in.Structures<Pair>("Tags", "Tag", [](MemberReader& one, Pair& tag) {
    tag = {one.String("Key").value_or(""), one.String("Value").value_or("")};
  });
  if (tags) response.tags = *std::move(tags);
  response.next_token = in.String("NextToken");
}

void ReadMembers(MemberReader& in, UpdateTimeToLiveResponse& response) {
  in.Structure<bool>("TimeToLiveSpecification", "TimeToLiveSpecification",
                     [&](MemberReader& one, bool&) {
                       response.specification.enabled = one.Boolean("Enabled");
                       response.specification.attribute_name = one.String("AttributeName");
                     });
}

void ReadMembers(MemberReader& in, DescribeTimeToLiveResponse& response) {
  in.Structure<bool>("TimeToLiveDescription", "TimeToLiveDescription",
                     [&](MemberReader& one, bool&) {
                       response.status = one.String("TimeToLiveStatus").value_or("");
                       response.attribute_name = one.String("AttributeName");
                     });
}

void ReadMembers(MemberReader& in, ContinuousBackupsResponse& response) {
  using Recovery = ContinuousBackupsDescription::Recovery;
  std::optional<Recovery>& recovery = response.continuous_backups.point_in_time_recovery;
  in.Structure<bool>(
      "ContinuousBackupsDescription", "ContinuousBackupsDescription",
      [&](MemberReader& outer, bool&) {
        outer.Structure<bool>(
            "PointInTimeRecoveryDescription", "PointInTimeRecoveryDescription",
            [&](MemberReader& one, bool&) {
              if (one.String("PointInTimeRecoveryStatus") != "ENABLED") return;
              recovery = Recovery{
                  .recovery_period_in_days = one.Integer("RecoveryPeriodInDays")
                                                 .value_or(Recovery().recovery_period_in_days),
                  .earliest_restorable_ms =
                      one.TimestampMs("EarliestRestorableDateTime").value_or(0),
                  .latest_restorable_ms = one.TimestampMs("LatestRestorableDateTime").value_or(0)};
            });
      });
}

}  // namespace stator
