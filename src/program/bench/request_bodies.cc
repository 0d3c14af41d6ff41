#include "bench/request_bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "bench/request.h"

namespace stator::bench {
namespace {

constexpr std::string_view kFirstText = R"("field00":{"S":")";
constexpr ItemKey kHoles{.partition = kHole, .sort = kHole};

std::string Begin(const DataPlan& plan) {
  return fmt::format(R"({{"TableName":"{}")", plan.table_name);
}

std::string GetBody(const DataPlan& plan) {
  std::string out = Begin(plan) + R"(,"Key":)";
  AppendKeyJson(out, plan.shape, kHoles);
  return out + "}";
}

std::string PutBody(const DataPlan& plan, Prng& prng) {
  std::string out = Begin(plan) + R"(,"Item":)";
  AppendItemJson(out, plan.shape, kHoles, prng);
  const std::size_t text_at = out.find(kFirstText) + kFirstText.size();
  out.replace(text_at, std::min(FirstTextBytes(plan.shape), kHole.size()), kHole);
  return out + "}";
}

// The new text is as long as the old one: the item keeps its size.
std::string UpdateBody(const DataPlan& plan, bool with_condition, Prng& prng) {
  std::string out = GetBody(plan);
  out.pop_back();
  out += R"(,"UpdateExpression":"SET field00 = :text ADD visits :one")";
  if (with_condition) {
    out += R"(,"ConditionExpression":"attribute_exists(pk) AND active = :true")";
  }
  out += R"(,"ExpressionAttributeValues":{":text":{"S":")";
  prng.AppendText(out, FirstTextBytes(plan.shape));
  out += R"("},":one":{"N":"1"})";
  if (with_condition) out += R"(,":true":{"BOOL":true})";
  return out + "}}";
}

std::string QueryBody(const DataPlan& plan) {
  const bool whole = plan.partition_items <= plan.query_items;
  std::string out = Begin(plan) + R"(,"KeyConditionExpression":"pk = :pk)";
  if (!whole) out += " AND sk BETWEEN :first AND :last";
  fmt::format_to(std::back_inserter(out), R"(","ExpressionAttributeValues":{{":pk":{{"S":"{}{}"}})",
                 kPartitionKeyPrefix, kHole);
  if (!whole) {
    fmt::format_to(std::back_inserter(out), R"(,":first":{{"S":"{}"}},":last":{{"S":"{}"}})", kHole,
                   kHole);
  }
  return out + "}}";
}

std::string ScanBody(const DataPlan& plan, std::uint64_t limit) {
  std::string out = Begin(plan) + R"(,"ExclusiveStartKey":)";
  AppendKeyJson(out, plan.shape, kHoles);
  fmt::format_to(std::back_inserter(out), R"(,"Limit":{}}})", limit);
  return out;
}

std::string BatchGetBody(const DataPlan& plan) {
  std::string out = fmt::format(R"({{"RequestItems":{{"{}":{{"Keys":[)", plan.table_name);
  for (std::size_t i = 0; i < kBatchItems; ++i) {
    if (i > 0) out += ',';
    AppendKeyJson(out, plan.shape, kHoles);
  }
  return out + "]}}}";
}

class BatchWriteText {
 public:
  explicit BatchWriteText(const DataPlan& plan)
      : shape_(plan.shape), out_(fmt::format(R"({{"RequestItems":{{"{}":[)", plan.table_name)) {}

  void Put(const ItemKey& key, Prng& prng) {
    if (out_.back() != '[') out_ += ',';
    out_ += R"({"PutRequest":{"Item":)";
    AppendItemJson(out_, shape_, key, prng);
    out_ += "}}";
  }
  std::string Finish() && { return std::move(out_) + "]}}"; }

 private:
  const ItemShape& shape_;
  std::string out_;
};

std::string BatchWriteBody(const DataPlan& plan, Prng& prng) {
  BatchWriteText text(plan);
  for (std::size_t i = 0; i < kBatchItems; ++i) text.Put(kHoles, prng);
  return std::move(text).Finish();
}

std::string_view View(const KeyText& text) { return {text.data(), text.size()}; }

}  // namespace

ItemShape ShapeOf(TableKind table, std::size_t item_bytes, std::size_t attributes) {
  return {.item_bytes = item_bytes,
          .attributes = attributes,
          .has_sort_key = table == TableKind::kRanges,
          .index_count = table == TableKind::kIndexed ? kIndexCountMax : 0};
}

std::string CreateTableBody(const DataPlan& plan) {
  std::string attributes = R"({"AttributeName":"pk","AttributeType":"S"})";
  std::string keys = R"({"AttributeName":"pk","KeyType":"HASH"})";
  if (plan.shape.has_sort_key) {
    attributes += R"(,{"AttributeName":"sk","AttributeType":"S"})";
    keys += R"(,{"AttributeName":"sk","KeyType":"RANGE"})";
  }
  std::string indexes;
  for (int i = 1; i <= plan.shape.index_count; ++i) {
    attributes += fmt::format(R"(,{{"AttributeName":"gsi{}","AttributeType":"S"}})", i);
    indexes += fmt::format(
        R"({}{{"IndexName":"gsi{}","KeySchema":[{{"AttributeName":"gsi{}","KeyType":"HASH"}}],)"
        R"("Projection":{{"ProjectionType":"ALL"}}}})",
        i == 1 ? "" : ",", i, i);
  }
  if (!indexes.empty()) indexes = R"(,"GlobalSecondaryIndexes":[)" + indexes + "]";
  return Begin(plan) + R"(,"AttributeDefinitions":[)" + attributes + R"(],"KeySchema":[)" + keys +
         R"(],"BillingMode":"PAY_PER_REQUEST")" + indexes + "}";
}

std::string OperationBody(Operation operation, const DataPlan& plan, std::uint64_t limit,
                          Prng& prng) {
  switch (operation) {
    case Operation::kGetItem:
    case Operation::kReadModifyWrite:
      return GetBody(plan);
    case Operation::kPutItem:
    case Operation::kInsert:
      return PutBody(plan, prng);
    case Operation::kUpdateItem:
      return UpdateBody(plan, false, prng);
    case Operation::kConditionalUpdate:
      return UpdateBody(plan, true, prng);
    case Operation::kQuery:
      return QueryBody(plan);
    case Operation::kScan:
      return ScanBody(plan, limit);
    case Operation::kBatchGetItem:
      return BatchGetBody(plan);
    case Operation::kBatchWriteItem:
      return BatchWriteBody(plan, prng);
  }
  return {};
}

std::string LoadBody(const DataPlan& plan, std::uint64_t first, std::uint64_t count, Prng& prng) {
  BatchWriteText text(plan);
  for (std::uint64_t i = first; i < first + count; ++i) {
    const bool sorted = plan.shape.has_sort_key;
    const KeyText partition = KeyTextOf(sorted ? i / plan.partition_items : i);
    const KeyText sort = KeyTextOf(sorted ? i % plan.partition_items : 0);
    text.Put({.partition = View(partition), .sort = View(sort)}, prng);
  }
  return std::move(text).Finish();
}

}  // namespace stator::bench
