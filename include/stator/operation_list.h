// The operations of DynamoDB that Stator knows, ascending by name. Every operation Name has a
// NameRequest and a NameResponse.
//
//   #define DECLARE(Name) Result<Name##Response> Name(const Name##Request& request) override;
//   STATOR_OPERATIONS(DECLARE)
//   #undef DECLARE
#ifndef STATOR_OPERATION_LIST_H_
#define STATOR_OPERATION_LIST_H_

// clang-format off
#define STATOR_OPERATIONS(X) \
  X(BatchExecuteStatement) \
  X(BatchGetItem) \
  X(BatchWriteItem) \
  X(CancelBulkOperation) \
  X(CreateBackup) \
  X(CreateTable) \
  X(DeleteBackup) \
  X(DeleteItem) \
  X(DeleteTable) \
  X(DescribeBackup) \
  X(DescribeBulkOperation) \
  X(DescribeContinuousBackups) \
  X(DescribeEndpoints) \
  X(DescribeExport) \
  X(DescribeImport) \
  X(DescribeLimits) \
  X(DescribeStream) \
  X(DescribeTable) \
  X(DescribeTimeToLive) \
  X(ExecuteStatement) \
  X(ExecuteTransaction) \
  X(ExportTableToPointInTime) \
  X(GetItem) \
  X(GetRecords) \
  X(GetShardIterator) \
  X(ImportTable) \
  X(ListBackups) \
  X(ListBulkOperations) \
  X(ListExports) \
  X(ListImports) \
  X(ListStreams) \
  X(ListTables) \
  X(ListTagsOfResource) \
  X(PutItem) \
  X(Query) \
  X(RestoreTableFromBackup) \
  X(RestoreTableToPointInTime) \
  X(Scan) \
  X(StartBulkPutItems) \
  X(TagResource) \
  X(TransactGetItems) \
  X(TransactWriteItems) \
  X(UntagResource) \
  X(UpdateContinuousBackups) \
  X(UpdateItem) \
  X(UpdateTable) \
  X(UpdateTimeToLive)
// clang-format on

#endif  // STATOR_OPERATION_LIST_H_
