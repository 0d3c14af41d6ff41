// Every operation, by name. One file each.
#ifndef STATOR_API_OPERATIONS_H_
#define STATOR_API_OPERATIONS_H_

#include "api/operation.h"
#include "stator/operations.h"
#include "stator/partiql.h"
#include "stator/recovery.h"
#include "stator/streams.h"
#include "stator/table_operations.h"
#include "stator/time_to_live.h"
#include "stator/transactions.h"
#include "stator/transfer_operations.h"

namespace stator {

extern const Operation<GetItemRequest, GetItemResponse> kGetItem;
extern const Operation<PutItemRequest, PutItemResponse> kPutItem;
extern const Operation<UpdateItemRequest, UpdateItemResponse> kUpdateItem;
extern const Operation<DeleteItemRequest, DeleteItemResponse> kDeleteItem;
extern const Operation<QueryRequest, QueryResponse> kQuery;
extern const Operation<ScanRequest, ScanResponse> kScan;
extern const Operation<BatchGetItemRequest, BatchGetItemResponse> kBatchGetItem;
extern const Operation<BatchWriteItemRequest, BatchWriteItemResponse> kBatchWriteItem;
extern const Operation<TransactGetItemsRequest, TransactGetItemsResponse> kTransactGetItems;
extern const Operation<TransactWriteItemsRequest, TransactWriteItemsResponse> kTransactWriteItems;
extern const Operation<ExecuteStatementRequest, ExecuteStatementResponse> kExecuteStatement;
extern const Operation<BatchExecuteStatementRequest, BatchExecuteStatementResponse>
    kBatchExecuteStatement;
extern const Operation<ExecuteTransactionRequest, ExecuteTransactionResponse> kExecuteTransaction;

extern const Operation<CreateTableRequest, CreateTableResponse> kCreateTable;
extern const Operation<DescribeTableRequest, DescribeTableResponse> kDescribeTable;
extern const Operation<UpdateTableRequest, UpdateTableResponse> kUpdateTable;
extern const Operation<DeleteTableRequest, DeleteTableResponse> kDeleteTable;
extern const Operation<ListTablesRequest, ListTablesResponse> kListTables;
extern const Operation<TagResourceRequest, EmptyResponse> kTagResource;
extern const Operation<UntagResourceRequest, EmptyResponse> kUntagResource;
extern const Operation<ListTagsOfResourceRequest, ListTagsOfResourceResponse> kListTagsOfResource;
extern const Operation<UpdateTimeToLiveRequest, UpdateTimeToLiveResponse> kUpdateTimeToLive;
extern const Operation<DescribeTimeToLiveRequest, DescribeTimeToLiveResponse> kDescribeTimeToLive;
extern const Operation<DescribeLimitsRequest, DescribeLimitsResponse> kDescribeLimits;
extern const Operation<DescribeEndpointsRequest, DescribeEndpointsResponse> kDescribeEndpoints;

extern const Operation<ListStreamsRequest, ListStreamsResponse> kListStreams;
extern const Operation<DescribeStreamRequest, DescribeStreamResponse> kDescribeStream;
extern const Operation<GetShardIteratorRequest, GetShardIteratorResponse> kGetShardIterator;
extern const Operation<GetRecordsRequest, GetRecordsResponse> kGetRecords;
extern const Operation<CreateBackupRequest, CreateBackupResponse> kCreateBackup;
extern const Operation<DeleteBackupRequest, DeleteBackupResponse> kDeleteBackup;
extern const Operation<DescribeBackupRequest, DescribeBackupResponse> kDescribeBackup;
extern const Operation<ListBackupsRequest, ListBackupsResponse> kListBackups;
extern const Operation<DescribeContinuousBackupsRequest, DescribeContinuousBackupsResponse>
    kDescribeContinuousBackups;
extern const Operation<UpdateContinuousBackupsRequest, UpdateContinuousBackupsResponse>
    kUpdateContinuousBackups;
extern const Operation<RestoreTableFromBackupRequest, RestoreTableFromBackupResponse>
    kRestoreTableFromBackup;
extern const Operation<RestoreTableToPointInTimeRequest, RestoreTableToPointInTimeResponse>
    kRestoreTableToPointInTime;
extern const Operation<ExportTableToPointInTimeRequest, ExportTableToPointInTimeResponse>
    kExportTableToPointInTime;
extern const Operation<DescribeExportRequest, DescribeExportResponse> kDescribeExport;
extern const Operation<ListExportsRequest, ListExportsResponse> kListExports;
extern const Operation<ImportTableRequest, ImportTableResponse> kImportTable;
extern const Operation<DescribeImportRequest, DescribeImportResponse> kDescribeImport;
extern const Operation<ListImportsRequest, ListImportsResponse> kListImports;
extern const Operation<StartBulkPutItemsRequest, StartBulkPutItemsResponse> kStartBulkPutItems;
extern const Operation<DescribeBulkOperationRequest, DescribeBulkOperationResponse>
    kDescribeBulkOperation;
extern const Operation<CancelBulkOperationRequest, CancelBulkOperationResponse>
    kCancelBulkOperation;
extern const Operation<ListBulkOperationsRequest, ListBulkOperationsResponse> kListBulkOperations;

}  // namespace stator

#endif  // STATOR_API_OPERATIONS_H_
