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

#include "stator/operation_list.h"
#include "stator/operations.h"
#include "stator/partiql.h"
#include "stator/recovery.h"
#include "stator/result.h"
#include "stator/streams.h"
#include "stator/table_operations.h"
#include "stator/time_to_live.h"
#include "stator/transactions.h"
#include "stator/transfer_operations.h"

namespace stator {

// The operations, by what they work on:
//   items         GetItem PutItem UpdateItem DeleteItem Query Scan BatchGetItem BatchWriteItem
//   transactions  TransactGetItems TransactWriteItems
//   PartiQL       ExecuteStatement BatchExecuteStatement ExecuteTransaction
//   tables        CreateTable DescribeTable UpdateTable DeleteTable ListTables TagResource
//                 UntagResource ListTagsOfResource UpdateTimeToLive DescribeTimeToLive
//                 DescribeLimits DescribeEndpoints
//   streams       ListStreams DescribeStream GetShardIterator GetRecords
//   backups       CreateBackup DescribeBackup ListBackups DeleteBackup DescribeContinuousBackups
//                 UpdateContinuousBackups RestoreTableFromBackup RestoreTableToPointInTime
//   transfers     ExportTableToPointInTime DescribeExport ListExports ImportTable DescribeImport
//                 ListImports StartBulkPutItems DescribeBulkOperation CancelBulkOperation
//                 ListBulkOperations
//
//   virtual Result<GetItemResponse> GetItem(const GetItemRequest& request) = 0;
class Endpoint {
 public:
  virtual ~Endpoint() = default;

#define STATOR_DECLARE(Name) virtual Result<Name##Response> Name(const Name##Request& request) = 0;
  STATOR_OPERATIONS(STATOR_DECLARE)
#undef STATOR_DECLARE

  // The same operations, and others that the endpoint may know, with DynamoDB's JSON:
  // Execute("PutItem", R"({"TableName": …})") gives the body of the answer.
  virtual Result<std::string> Execute(std::string_view operation, std::string_view json) = 0;

 protected:
  Endpoint() = default;
  Endpoint(const Endpoint&) = default;
  Endpoint& operator=(const Endpoint&) = default;
};

}  // namespace stator

#endif  // STATOR_ENDPOINT_H_
