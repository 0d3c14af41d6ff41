// An endpoint whose reads and writes of items fail when a test says so. Everything else is passed on.
#ifndef STATOR_TESTS_SYSTEMS_FAILING_ENDPOINT_H_
#define STATOR_TESTS_SYSTEMS_FAILING_ENDPOINT_H_

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "stator/endpoint.h"

namespace stator::testing {

class FailingEndpoint final : public Endpoint {
 public:
  // `what` is the operation, the table and the texts of the item's keys and values it can see:
  // "PutItem homeops-messages hemma", "TransactWriteItems homeops EFFORT#1 diskning".
  using Fails = std::function<bool(std::string_view what)>;

  explicit FailingEndpoint(Endpoint& behind) : behind_(behind) {}
  void FailWhen(Fails fails) { fails_ = std::move(fails); }

  Result<GetItemResponse> GetItem(const GetItemRequest& request) override {
    if (auto error = Fault("GetItem", Seen(request.table_name, request.key))) return *error;
    return behind_.GetItem(request);
  }
  Result<PutItemResponse> PutItem(const PutItemRequest& request) override {
    if (auto error = Fault("PutItem", Seen(request.table_name, request.item))) return *error;
    return behind_.PutItem(request);
  }
  Result<UpdateItemResponse> UpdateItem(const UpdateItemRequest& request) override {
    if (auto error = Fault("UpdateItem", Seen(request.table_name, request.key))) return *error;
    return behind_.UpdateItem(request);
  }
  Result<DeleteItemResponse> DeleteItem(const DeleteItemRequest& request) override {
    if (auto error = Fault("DeleteItem", Seen(request.table_name, request.key))) return *error;
    return behind_.DeleteItem(request);
  }
  Result<QueryResponse> Query(const QueryRequest& request) override {
    std::string seen = request.table_name.value_or("");
    if (request.expression_attribute_values) {
      for (const auto& [name, value] : *request.expression_attribute_values) {
        if (value.type() == Type::kS) seen += " " + std::string(value.view().S());
      }
    }
    if (auto error = Fault("Query", seen)) return *error;
    return behind_.Query(request);
  }
  Result<TransactWriteItemsResponse> TransactWriteItems(
      const TransactWriteItemsRequest& request) override {
    for (const TransactWriteItem& action : *request.transact_items) {
      std::string seen;
      if (action.put) seen = Seen(action.put->table_name, action.put->item);
      if (action.update) seen = Seen(action.update->table_name, action.update->key);
      if (action.delete_item) seen = Seen(action.delete_item->table_name, action.delete_item->key);
      if (auto error = Fault("TransactWriteItems", seen)) return *error;
    }
    return behind_.TransactWriteItems(request);
  }

  Result<ScanResponse> Scan(const ScanRequest& r) override { return behind_.Scan(r); }
  Result<BatchGetItemResponse> BatchGetItem(const BatchGetItemRequest& r) override {
    return behind_.BatchGetItem(r);
  }
  Result<BatchWriteItemResponse> BatchWriteItem(const BatchWriteItemRequest& r) override {
    return behind_.BatchWriteItem(r);
  }
  Result<TransactGetItemsResponse> TransactGetItems(const TransactGetItemsRequest& r) override {
    return behind_.TransactGetItems(r);
  }
  Result<CreateTableResponse> CreateTable(const CreateTableRequest& r) override {
    return behind_.CreateTable(r);
  }
  Result<DescribeTableResponse> DescribeTable(const DescribeTableRequest& r) override {
    return behind_.DescribeTable(r);
  }
  Result<UpdateTableResponse> UpdateTable(const UpdateTableRequest& r) override {
    return behind_.UpdateTable(r);
  }
  Result<DeleteTableResponse> DeleteTable(const DeleteTableRequest& r) override {
    return behind_.DeleteTable(r);
  }
  Result<ListTablesResponse> ListTables(const ListTablesRequest& r) override {
    return behind_.ListTables(r);
  }
  Result<EmptyResponse> TagResource(const TagResourceRequest& r) override {
    return behind_.TagResource(r);
  }
  Result<EmptyResponse> UntagResource(const UntagResourceRequest& r) override {
    return behind_.UntagResource(r);
  }
  Result<ListTagsOfResourceResponse> ListTagsOfResource(
      const ListTagsOfResourceRequest& r) override {
    return behind_.ListTagsOfResource(r);
  }
  Result<UpdateTimeToLiveResponse> UpdateTimeToLive(const UpdateTimeToLiveRequest& r) override {
    return behind_.UpdateTimeToLive(r);
  }
  Result<DescribeTimeToLiveResponse> DescribeTimeToLive(
      const DescribeTimeToLiveRequest& r) override {
    return behind_.DescribeTimeToLive(r);
  }
  Result<DescribeContinuousBackupsResponse> DescribeContinuousBackups(
      const DescribeContinuousBackupsRequest& r) override {
    return behind_.DescribeContinuousBackups(r);
  }
  Result<UpdateContinuousBackupsResponse> UpdateContinuousBackups(
      const UpdateContinuousBackupsRequest& r) override {
    return behind_.UpdateContinuousBackups(r);
  }
  Result<std::string> Execute(std::string_view operation, std::string_view json) override {
    return behind_.Execute(operation, json);
  }

 private:
  static std::string Seen(const std::optional<std::string>& table,
                          const std::optional<Item>& item) {
    std::string seen = table.value_or("");
    if (!item) return seen;
    for (const auto& [name, value] : *item) {
      if (value.type() == Type::kS) seen += " " + std::string(value.S());
    }
    return seen;
  }

  std::optional<std::unexpected<Error>> Fault(std::string_view operation,
                                              const std::string& seen) const {
    if (!fails_ || !fails_(std::string(operation) + " " + seen)) return std::nullopt;
    return std::unexpected(Error::InternalServerError("a test says so"));
  }

  Endpoint& behind_;
  Fails fails_;
};

}  // namespace stator::testing

#endif  // STATOR_TESTS_SYSTEMS_FAILING_ENDPOINT_H_
