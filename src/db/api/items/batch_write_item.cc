// BatchWriteItem: puts and deletes up to 25 items of any tables, without conditions.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/consumed_capacity.h"
#include "api/operations.h"
#include "api/request_rules.h"
#include "api/tables/table_reference.h"
#include "base/try.h"
#include "engine/write/item_rules.h"
#include "value/item_codec.h"
#include "value/number.h"

namespace stator {
namespace batch_write_item {
namespace {

constexpr std::size_t kMaxWrites = 25;

struct TablePlan {
  std::string reference;  // as sent
  std::string name;
  std::vector<WriteRequest> writes;
  TablePtr table;
};

struct Plan {
  std::vector<TablePlan> tables;
  ReturnConsumedCapacity capacity = ReturnConsumedCapacity::kNone;
  bool collection_metrics = false;
};

// What a message quotes of a request ends here; nobody reads more of it.
constexpr std::size_t kMaxQuotedBytes = std::size_t{16} << 10;

void AppendShown(std::string& out, ItemView item);
void AppendShown(std::string& out, ValueView value);

// "[a, b]"
template <class Elements, class Append>
void AppendShownList(std::string& out, const Elements& elements, Append append) {
  out += "[";
  bool first = true;
  for (const auto& element : elements) {
    if (out.size() > kMaxQuotedBytes) break;
    if (!std::exchange(first, false)) out += ", ";
    append(element);
  }
  out += "]";
}

// Java's word for bytes.
void AppendShownBytes(std::string& out, std::string_view bytes) {
  out += fmt::format("java.nio.HeapByteBuffer[pos=0 lim={0} cap={0}]", bytes.size());
}

void AppendShownText(std::string& out, std::string_view text) {
  out += text.size() > kMaxQuotedBytes ? std::string_view("…") : text;
}

void AppendShownSet(std::string& out, SetView set) {
  AppendShownList(out, set.Members(), [&out, type = set.type()](std::string_view member) {
    if (type == Type::kNS) return AppendNumberText(out, member);
    type == Type::kSS ? AppendShownText(out, member) : AppendShownBytes(out, member);
  });
}

void AppendShownMember(std::string& out, ValueView value) {
  switch (value.type()) {
    case Type::kS:
      return AppendShownText(out, value.S());
    case Type::kN:
      return AppendNumberText(out, value.number());
    case Type::kB:
      return AppendShownBytes(out, value.B());
    case Type::kBool:
      out += value.Bool() ? "true" : "false";
      return;
    case Type::kNull:
      out += "true";
      return;
    case Type::kM:
      return AppendShown(out, value.Map());
    case Type::kL:
      return AppendShownList(out, value.List(),
                             [&out](ValueView element) { AppendShown(out, element); });
    case Type::kSS:
    case Type::kNS:
    case Type::kBS:
      return AppendShownSet(out, value.Set());
  }
}

// "AttributeValue(s=a, n=null, …)": every type that the service has, most of them null.
void AppendShown(std::string& out, ValueView value) {
  constexpr std::pair<std::string_view, std::optional<Type>> kMembers[] = {
      {"s", Type::kS},
      {"n", Type::kN},
      {"b", Type::kB},
      {"iNT", std::nullopt},
      {"dECIMAL", std::nullopt},
      {"dOUBLE", std::nullopt},
      {"sS", Type::kSS},
      {"nS", Type::kNS},
      {"bS", Type::kBS},
      {"iNTSET", std::nullopt},
      {"dECIMALSET", std::nullopt},
      {"dOUBLESET", std::nullopt},
      {"m", Type::kM},
      {"l", Type::kL},
      {"nULL", Type::kNull},
      {"bOOL", Type::kBool},
  };
  out += "AttributeValue(";
  for (const auto& [name, type] : kMembers) {
    if (name != kMembers[0].first) out += ", ";
    out.append(name).append("=");
    if (type == value.type()) {
      AppendShownMember(out, value);
    } else {
      out += "null";
    }
  }
  out += ")";
}

// "{pk=AttributeValue(…), …}"
void AppendShown(std::string& out, ItemView item) {
  out += "{";
  bool first = true;
  for (const auto& [name, value] : item) {
    if (out.size() > kMaxQuotedBytes) break;
    if (!std::exchange(first, false)) out += ", ";
    out.append(name).append("=");
    AppendShown(out, value);
  }
  out += "}";
}

void AppendShown(std::string& out, const std::optional<Item>& item, std::string_view before,
                 std::string_view after) {
  if (!item) {
    out += "null";
    return;
  }
  out += before;
  if (item->problem() == nullptr) {
    AppendShown(out, item->view());
  } else {
    out += "{…}";
  }
  out += after;
}

// The map in Java's words, as DynamoDB quotes it.
std::string QuotedWrites(const BatchWriteMap& tables) {
  std::string text;
  for (const auto& [table, writes] : tables) {
    text.append(text.empty() ? "" : ", ").append(table).append("=[");
    for (const WriteRequest& write : writes) {
      if (text.size() > kMaxQuotedBytes) break;
      if (&write != writes.data()) text += ", ";
      text += "WriteRequest(putRequest=";
      AppendShown(text, write.put_item, "PutRequest(item=", ", workloadProfileName=null)");
      text += ", deleteRequest=";
      AppendShown(text, write.delete_key, "DeleteRequest(key=", ")");
      text += ")";
    }
    text += "]";
  }
  return Constraints::Quoted(fmt::format("{{{}}}", text));
}

Result<void> CheckConstraints(const BatchWriteItemRequest& request) {
  if (request.request_items && request.request_items->empty()) {
    return Invalid("The requestItems parameter is required for BatchWriteItem");
  }
  Constraints check;
  check.Enum("returnConsumedCapacity", request.return_consumed_capacity);
  check.Enum("returnItemCollectionMetrics", request.return_item_collection_metrics);
  check.NotNull("requestItems", request.request_items);
  if (!request.request_items) return check.Finish();
  const bool bad_count = std::ranges::any_of(*request.request_items, [](const auto& table) {
    return table.second.empty() || table.second.size() > kMaxWrites;
  });
  if (bad_count) {
    check.Fail(QuotedWrites(*request.request_items), "requestItems",
               "Map value must satisfy constraint: [Member must have length less than or equal to "
               "25, Member must have length greater than or equal to 1]");
  }
  // A bad table name is reported only when nothing else is wrong.
  RETURN_IF_ERROR(check.Finish());
  ConstrainTableKeys(check, *request.request_items, QuotedWrites);
  return check.Finish();
}

Result<void> CheckWrite(const WriteRequest& write, Wording wording) {
  if (write.put_item.has_value() == write.delete_key.has_value()) {
    return Invalid(
        "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
        "supported datatypes");
  }
  return CheckValues(write.put_item ? *write.put_item : *write.delete_key, wording);
}

Result<Plan> Validate(BatchWriteItemRequest&& request, Engine& engine, Wording wording) {
  RETURN_IF_ERROR(CheckConstraints(request));
  Plan plan{.capacity = CapacityMode(request.return_consumed_capacity)};
  plan.collection_metrics =
      request.return_item_collection_metrics &&
      request.return_item_collection_metrics->value() == ReturnItemCollectionMetrics::kSize;
  std::size_t writes = 0;
  for (auto& [reference, table] : *request.request_items) {
    TablePlan table_plan{.reference = std::move(reference), .writes = std::move(table)};
    ASSIGN_OR_RETURN(table_plan.name, TableNameOf(table_plan.reference, engine));
    for (const WriteRequest& write : table_plan.writes) {
      RETURN_IF_ERROR(CheckWrite(write, wording));
    }
    writes += table_plan.writes.size();
    plan.tables.push_back(std::move(table_plan));
  }
  if (writes > kMaxWrites) {
    return std::unexpected(
        Error::Validation("Too many items requested for the BatchWriteItem call"));
  }
  return plan;
}

// The key attributes of a put, in the way batches complain about them.
Result<Item> KeyOf(const KeySchema& schema, ItemView item) {
  std::vector<std::string> names;
  for (const auto* attributes : {&schema.hash, &schema.range}) {
    for (const KeyAttribute& attribute : *attributes) names.push_back(attribute.name);
  }
  std::ranges::sort(names);
  Item key = Item::FromEncoded(ProjectTopLevel(item, names));
  RETURN_IF_ERROR(CheckKey(schema, key.view()));
  return key;
}

Result<void> FitToTable(const TablePlan& plan) {
  std::vector<Item> keys;
  keys.reserve(plan.writes.size());
  for (const WriteRequest& write : plan.writes) {
    if (write.put_item) {
      const ItemView item = write.put_item->view();
      RETURN_IF_ERROR(CheckItemSize(item));
      ASSIGN_OR_RETURN(Item key, KeyOf(plan.table->keys, item));
      RETURN_IF_ERROR(CheckPutIndexKeys(*plan.table, item));
      keys.push_back(std::move(key));
    } else {
      RETURN_IF_ERROR(CheckKey(plan.table->keys, write.delete_key->view()));
      keys.push_back(*write.delete_key);
    }
  }
  return CheckNoDuplicates(keys);
}

// One entry for each distinct item collection of a table.
std::vector<ItemCollectionMetrics> MetricsOf(const TablePlan& plan) {
  std::vector<ItemCollectionMetrics> metrics;
  for (const WriteRequest& write : plan.writes) {
    const Item& item = write.put_item ? *write.put_item : *write.delete_key;
    std::optional<ItemCollectionMetrics> one = CollectionMetrics(*plan.table, item.view());
    if (!one) return {};
    const bool known = std::ranges::any_of(metrics, [&](const ItemCollectionMetrics& other) {
      return other.item_collection_key == one->item_collection_key;
    });
    if (!known) metrics.push_back(*std::move(one));
  }
  return metrics;
}

// What the answer needs of the plan once its items are on their way.
struct BatchAnswerPlan {
  struct OfTable {
    std::string reference;
    std::size_t write_count;
    std::vector<ItemCollectionMetrics> metrics;
  };
  std::vector<OfTable> tables;
  ReturnConsumedCapacity capacity = ReturnConsumedCapacity::kNone;
};

Result<void> FitToTables(Engine& engine, Plan& plan) {
  for (TablePlan& table : plan.tables) {
    ASSIGN_OR_RETURN(table.table, engine.FindTable(table.name));
  }
  for (const TablePlan& table : plan.tables) RETURN_IF_ERROR(FitToTable(table));
  return {};
}

BatchAnswerPlan PlanAnswer(Plan& plan) {
  BatchAnswerPlan answer{.capacity = plan.capacity};
  for (TablePlan& table : plan.tables) {
    answer.tables.push_back({.reference = std::move(table.reference),
                             .write_count = table.writes.size(),
                             .metrics = {}});
    if (plan.collection_metrics) answer.tables.back().metrics = MetricsOf(table);
  }
  return answer;
}

std::vector<ItemWrite> MakeWrites(Plan& plan) {
  std::vector<ItemWrite> writes;
  for (TablePlan& table : plan.tables) {
    writes.reserve(writes.size() + table.writes.size());
    for (WriteRequest& request : table.writes) {
      ItemWrite& write = writes.emplace_back();
      write.kind = request.put_item ? ItemWrite::Kind::kPut : ItemWrite::Kind::kDelete;
      write.table = table.table;
      write.item = *std::move(request.put_item ? request.put_item : request.delete_key);
      write.want_units = plan.capacity != ReturnConsumedCapacity::kNone;
    }
  }
  return writes;
}

BatchWriteItemResponse Answer(BatchAnswerPlan& plan, const std::vector<WriteOutcome>& outcomes) {
  BatchWriteItemResponse response;
  const bool wants_capacity = plan.capacity != ReturnConsumedCapacity::kNone;
  if (wants_capacity) response.consumed_capacity.emplace();
  std::size_t next = 0;
  for (BatchAnswerPlan::OfTable& table : plan.tables) {
    if (wants_capacity) {
      WriteUnits units;
      for (std::size_t i = 0; i < table.write_count; ++i) AddUnits(units, outcomes[next++].units);
      response.consumed_capacity->push_back(WriteCapacity(table.reference, units, plan.capacity));
    }
    if (table.metrics.empty()) continue;
    if (!response.item_collection_metrics) response.item_collection_metrics.emplace();
    response.item_collection_metrics->emplace_back(std::move(table.reference),
                                                   std::move(table.metrics));
  }
  return response;
}

void Execute(Engine& engine, Plan&& plan, Reply<BatchWriteItemResponse> reply) {
  if (Result<void> fits = FitToTables(engine, plan); !fits) {
    return reply(std::unexpected(std::move(fits).error()));
  }
  BatchAnswerPlan answer = PlanAnswer(plan);
  engine.WriteItems(MakeWrites(plan), [answer = std::move(answer), reply = std::move(reply)](
                                          Result<std::vector<WriteOutcome>> outcomes) mutable {
    if (!outcomes) return reply(std::unexpected(std::move(outcomes).error()));
    reply(Answer(answer, *outcomes));
  });
}

}  // namespace
}  // namespace batch_write_item

STATOR_DEFINE_OPERATION(BatchWriteItem, batch_write_item);

}  // namespace stator
