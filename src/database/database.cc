// The composition root: store, engine and operations behind the public door.
#include "stator/database.h"

#include <utility>

#include "api/error_body.h"
#include "api/operation_table.h"
#include "api/operations.h"
#include "api/reply.h"
#include "base/clock.h"
#include "base/try.h"
#include "engine/engine.h"
#include "storage/store.h"
#include "value/json.h"

namespace stator {
namespace {

static_assert(Database::kPadding >= kJsonPadding);

const Clock& TheSystemClock() {
  static const SystemClock clock;
  return clock;
}

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
  std::unique_ptr<Engine> engine;

  Wording WordingOf(const OperationRow& row) const {
    return options.classic_wording ? Wording::kClassic : row.wording;
  }

  template <class Request, class Response>
  Result<Response> Run(std::string_view name, const Operation<Request, Response>& operation,
                       const Request& request) {
    return operation.call(*engine, WordingOf(*FindOperation(name)), Request(request));
  }
};

Database::Database(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Database::~Database() = default;

Result<std::unique_ptr<Database>> Database::Open(DatabaseOptions options) {
  StorageResult<std::unique_ptr<Store>> store = OpenStore(options);
  if (!store) return std::unexpected(FromStorage(store.error()));
  const Clock* clock = options.clock ? options.clock : &TheSystemClock();
  ASSIGN_OR_RETURN(std::unique_ptr<Engine> engine,
                   Engine::Open(*std::move(store), {.region = options.region,
                                                    .account = options.account,
                                                    .clock = clock,
                                                    .strict_conflicts = options.strict_conflicts}));
  return std::unique_ptr<Database>(new Database(
      std::make_unique<Impl>(Impl{.options = std::move(options), .engine = std::move(engine)})));
}

Result<GetItemResponse> Database::GetItem(const GetItemRequest& request) {
  return impl_->Run("GetItem", kGetItem, request);
}
Result<PutItemResponse> Database::PutItem(const PutItemRequest& request) {
  return impl_->Run("PutItem", kPutItem, request);
}
Result<UpdateItemResponse> Database::UpdateItem(const UpdateItemRequest& request) {
  return impl_->Run("UpdateItem", kUpdateItem, request);
}
Result<DeleteItemResponse> Database::DeleteItem(const DeleteItemRequest& request) {
  return impl_->Run("DeleteItem", kDeleteItem, request);
}
Result<QueryResponse> Database::Query(const QueryRequest& request) {
  return impl_->Run("Query", kQuery, request);
}
Result<ScanResponse> Database::Scan(const ScanRequest& request) {
  return impl_->Run("Scan", kScan, request);
}
Result<BatchGetItemResponse> Database::BatchGetItem(const BatchGetItemRequest& request) {
  return impl_->Run("BatchGetItem", kBatchGetItem, request);
}
Result<BatchWriteItemResponse> Database::BatchWriteItem(const BatchWriteItemRequest& request) {
  return impl_->Run("BatchWriteItem", kBatchWriteItem, request);
}
Result<TransactGetItemsResponse> Database::TransactGetItems(
    const TransactGetItemsRequest& request) {
  return impl_->Run("TransactGetItems", kTransactGetItems, request);
}
Result<TransactWriteItemsResponse> Database::TransactWriteItems(
    const TransactWriteItemsRequest& request) {
  return impl_->Run("TransactWriteItems", kTransactWriteItems, request);
}
Result<CreateTableResponse> Database::CreateTable(const CreateTableRequest& request) {
  return impl_->Run("CreateTable", kCreateTable, request);
}
Result<DescribeTableResponse> Database::DescribeTable(const DescribeTableRequest& request) {
  return impl_->Run("DescribeTable", kDescribeTable, request);
}
Result<UpdateTableResponse> Database::UpdateTable(const UpdateTableRequest& request) {
  return impl_->Run("UpdateTable", kUpdateTable, request);
}
Result<DeleteTableResponse> Database::DeleteTable(const DeleteTableRequest& request) {
  return impl_->Run("DeleteTable", kDeleteTable, request);
}
Result<ListTablesResponse> Database::ListTables(const ListTablesRequest& request) {
  return impl_->Run("ListTables", kListTables, request);
}
Result<EmptyResponse> Database::TagResource(const TagResourceRequest& request) {
  return impl_->Run("TagResource", kTagResource, request);
}
Result<EmptyResponse> Database::UntagResource(const UntagResourceRequest& request) {
  return impl_->Run("UntagResource", kUntagResource, request);
}
Result<ListTagsOfResourceResponse> Database::ListTagsOfResource(
    const ListTagsOfResourceRequest& request) {
  return impl_->Run("ListTagsOfResource", kListTagsOfResource, request);
}
Result<DescribeLimitsResponse> Database::DescribeLimits(const DescribeLimitsRequest& request) {
  return impl_->Run("DescribeLimits", kDescribeLimits, request);
}
Result<DescribeEndpointsResponse> Database::DescribeEndpoints(
    const DescribeEndpointsRequest& request) {
  return impl_->Run("DescribeEndpoints", kDescribeEndpoints, request);
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

void Database::WaitForBackgroundWork() { impl_->engine->background().WaitUntilIdle(); }

Database::Stats Database::GetStats() const {
  const Store::Stats store = impl_->engine->store().GetStats();
  return {.tables = impl_->engine->catalog().size(),
          .commits = store.commits,
          .mutations = store.mutations,
          .syncs = store.syncs,
          .disk_bytes = store.disk_bytes,
          .cache_bytes = store.cache_bytes};
}

}  // namespace stator
