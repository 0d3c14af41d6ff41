// An endpoint whose reads and writes of items fail when a test says so. Everything else is passed on.
#ifndef STATOR_TESTS_SYSTEMS_FAILING_ENDPOINT_H_
#define STATOR_TESTS_SYSTEMS_FAILING_ENDPOINT_H_

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "stator/endpoint.h"

namespace stator::testing {

// Passes everything on.
class ForwardingEndpoint : public Endpoint {
 public:
  explicit ForwardingEndpoint(Endpoint& behind) : behind_(behind) {}

#define STATOR_FORWARD(Name)                                           \
  Result<Name##Response> Name(const Name##Request& request) override { \
    return behind_.Name(request);                                      \
  }
  STATOR_OPERATIONS(STATOR_FORWARD)
#undef STATOR_FORWARD
  Result<std::string> Execute(std::string_view operation, std::string_view json) override {
    return behind_.Execute(operation, json);
  }

 protected:
  Endpoint& behind_;
};

class FailingEndpoint final : public ForwardingEndpoint {
 public:
  // `what` is the operation, the table and the texts of the item's keys and values it can see:
  // "PutItem homeops-messages hemma", "TransactWriteItems homeops EFFORT#1 diskning".
  using Fails = std::function<bool(std::string_view what)>;

  using ForwardingEndpoint::ForwardingEndpoint;
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

  Fails fails_;
};

}  // namespace stator::testing

#endif  // STATOR_TESTS_SYSTEMS_FAILING_ENDPOINT_H_
