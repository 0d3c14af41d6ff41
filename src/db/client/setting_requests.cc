#include "client/requests.h"

namespace stator {

void WriteMembers(MemberWriter& out, const TagResourceRequest& request) {
  out.Member("ResourceArn", request.resource_arn);
  out.Member("Tags", request.tags);
}

void WriteMembers(MemberWriter& out, const UntagResourceRequest& request) {
  out.Member("ResourceArn", request.resource_arn);
  out.Member("TagKeys", request.tag_keys);
}

void WriteMembers(MemberWriter& out, const ListTagsOfResourceRequest& request) {
  out.Member("ResourceArn", request.resource_arn);
  out.Member("NextToken", request.next_token);
}

void WriteMembers(MemberWriter& out, const TimeToLiveSpecification& specification) {
  out.Member("Enabled", specification.enabled);
  out.Member("AttributeName", specification.attribute_name);
}

void WriteMembers(MemberWriter& out, const UpdateTimeToLiveRequest& request) {
  out.Member("TableName", request.table_name);
  out.Member("TimeToLiveSpecification", request.specification);
}

void WriteMembers(MemberWriter& out, const DescribeTimeToLiveRequest& request) {
  out.Member("TableName", request.table_name);
}

void WriteMembers(MemberWriter& out, const PointInTimeRecoverySpecification& specification) {
  out.Member("PointInTimeRecoveryEnabled", specification.point_in_time_recovery_enabled);
  out.Member("RecoveryPeriodInDays", specification.recovery_period_in_days);
}

void WriteMembers(MemberWriter& out, const DescribeContinuousBackupsRequest& request) {
  out.Member("TableName", request.table_name);
}

void WriteMembers(MemberWriter& out, const UpdateContinuousBackupsRequest& request) {
  out.Member("TableName", request.table_name);
  out.Member("PointInTimeRecoverySpecification", request.point_in_time_recovery_specification);
}

}  // namespace stator
