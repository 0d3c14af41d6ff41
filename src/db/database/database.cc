// The composition root: store, engine and operations behind the public door.
#include "stator/database.h"

#include <utility>

#include "api/error_body.h"
#include "api/operation_table.h"
#include "api/operations.h"
#include "api/reply.h"
#include "base/try.h"
#include "engine/engine.h"
#include "engine/store_access.h"
#include "storage/store.h"
#include "value/json.h"

namespace stator {
namespace {

static_assert(Database::kPadding >= kJsonPadding);

SyncMode AsSyncMode(Durability durability) {
  switch (durability) {
    case Durability::kAlways:
      return SyncMode::kAlways;
    case Durability::kInterval:
      return SyncMode::kInterval;
    case Durability::kOff:
      return SyncMode::kOff;
  }
  return SyncMode::kAlways;
}

StorageResult<std::unique_ptr<Store>> OpenStore(const DatabaseOptions& options) {
  if (options.directory.empty()) return OpenMemoryStore();
  return OpenRocksStore({.directory = options.directory,
                         .sync = AsSyncMode(options.durability),
                         .cache_bytes = options.cache_bytes});
}

Database::Answer AnswerOf(const Error& error) {
  return {HttpStatus(error), ErrorBody(error), error.name()};
}

}  // namespace

struct Database::Impl {
  DatabaseOptions options;
  std::unique_ptr<TurnableClock> clock;
  std::unique_ptr<Engine> engine;

  Wording WordingOf(const OperationRow& row) const {
    return options.classic_wording ? Wording::kClassic : row.wording;
  }

