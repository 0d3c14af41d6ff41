// Every request as the members of its JSON.
#ifndef STATOR_CLIENT_REQUESTS_H_
#define STATOR_CLIENT_REQUESTS_H_

#include <string>
#include <utility>

#include "client/member_writer.h"
#include "stator/operations.h"
#include "stator/recovery.h"
#include "stator/result.h"
#include "stator/table_operations.h"
#include "stator/time_to_live.h"
#include "stator/transactions.h"

namespace stator {

// item_requests.cc
void WriteMembers(MemberWriter& out, const ExpectedAttribute& expected);
void WriteMembers(MemberWriter& out, const LegacyCondition& condition);
void WriteMembers(MemberWriter& out, const AttributeUpdate& update);
void WriteMembers(MemberWriter& out, const GetItemRequest& request);
void WriteMembers(MemberWriter& out, const PutItemRequest& request);
void WriteMembers(MemberWriter& out, const UpdateItemRequest& request);
void WriteMembers(MemberWriter& out, const DeleteItemRequest& request);
void WriteMembers(MemberWriter& out, const QueryRequest& request);
void WriteMembers(MemberWriter& out, const ScanRequest& request);

// batch_requests.cc
void WriteMembers(MemberWriter& out, const KeysAndAttributes& keys);
void WriteMembers(MemberWriter& out, const WriteRequest& write);
void WriteMembers(MemberWriter& out, const BatchGetItemRequest& request);
void WriteMembers(MemberWriter& out, const BatchWriteItemRequest& request);
void WriteMembers(MemberWriter& out, const TransactConditionCheck& check);
void WriteMembers(MemberWriter& out, const TransactPut& put);
void WriteMembers(MemberWriter& out, const TransactDelete& deletion);
void WriteMembers(MemberWriter& out, const TransactUpdate& update);
void WriteMembers(MemberWriter& out, const TransactWriteItem& item);
void WriteMembers(MemberWriter& out, const TransactGet& get);
void WriteMembers(MemberWriter& out, const TransactGetItem& item);
void WriteMembers(MemberWriter& out, const TransactWriteItemsRequest& request);
void WriteMembers(MemberWriter& out, const TransactGetItemsRequest& request);

// table_requests.cc
void WriteMembers(MemberWriter& out, const AttributeDefinition& definition);
void WriteMembers(MemberWriter& out, const KeySchemaElement& element);
void WriteMembers(MemberWriter& out, const IndexProjection& projection);
void WriteMembers(MemberWriter& out, const ProvisionedThroughput& throughput);
void WriteMembers(MemberWriter& out, const OnDemandThroughput& throughput);
void WriteMembers(MemberWriter& out, const WarmThroughput& throughput);
void WriteMembers(MemberWriter& out, const StreamSpecification& stream);
void WriteMembers(MemberWriter& out, const SseSpecification& sse);
void WriteMembers(MemberWriter& out, const Tag& tag);
void WriteMembers(MemberWriter& out, const LocalSecondaryIndex& index);
void WriteMembers(MemberWriter& out, const GlobalSecondaryIndex& index);
void WriteMembers(MemberWriter& out, const GlobalSecondaryIndexUpdate::UpdateAction& action);
void WriteMembers(MemberWriter& out, const GlobalSecondaryIndexUpdate::DeleteAction& action);
void WriteMembers(MemberWriter& out, const GlobalSecondaryIndexUpdate& update);
void WriteMembers(MemberWriter& out, const CreateTableRequest& request);
void WriteMembers(MemberWriter& out, const DescribeTableRequest& request);
void WriteMembers(MemberWriter& out, const UpdateTableRequest& request);
void WriteMembers(MemberWriter& out, const DeleteTableRequest& request);
void WriteMembers(MemberWriter& out, const ListTablesRequest& request);

// setting_requests.cc
void WriteMembers(MemberWriter& out, const TagResourceRequest& request);
void WriteMembers(MemberWriter& out, const UntagResourceRequest& request);
void WriteMembers(MemberWriter& out, const ListTagsOfResourceRequest& request);
void WriteMembers(MemberWriter& out, const TimeToLiveSpecification& specification);
void WriteMembers(MemberWriter& out, const UpdateTimeToLiveRequest& request);
void WriteMembers(MemberWriter& out, const DescribeTimeToLiveRequest& request);
void WriteMembers(MemberWriter& out, const PointInTimeRecoverySpecification& specification);
void WriteMembers(MemberWriter& out, const DescribeContinuousBackupsRequest& request);
void WriteMembers(MemberWriter& out, const UpdateContinuousBackupsRequest& request);

template <class Request>
Result<std::string> EncodeRequest(const Request& request) {
  MemberWriter out;
  out.Value(request);
  return std::move(out).Finish();
}

}  // namespace stator

#endif  // STATOR_CLIENT_REQUESTS_H_
