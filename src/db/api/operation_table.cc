#include "api/operation_table.h"

#include <algorithm>
#include <array>

#include "api/operations.h"

namespace stator {
namespace {

// Ascending by name. The wording is DynamoDB's of October 2026 (docs/compatibility.md).
constexpr OperationRow kRows[] = {
    {"BatchExecuteStatement", Wording::kClassic, &kBatchExecuteStatement.run_json},
    {"BatchGetItem", Wording::kCurrent, &kBatchGetItem.run_json},
    {"BatchWriteItem", Wording::kClassic, &kBatchWriteItem.run_json},
    {"CancelBulkOperation", Wording::kClassic, &kCancelBulkOperation.run_json},
    {"CreateBackup", Wording::kClassic, &kCreateBackup.run_json},
    {"CreateTable", Wording::kClassic, &kCreateTable.run_json},
    {"DeleteBackup", Wording::kClassic, &kDeleteBackup.run_json},
    {"DeleteItem", Wording::kEnveloped, &kDeleteItem.run_json},
    {"DeleteTable", Wording::kClassic, &kDeleteTable.run_json},
    {"DescribeBackup", Wording::kClassic, &kDescribeBackup.run_json},
    {"DescribeBulkOperation", Wording::kClassic, &kDescribeBulkOperation.run_json},
    {"DescribeContinuousBackups", Wording::kClassic, &kDescribeContinuousBackups.run_json},
    {"DescribeEndpoints", Wording::kClassic, &kDescribeEndpoints.run_json},
    {"DescribeExport", Wording::kClassic, &kDescribeExport.run_json},
    {"DescribeImport", Wording::kClassic, &kDescribeImport.run_json},
    {"DescribeLimits", Wording::kClassic, &kDescribeLimits.run_json},
    {"DescribeStream", Wording::kClassic, &kDescribeStream.run_json},
    {"DescribeTable", Wording::kClassic, &kDescribeTable.run_json},
    {"DescribeTimeToLive", Wording::kClassic, &kDescribeTimeToLive.run_json},
    {"ExecuteStatement", Wording::kClassic, &kExecuteStatement.run_json},
    {"ExecuteTransaction", Wording::kClassic, &kExecuteTransaction.run_json},
    {"ExportTableToPointInTime", Wording::kClassic, &kExportTableToPointInTime.run_json},
    {"GetItem", Wording::kCurrent, &kGetItem.run_json},
    {"GetRecords", Wording::kClassic, &kGetRecords.run_json},
    {"GetShardIterator", Wording::kClassic, &kGetShardIterator.run_json},
    {"ImportTable", Wording::kClassic, &kImportTable.run_json},
    {"ListBackups", Wording::kClassic, &kListBackups.run_json},
    {"ListBulkOperations", Wording::kClassic, &kListBulkOperations.run_json},
    {"ListExports", Wording::kClassic, &kListExports.run_json},
    {"ListImports", Wording::kClassic, &kListImports.run_json},
    {"ListStreams", Wording::kClassic, &kListStreams.run_json},
    {"ListTables", Wording::kClassic, &kListTables.run_json},
    {"ListTagsOfResource", Wording::kClassic, &kListTagsOfResource.run_json},
    {"PutItem", Wording::kEnveloped, &kPutItem.run_json},
    {"Query", Wording::kCurrent, &kQuery.run_json},
    {"RestoreTableFromBackup", Wording::kClassic, &kRestoreTableFromBackup.run_json},
    {"RestoreTableToPointInTime", Wording::kClassic, &kRestoreTableToPointInTime.run_json},
    {"Scan", Wording::kClassic, &kScan.run_json},
    {"StartBulkPutItems", Wording::kClassic, &kStartBulkPutItems.run_json},
    {"TagResource", Wording::kClassic, &kTagResource.run_json},
    {"TransactGetItems", Wording::kClassic, &kTransactGetItems.run_json},
    {"TransactWriteItems", Wording::kClassic, &kTransactWriteItems.run_json},
    {"UntagResource", Wording::kClassic, &kUntagResource.run_json},
    {"UpdateContinuousBackups", Wording::kClassic, &kUpdateContinuousBackups.run_json},
    {"UpdateItem", Wording::kEnveloped, &kUpdateItem.run_json},
    {"UpdateTable", Wording::kClassic, &kUpdateTable.run_json},
    {"UpdateTimeToLive", Wording::kClassic, &kUpdateTimeToLive.run_json},
};
static_assert(std::ranges::is_sorted(kRows, {}, &OperationRow::name));

}  // namespace

const OperationRow* FindOperation(std::string_view name) {
  const auto* row = std::ranges::lower_bound(kRows, name, {}, &OperationRow::name);
  return row != std::end(kRows) && row->name == name ? row : nullptr;
}

}  // namespace stator
