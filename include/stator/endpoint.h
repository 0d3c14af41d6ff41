// Where DynamoDB's operations are carried out: an embedded Database, a Stator server, or AWS.
//
//   void AddSong(stator::Endpoint& music) {  // does not care which of them it is
//     auto added = music.PutItem({.table_name = "Music", .item = Item{{"Artist", "Acme"}}});
//     if (!added) std::cerr << added.error().name() << ": " << added.error().message();
//   }
//
// Every implementation is thread-safe; a call returns when its answer is there. An error is the one
// that DynamoDB's own clients would see, whichever way it came.
#ifndef STATOR_ENDPOINT_H_
#define STATOR_ENDPOINT_H_

#include <string>
#include <string_view>

#include "stator/operations.h"
#include "stator/recovery.h"
#include "stator/result.h"
#include "stator/table_operations.h"
#include "stator/time_to_live.h"
#include "stator/transactions.h"

namespace stator {

class Endpoint {
 public:
  virtual ~Endpoint() = default;

  virtual Result<GetItemResponse> GetItem(const GetItemRequest& request) = 0;
  virtual Result<PutItemResponse> PutItem(const PutItemRequest& request) = 0;
  virtual Result<UpdateItemResponse> UpdateItem(const UpdateItemRequest& request) = 0;
  virtual Result<DeleteItemResponse> DeleteItem(const DeleteItemRequest& request) = 0;
  virtual Result<QueryResponse> Query(const QueryRequest& request) = 0;
  virtual Result<ScanResponse> Scan(const ScanRequest& request) = 0;
  virtual Result<BatchGetItemResponse> BatchGetItem(const BatchGetItemRequest& request) = 0;
  virtual Result<BatchWriteItemResponse> BatchWriteItem(const BatchWriteItemRequest& request) = 0;
  virtual Result<TransactGetItemsResponse> TransactGetItems(
      const TransactGetItemsRequest& request) = 0;
  virtual Result<TransactWriteItemsResponse> TransactWriteItems(
      const TransactWriteItemsRequest& request) = 0;

  virtual Result<CreateTableResponse> CreateTable(const CreateTableRequest& request) = 0;
  virtual Result<DescribeTableResponse> DescribeTable(const DescribeTableRequest& request) = 0;
  virtual Result<UpdateTableResponse> UpdateTable(const UpdateTableRequest& request) = 0;
  virtual Result<DeleteTableResponse> DeleteTable(const DeleteTableRequest& request) = 0;
  virtual Result<ListTablesResponse> ListTables(const ListTablesRequest& request) = 0;
  virtual Result<EmptyResponse> TagResource(const TagResourceRequest& request) = 0;
  virtual Result<EmptyResponse> UntagResource(const UntagResourceRequest& request) = 0;
  virtual Result<ListTagsOfResourceResponse> ListTagsOfResource(
      const ListTagsOfResourceRequest& request) = 0;
  virtual Result<UpdateTimeToLiveResponse> UpdateTimeToLive(
      const UpdateTimeToLiveRequest& request) = 0;
  virtual Result<DescribeTimeToLiveResponse> DescribeTimeToLive(
      const DescribeTimeToLiveRequest& request) = 0;
  virtual Result<DescribeContinuousBackupsResponse> DescribeContinuousBackups(
      const DescribeContinuousBackupsRequest& request) = 0;
  virtual Result<UpdateContinuousBackupsResponse> UpdateContinuousBackups(
      const UpdateContinuousBackupsRequest& request) = 0;

  // The same operations, and all others that the endpoint knows, with DynamoDB's JSON:
  // Execute("PutItem", R"({"TableName": …})") gives the body of the answer.
  virtual Result<std::string> Execute(std::string_view operation, std::string_view json) = 0;

 protected:
  Endpoint() = default;
  Endpoint(const Endpoint&) = default;
  Endpoint& operator=(const Endpoint&) = default;
};

}  // namespace stator

#endif  // STATOR_ENDPOINT_H_
