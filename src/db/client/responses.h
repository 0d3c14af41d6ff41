// Every answer from the members of its JSON: the mirror of the operations' Encode functions. What
// AWS answers beyond what the public headers name is passed over.
#ifndef STATOR_CLIENT_RESPONSES_H_
#define STATOR_CLIENT_RESPONSES_H_

#include <string_view>
#include <utility>

#include "api/member_reader.h"
#include "stator/operations.h"
#include "stator/recovery.h"
#include "stator/result.h"
#include "stator/table_operations.h"
#include "stator/time_to_live.h"
#include "stator/transactions.h"
#include "value/json.h"

namespace stator {

// item_responses.cc
void ReadMembers(MemberReader& in, GetItemResponse& response);
void ReadMembers(MemberReader& in, WriteItemResponse& response);
void ReadMembers(MemberReader& in, PageResponse& response);

// batch_responses.cc
void ReadMembers(MemberReader& in, BatchGetItemResponse& response);
void ReadMembers(MemberReader& in, BatchWriteItemResponse& response);
void ReadMembers(MemberReader& in, TransactGetItemsResponse& response);
void ReadMembers(MemberReader& in, TransactWriteItemsResponse& response);

// table_responses.cc
void ReadMembers(MemberReader& in, TableDescriptionResponse& response);

// setting_responses.cc
void ReadMembers(MemberReader& in, ListTablesResponse& response);
void ReadMembers(MemberReader& in, EmptyResponse& response);
void ReadMembers(MemberReader& in, ListTagsOfResourceResponse& response);
void ReadMembers(MemberReader& in, UpdateTimeToLiveResponse& response);
void ReadMembers(MemberReader& in, DescribeTimeToLiveResponse& response);
void ReadMembers(MemberReader& in, ContinuousBackupsResponse& response);

// The error for an answer that is not what it should be.
Error UnreadableAnswer(std::string_view why);

// An empty body is read as {}: AWS answers TagResource and UntagResource with one.
template <class Response>
Result<Response> DecodeResponse(std::string_view body) {
  JsonDocument document;
  if (!document.Parse(body.empty() ? "{}" : body)) {
    return std::unexpected(UnreadableAnswer("it is not JSON"));
  }
  MemberReader in(document.root());
  Response response;
  if (!in.failed()) ReadMembers(in, response);
  Result<Response> finished = in.Finish(std::move(response));
  if (!finished) return std::unexpected(UnreadableAnswer(finished.error().message()));
  return finished;
}

}  // namespace stator

#endif  // STATOR_CLIENT_RESPONSES_H_
