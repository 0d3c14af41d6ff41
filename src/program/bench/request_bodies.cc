#include "bench/request_bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "bench/request.h"

namespace stator::bench {
namespace {

constexpr std::size_t kFieldNameBytes = 7;  // "field00"
constexpr std::size_t kPriceDigits = 6;

// The part of an item that is not texts: bytes as DynamoDB counts them, and attributes.
struct Fixed {
  std::size_t bytes = 0;
  std::size_t attributes = 0;

  void Add(std::string_view name, std::size_t value_bytes) {
    bytes += name.size() + value_bytes;
    ++attributes;
  }
};

Fixed FixedPart(const ItemShape& shape) {
  Fixed fixed;
  fixed.Add("pk", kPartitionKeyPrefix.size() + kKeyDigits);
  if (shape.has_sort_key) fixed.Add("sk", kKeyDigits);
  for (int i = 1; i <= shape.index_count; ++i) fixed.Add("gsi1", 3 + kKeyDigits);
  fixed.Add("visits", 2);
  fixed.Add("price", 1 + kPriceDigits / 2);
  fixed.Add("active", 1);
  return fixed;
}

// The texts share what the item has left.
struct Texts {
  std::size_t count;
  std::size_t bytes;

  std::size_t Length(std::size_t i) const { return bytes / count + (i < bytes % count ? 1 : 0); }
};

Texts TextPart(const ItemShape& shape) {
  const Fixed fixed = FixedPart(shape);
  const std::size_t count = std::max(shape.attributes, fixed.attributes + 1) - fixed.attributes;
  const std::size_t taken = fixed.bytes + count * kFieldNameBytes;
  return {count, std::max(shape.item_bytes, taken + count) - taken};
}

void AppendTexts(std::string& out, const ItemShape& shape, Prng& prng) {
  const Texts texts = TextPart(shape);
  for (std::size_t i = 0; i < texts.count; ++i) {
    fmt::format_to(std::back_inserter(out), R"(,"field{:02}":{{"S":")", i);
    prng.AppendText(out, texts.Length(i));
    out += "\"}";
  }
}

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

std::string TransactBody(const DataPlan& plan, Prng& prng) {
  std::string out = R"({"TransactItems":[)";
  for (std::size_t i = 0; i < kTransactionItems; ++i) {
    out += i == 0 ? R"({"Put":)" : R"(,{"Put":)";
    out += Begin(plan) + R"(,"Item":)";
    AppendItemJson(out, plan.shape, kHoles, prng);
    out += "}}";
  }
  return out + "]}";
}

std::string_view View(const KeyText& text) { return {text.data(), text.size()}; }

}  // namespace

void WriteKeyText(char* out, std::uint64_t number) {
  for (std::size_t i = kKeyDigits; i-- > 0; number /= 10) {
    out[i] = static_cast<char>('0' + number % 10);
  }
}

KeyText KeyTextOf(std::uint64_t number) {
  KeyText text;
  WriteKeyText(text.data(), number);
  return text;
}

void AppendItemJson(std::string& out, const ItemShape& shape, const ItemKey& key, Prng& prng) {
  AppendKeyJson(out, shape, key);
  out.pop_back();  // the closing brace
  for (int i = 1; i <= shape.index_count; ++i) {
    fmt::format_to(std::back_inserter(out), R"(,"gsi{}":{{"S":"g{}-{}"}})", i, i, key.partition);
  }
  // The price neither begins nor ends with a zero, so that it comes back with as many digits.
  const std::uint64_t price = 1000 + prng.Below(9000);
  fmt::format_to(std::back_inserter(out),
                 R"(,"visits":{{"N":"1"}},"price":{{"N":"{}.{}{}"}},"active":{{"BOOL":true}})",
                 price, prng.Below(10), 1 + prng.Below(9));
  AppendTexts(out, shape, prng);
  out.push_back('}');
}

std::size_t FirstTextBytes(const ItemShape& shape) { return TextPart(shape).Length(0); }

void AppendKeyJson(std::string& out, const ItemShape& shape, const ItemKey& key) {
  out.append(R"({"pk":{"S":")").append(kPartitionKeyPrefix).append(key.partition).append("\"}");
  if (shape.has_sort_key) out.append(R"(,"sk":{"S":")").append(key.sort).append("\"}");
  out.push_back('}');
}

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
    case Operation::kTransactWriteItems:
      return TransactBody(plan, prng);
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
