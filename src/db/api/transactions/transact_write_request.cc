#include "api/transactions/transact_write_request.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/constraints.h"
#include "api/member_reader.h"
#include "api/request_rules.h"
#include "api/transactions/transaction_rules.h"
#include "value/item_codec.h"

namespace stator {
namespace {

// Members that all four actions spell alike.
template <class Action>
void ReadConditionMembers(MemberReader& in, Action& action, Wording wording) {
  action.table_name = in.String("TableName");
  action.condition_expression = in.String("ConditionExpression");
  action.expression_attribute_names = in.Names("ExpressionAttributeNames");
  action.expression_attribute_values = in.Values("ExpressionAttributeValues", wording);
  action.return_values_on_condition_check_failure =
      in.Enum<ReturnValuesOnConditionCheckFailure>("ReturnValuesOnConditionCheckFailure");
}

void ReadAction(MemberReader& in, TransactWriteItem& item, Wording wording) {
  item.condition_check = in.Structure<TransactConditionCheck>(
      "ConditionCheck", "ConditionCheck",
      [wording](MemberReader& members, TransactConditionCheck& check) {
        check.key = members.Item("Key", wording);
        ReadConditionMembers(members, check, wording);
      });
  item.put =
      in.Structure<TransactPut>("Put", "Put", [wording](MemberReader& members, TransactPut& put) {
        put.item = members.Item("Item", wording);
        ReadConditionMembers(members, put, wording);
      });
  item.delete_item = in.Structure<TransactDelete>(
      "Delete", "Delete", [wording](MemberReader& members, TransactDelete& deletion) {
        deletion.key = members.Item("Key", wording);
        ReadConditionMembers(members, deletion, wording);
      });
  item.update = in.Structure<TransactUpdate>(
      "Update", "Update", [wording](MemberReader& members, TransactUpdate& update) {
        update.key = members.Item("Key", wording);
        update.update_expression = members.String("UpdateExpression");
        ReadConditionMembers(members, update, wording);
      });
}

// `path` is that of the action, e.g. transactItems.1.member.put.
template <class Action>
void ConstrainAction(Constraints& check, const std::string& path, std::string_view item_member,
                     const Action& action, const std::optional<Item>& item) {
  ConstrainTableName(check, action.table_name, path + ".tableName");
  check.NotNull(fmt::format("{}.{}", path, item_member), item);
  check.Enum(path + ".returnValuesOnConditionCheckFailure",
             action.return_values_on_condition_check_failure);
}

void ConstrainItem(Constraints& check, const std::string& path, const TransactWriteItem& item) {
  if (const auto& one = item.condition_check) {
    const std::string at = path + ".conditionCheck";
    ConstrainAction(check, at, "key", *one, one->key);
    check.NotNull(at + ".conditionExpression", one->condition_expression);
  }
  if (const auto& one = item.put) ConstrainAction(check, path + ".put", "item", *one, one->item);
  if (const auto& one = item.delete_item) {
    ConstrainAction(check, path + ".delete", "key", *one, one->key);
  }
  if (const auto& one = item.update) {
    const std::string at = path + ".update";
    ConstrainAction(check, at, "key", *one, one->key);
    check.NotNull(at + ".updateExpression", one->update_expression);
  }
}

// Every field is a length and bytes, so that no two requests run into the same text. An absent
// member is a field that no present one can be.
class Fingerprint {
 public:
  void AddBytes(std::string_view bytes) {
    AppendVarint(bytes_, bytes.size() + 1);
    bytes_.append(bytes);
  }
  void AddAbsent() { AppendVarint(bytes_, 0); }

  void Add(const std::optional<std::string>& text) { text ? AddBytes(*text) : AddAbsent(); }
  void Add(const std::optional<Item>& item) { item ? AddBytes(item->encoded()) : AddAbsent(); }
  template <class E>
  void Add(const std::optional<Choice<E>>& choice) {
    choice ? AddBytes(std::to_string(static_cast<int>(choice->value()))) : AddAbsent();
  }
  // The order of a map's entries does not count.
  template <class Value>
  void Add(const std::optional<std::vector<std::pair<std::string, Value>>>& map) {
    if (!map) return AddAbsent();
    std::vector<const std::pair<std::string, Value>*> entries;
    for (const auto& entry : *map) entries.push_back(&entry);
    std::ranges::sort(entries, {},
                      [](const auto* entry) -> const std::string& { return entry->first; });
    AddBytes(std::to_string(entries.size()));
    for (const auto* entry : entries) {
      AddBytes(entry->first);
      AddBytes(BytesOf(entry->second));
    }
  }
  std::string Finish() && { return std::move(bytes_); }

 private:
  static std::string_view BytesOf(const std::string& text) { return text; }
  static std::string_view BytesOf(const AttributeValue& value) { return value.encoded(); }

  std::string bytes_;
};

template <class Action>
void AddAction(Fingerprint& print, std::string_view kind, const Action& action,
               const std::optional<Item>& item) {
  print.AddBytes(kind);
  print.Add(action.table_name);
  print.Add(item);
  print.Add(action.condition_expression);
  print.Add(action.expression_attribute_names);
  print.Add(action.expression_attribute_values);
  print.Add(action.return_values_on_condition_check_failure);
}

}  // namespace

Result<TransactWriteItemsRequest> ReadTransactWrite(JsonValue body, Wording wording) {
  MemberReader in(body);
  TransactWriteItemsRequest request;
  request.transact_items = in.Structures<TransactWriteItem>(
      "TransactItems", "TransactWriteItem",
      [wording](MemberReader& one, TransactWriteItem& item) { ReadAction(one, item, wording); });
  request.return_consumed_capacity = in.Enum<ReturnConsumedCapacity>("ReturnConsumedCapacity");
  request.return_item_collection_metrics =
      in.Enum<ReturnItemCollectionMetrics>("ReturnItemCollectionMetrics");
  request.client_request_token = in.String("ClientRequestToken");
  return in.Finish(std::move(request));
}

Result<void> CheckConstraints(const TransactWriteItemsRequest& request) {
  Constraints check;
  ConstrainRequestToken(check, request.client_request_token);
  check.Enum("returnConsumedCapacity", request.return_consumed_capacity);
  check.Enum("returnItemCollectionMetrics", request.return_item_collection_metrics);
  std::optional<std::size_t> count;
  if (request.transact_items) count = request.transact_items->size();
  ConstrainActions(check, "transactItems", count);
  for (std::size_t i = 0; i < count.value_or(0); ++i) {
    ConstrainItem(check, fmt::format("transactItems.{}.member", i + 1),
                  (*request.transact_items)[i]);
  }
  return check.Finish();
}

std::string FingerprintOf(const TransactWriteItemsRequest& request) {
  Fingerprint print;
  print.AddBytes("TransactWriteItems");
  print.Add(request.return_item_collection_metrics);
  for (const TransactWriteItem& item : *request.transact_items) {
    if (const auto& one = item.condition_check) AddAction(print, "check", *one, one->key);
    if (const auto& one = item.put) AddAction(print, "put", *one, one->item);
    if (const auto& one = item.delete_item) AddAction(print, "delete", *one, one->key);
    if (const auto& one = item.update) {
      AddAction(print, "update", *one, one->key);
      print.Add(one->update_expression);
    }
  }
  return std::move(print).Finish();
}

}  // namespace stator