  // `name` is that of the operation.
  template <const auto& kOperation, class Request>
  auto Run(std::string_view name, const Request& request) {
    static const OperationRow& row = *FindOperation(name);
    return kOperation.call(*engine, WordingOf(row), Request(request));
  }
};

Database::Database(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Database::~Database() = default;

Result<std::unique_ptr<Database>> Database::Open(DatabaseOptions options) {
  if (!options.clock.IsPossible()) {
    return std::unexpected(Error::Validation("a clock shows years from 1970 to 9999"));
  }
  StorageResult<std::unique_ptr<Store>> store = OpenStore(options);
  if (!store) return std::unexpected(FromStorage(store.error()));
  auto clock = std::make_unique<TurnableClock>(options.clock);
  ASSIGN_OR_RETURN(std::unique_ptr<Engine> engine,
                   Engine::Open(*std::move(store), {.region = options.region,
                                                    .account = options.account,
                                                    .clock = clock.get(),
                                                    .strict_conflicts = options.strict_conflicts,
                                                    .s3_root = options.s3_root,
                                                    .count_units = options.count_units}));
  return std::unique_ptr<Database>(new Database(std::make_unique<Impl>(Impl{
      .options = std::move(options), .clock = std::move(clock), .engine = std::move(engine)})));
}

Result<GetItemResponse> Database::GetItem(const GetItemRequest& request) {
  return impl_->Run<kGetItem>("GetItem", request);
}
Result<PutItemResponse> Database::PutItem(const PutItemRequest& request) {
  return impl_->Run<kPutItem>("PutItem", request);
}
Result<UpdateItemResponse> Database::UpdateItem(const UpdateItemRequest& request) {
  return impl_->Run<kUpdateItem>("UpdateItem", request);
}
Result<DeleteItemResponse> Database::DeleteItem(const DeleteItemRequest& request) {
  return impl_->Run<kDeleteItem>("DeleteItem", request);
}
Result<QueryResponse> Database::Query(const QueryRequest& request) {
  return impl_->Run<kQuery>("Query", request);
}
Result<ScanResponse> Database::Scan(const ScanRequest& request) {
  return impl_->Run<kScan>("Scan", request);
}
Result<BatchGetItemResponse> Database::BatchGetItem(const BatchGetItemRequest& request) {
  return impl_->Run<kBatchGetItem>("BatchGetItem", request);
}
Result<BatchWriteItemResponse> Database::BatchWriteItem(const BatchWriteItemRequest& request) {
  return impl_->Run<kBatchWriteItem>("BatchWriteItem", request);
}
Result<TransactGetItemsResponse> Database::TransactGetItems(
    const TransactGetItemsRequest& request) {
  return impl_->Run<kTransactGetItems>("TransactGetItems", request);
}
Result<TransactWriteItemsResponse> Database::TransactWriteItems(
    const TransactWriteItemsRequest& request) {
  return impl_->Run<kTransactWriteItems>("TransactWriteItems", request);
}
Result<ExecuteStatementResponse> Database::ExecuteStatement(
    const ExecuteStatementRequest& request) {
  return impl_->Run<kExecuteStatement>("ExecuteStatement", request);
}
Result<BatchExecuteStatementResponse> Database::BatchExecuteStatement(
    const BatchExecuteStatementRequest& request) {
  return impl_->Run<kBatchExecuteStatement>("BatchExecuteStatement", request);
}
Result<ExecuteTransactionResponse> Database::ExecuteTransaction(
    const ExecuteTransactionRequest& request) {
  return impl_->Run<kExecuteTransaction>("ExecuteTransaction", request);
}
Result<CreateTableResponse> Database::CreateTable(const CreateTableRequest& request) {
  return impl_->Run<kCreateTable>("CreateTable", request);
}
Result<DescribeTableResponse> Database::DescribeTable(const DescribeTableRequest& request) {
  return impl_->Run<kDescribeTable>("DescribeTable", request);
}
Result<UpdateTableResponse> Database::UpdateTable(const UpdateTableRequest& request) {
  return impl_->Run<kUpdateTable>("UpdateTable", request);
}
Result<DeleteTableResponse> Database::DeleteTable(const DeleteTableRequest& request) {
  return impl_->Run<kDeleteTable>("DeleteTable", request);
}
Result<ListTablesResponse> Database::ListTables(const ListTablesRequest& request) {
  return impl_->Run<kListTables>("ListTables", request);
}
Result<EmptyResponse> Database::TagResource(const TagResourceRequest& request) {
  return impl_->Run<kTagResource>("TagResource", request);
}
Result<EmptyResponse> Database::UntagResource(const UntagResourceRequest& request) {
  return impl_->Run<kUntagResource>("UntagResource", request);
}
Result<ListTagsOfResourceResponse> Database::ListTagsOfResource(
    const ListTagsOfResourceRequest& request) {
  return impl_->Run<kListTagsOfResource>("ListTagsOfResource", request);
}
Result<UpdateTimeToLiveResponse> Database::UpdateTimeToLive(
    const UpdateTimeToLiveRequest& request) {
  return impl_->Run<kUpdateTimeToLive>("UpdateTimeToLive", request);
}
Result<DescribeTimeToLiveResponse> Database::DescribeTimeToLive(
    const DescribeTimeToLiveRequest& request) {
  return impl_->Run<kDescribeTimeToLive>("DescribeTimeToLive", request);
}
Result<DescribeLimitsResponse> Database::DescribeLimits(const DescribeLimitsRequest& request) {
  return impl_->Run<kDescribeLimits>("DescribeLimits", request);
}
Result<DescribeEndpointsResponse> Database::DescribeEndpoints(
    const DescribeEndpointsRequest& request) {
  return impl_->Run<kDescribeEndpoints>("DescribeEndpoints", request);
}

Result<ListStreamsResponse> Database::ListStreams(const ListStreamsRequest& request) {
  return impl_->Run<kListStreams>("ListStreams", request);
}
Result<DescribeStreamResponse> Database::DescribeStream(const DescribeStreamRequest& request) {
  return impl_->Run<kDescribeStream>("DescribeStream", request);
}
Result<GetShardIteratorResponse> Database::GetShardIterator(
    const GetShardIteratorRequest& request) {
  return impl_->Run<kGetShardIterator>("GetShardIterator", request);
}
Result<GetRecordsResponse> Database::GetRecords(const GetRecordsRequest& request) {
  return impl_->Run<kGetRecords>("GetRecords", request);
}

Result<CreateBackupResponse> Database::CreateBackup(const CreateBackupRequest& request) {
  return impl_->Run<kCreateBackup>("CreateBackup", request);
}
Result<DescribeBackupResponse> Database::DescribeBackup(const DescribeBackupRequest& request) {
  return impl_->Run<kDescribeBackup>("DescribeBackup", request);
}
Result<ListBackupsResponse> Database::ListBackups(const ListBackupsRequest& request) {
  return impl_->Run<kListBackups>("ListBackups", request);
}
Result<DeleteBackupResponse> Database::DeleteBackup(const DeleteBackupRequest& request) {
  return impl_->Run<kDeleteBackup>("DeleteBackup", request);
}
Result<DescribeContinuousBackupsResponse> Database::DescribeContinuousBackups(
    const DescribeContinuousBackupsRequest& request) {
  return impl_->Run<kDescribeContinuousBackups>("DescribeContinuousBackups", request);
}
Result<UpdateContinuousBackupsResponse> Database::UpdateContinuousBackups(
    const UpdateContinuousBackupsRequest& request) {
  return impl_->Run<kUpdateContinuousBackups>("UpdateContinuousBackups", request);
}
Result<RestoreTableFromBackupResponse> Database::RestoreTableFromBackup(
    const RestoreTableFromBackupRequest& request) {
  return impl_->Run<kRestoreTableFromBackup>("RestoreTableFromBackup", request);
}
Result<RestoreTableToPointInTimeResponse> Database::RestoreTableToPointInTime(
    const RestoreTableToPointInTimeRequest& request) {
  return impl_->Run<kRestoreTableToPointInTime>("RestoreTableToPointInTime", request);
}
Result<ExportTableToPointInTimeResponse> Database::ExportTableToPointInTime(
    const ExportTableToPointInTimeRequest& request) {
  return impl_->Run<kExportTableToPointInTime>("ExportTableToPointInTime", request);
}
Result<DescribeExportResponse> Database::DescribeExport(const DescribeExportRequest& request) {
  return impl_->Run<kDescribeExport>("DescribeExport", request);
}
Result<ListExportsResponse> Database::ListExports(const ListExportsRequest& request) {
  return impl_->Run<kListExports>("ListExports", request);
}
Result<ImportTableResponse> Database::ImportTable(const ImportTableRequest& request) {
  return impl_->Run<kImportTable>("ImportTable", request);
}
Result<DescribeImportResponse> Database::DescribeImport(const DescribeImportRequest& request) {
  return impl_->Run<kDescribeImport>("DescribeImport", request);
}
Result<ListImportsResponse> Database::ListImports(const ListImportsRequest& request) {
  return impl_->Run<kListImports>("ListImports", request);
}
Result<StartBulkPutItemsResponse> Database::StartBulkPutItems(
    const StartBulkPutItemsRequest& request) {
  return impl_->Run<kStartBulkPutItems>("StartBulkPutItems", request);
}
Result<DescribeBulkOperationResponse> Database::DescribeBulkOperation(
    const DescribeBulkOperationRequest& request) {
  return impl_->Run<kDescribeBulkOperation>("DescribeBulkOperation", request);
}
Result<CancelBulkOperationResponse> Database::CancelBulkOperation(
    const CancelBulkOperationRequest& request) {
  return impl_->Run<kCancelBulkOperation>("CancelBulkOperation", request);
}
Result<ListBulkOperationsResponse> Database::ListBulkOperations(
    const ListBulkOperationsRequest& request) {
  return impl_->Run<kListBulkOperations>("ListBulkOperations", request);
}

namespace {

// Parses the body and runs the operation; the JSON part of both Execute functions.
void RunJson(Engine& engine, const OperationRow& row, Wording wording, bool parsed,
             const JsonDocument& document, Reply<std::string> reply) {
  if (!parsed || document.root().kind() != JsonKind::kObject) {
    return reply(std::unexpected(Error::Serialization()));
  }
  (*row.run_json)(engine, wording, document.root(), std::move(reply));
}

}  // namespace

Result<std::string> Database::Execute(std::string_view operation, std::string_view json) {
  const OperationRow* row = FindOperation(operation);
  if (row == nullptr) return std::unexpected(Error::UnknownOperation());
  JsonDocument document;
  const bool parsed = document.Parse(json);
  Waiter<std::string> waiter;
  RunJson(*impl_->engine, *row, impl_->WordingOf(*row), parsed, document, waiter.Callback());
  return waiter.Take();
}

void Database::ExecuteAsync(std::string_view operation, std::string_view padded_json,
                            AnswerCallback done) {
  const OperationRow* row = FindOperation(operation);
  if (row == nullptr) return done(AnswerOf(Error::UnknownOperation()));
  // One document a thread: its memory is reused, and nothing refers to it once the request is
  // decoded.
  thread_local JsonDocument document;
  const bool parsed = document.ParsePadded(padded_json);
  RunJson(*impl_->engine, *row, impl_->WordingOf(*row), parsed, document,
          [done = std::move(done)](Result<std::string> body) mutable {
            if (!body) return done(AnswerOf(body.error()));
            done({.http_status = 200, .body = *std::move(body), .error_name = {}});
          });
}

bool Database::Knows(std::string_view operation) { return FindOperation(operation) != nullptr; }

Database::Answer Database::ErrorAnswer(const Error& error) { return AnswerOf(error); }

const std::string& Database::region() const { return impl_->options.region; }

TurnableClock& Database::clock() { return *impl_->clock; }

namespace {

std::vector<Database::ConsumedUnits> ConsumedUnitsOf(const Engine& engine) {
  std::vector<Database::ConsumedUnits> units;
  if (const UnitCounts* counts = engine.unit_counts()) {
    for (UnitCount& count : counts->All()) {
      units.push_back({.table = std::move(count.table),
                       .index = std::move(count.index),
                       .reads = count.reads,
                       .writes = count.writes});
    }
  }
  return units;
}

}  // namespace

void Database::WaitForBackgroundWork() { impl_->engine->background().WaitUntilIdle(); }

Database::Stats Database::GetStats() const {
  const Store::Stats store = impl_->engine->store().GetStats();
  return {.tables = impl_->engine->catalog().size(),
          .commits = store.commits,
          .mutations = store.mutations,
          .syncs = store.syncs,
          .disk_bytes = store.disk_bytes,
          .cache_bytes = store.cache_bytes,
          .statement_scans = impl_->engine->statement_scans(),
          .expired_items = impl_->engine->expiry_sweep().deleted_items(),
          .expiry_lag_seconds = impl_->engine->expiry_sweep().lag_seconds(),
          .stream_records = static_cast<std::uint64_t>(impl_->engine->streams().RecordsWritten()),
          .counts_units = impl_->engine->unit_counts() != nullptr,
          .consumed_units = ConsumedUnitsOf(*impl_->engine)};
}

}  // namespace stator
