#include "tests/oracle/checker.h"

#include <fmt/format.h>
#include <algorithm>
#include <utility>

#include "tests/oracle/page_check.h"
#include "tests/oracle/schema.h"
#include "tests/oracle/translate.h"

namespace stator::oracle {

Verdict Checker::FollowLateIndex() {
  const LateIndex::State state = late_index_.state();
  if (state == LateIndex::State::kFailed) return Mismatch{late_index_.problem(), std::nullopt};
  reference_.schema().SetLateIndex(state == LateIndex::State::kActive);
  unjudged_index_ = state == LateIndex::State::kChanging ? kLateIndexName : "";
  return std::nullopt;
}

Verdict Checker::Check(const RandomOperation& operation) {
  RETURN_IF_MISMATCH(FollowLateIndex());
  if (!unjudged_index_.empty()) reached_.Count(Case::kLateIndexChanging);
  if (const auto* write = std::get_if<WriteOperation>(&operation)) return CheckWrite(*write);
  if (const auto* batch = std::get_if<BatchWriteOperation>(&operation)) {
    return CheckBatchWrite(*batch);
  }
  if (const auto* get = std::get_if<GetOperation>(&operation)) {
    return get->batch ? CheckBatchGet(*get) : CheckGet(*get);
  }
  if (const auto* page = std::get_if<PageOperation>(&operation)) {
    if (page->index && !reference_.schema().FindIndex(*page->index)) return std::nullopt;
    if (page->index == kLateIndexName) reached_.Count(Case::kLateIndexRead);
    return PageCheck(database_, reference_, *page, reached_).Run();
  }
  late_index_.Change();
  return std::nullopt;
}

// Reads and writes of single items and of batches.

namespace {

std::string Explain(const Error& error) {
  return fmt::format("{}: {}", error.name(), error.message());
}

template <class Request>
void FillCondition(const WriteOperation& write, Placeholders& placeholders, Request& request) {
  if (write.condition) request.condition_expression = Text(*write.condition, placeholders);
  request.expression_attribute_names = placeholders.names();
  request.expression_attribute_values = placeholders.values();
  if (write.item_on_failure) {
    request.return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::kAllOld;
  }
  request.table_name = kTableName;
  request.return_values = write.returned;
  request.return_consumed_capacity = write.capacity;
  if (write.metrics) request.return_item_collection_metrics = ReturnItemCollectionMetrics::kSize;
}

Verdict CompareError(const WriteAnswer& expected, const Error& error, const Key& key) {
  if (!expected.error) return Mismatch{"refused, " + Explain(error), key};
  if (error.code() != expected.error && error.code() != expected.other_error) {
    return Mismatch{fmt::format("{} expected, {}", ErrorName(*expected.error), Explain(error)),
                    key};
  }
  if (error.code() != ErrorCode::kConditionalCheckFailed || expected.other_error) {
    return std::nullopt;
  }
  std::optional<Attributes> item;
  if (!error.item().empty()) item = FromLibrary(ItemView(error.item()));
  if (item == expected.error_item) return std::nullopt;
  return Mismatch{fmt::format("failed condition with item {}, expected {}", Show(item),
                              Show(expected.error_item)),
                  key};
}

Verdict CompareMetrics(const WriteOperation& write, const WriteItemResponse& answer) {
  if (answer.item_collection_metrics.has_value() != write.metrics) {
    return Mismatch{"ItemCollectionMetrics present or not", write.key};
  }
  if (!write.metrics) return std::nullopt;
  const Attributes expected = {{"pk", Value::S(write.key.pk)}};
  if (FromLibrary(answer.item_collection_metrics->item_collection_key.view()) == expected) {
    return std::nullopt;
  }
  return Mismatch{"ItemCollectionKey", write.key};
}

Attributes Visible(const Attributes& item, const std::vector<Path>& projection) {
  return projection.empty() ? item : Project(item, projection);
}

}  // namespace

Result<WriteItemResponse> Checker::Send(const WriteOperation& write) {
  Placeholders placeholders;
  switch (write.form) {
    case WriteOperation::Form::kPut: {
      PutItemRequest request{.item = ToLibrary(write.item)};
      FillCondition(write, placeholders, request);
      return database_.PutItem(request);
    }
    case WriteOperation::Form::kUpdate: {
      UpdateItemRequest request{.key = ToLibrary(AsAttributes(write.key))};
      if (!write.update.empty()) request.update_expression = Text(write.update, placeholders);
      FillCondition(write, placeholders, request);
      return database_.UpdateItem(request);
    }
    case WriteOperation::Form::kDelete:
      break;
  }
  DeleteItemRequest request{.key = ToLibrary(AsAttributes(write.key))};
  FillCondition(write, placeholders, request);
  return database_.DeleteItem(request);
}

Verdict Checker::CheckWrite(const WriteOperation& write) {
  const Result<WriteItemResponse> answer = Send(write);
  const WriteAnswer expected = reference_.Write(write);
  if (!answer) {
    const bool failed = answer.error().code() == ErrorCode::kConditionalCheckFailed;
    reached_.Count(failed ? Case::kConditionFailed : Case::kWriteInvalid);
    return CompareError(expected, answer.error(), write.key);
  }
  reached_.Count(Case::kWriteAccepted);
  if (expected.error) {
    return Mismatch{fmt::format("accepted, {} expected", ErrorName(*expected.error)), write.key};
  }
  const std::optional<Attributes> attributes = FromLibrary(answer->attributes);
  if (attributes != expected.attributes) {
    return Mismatch{fmt::format("Attributes\n    answered {}\n    expected {}", Show(attributes),
                                Show(expected.attributes)),
                    write.key};
  }
  const std::string difference =
      Difference(expected.units, write.capacity, answer->consumed_capacity, unjudged_index_);
  if (!difference.empty()) return Mismatch{difference, write.key};
  return CompareMetrics(write, *answer);
}

Verdict Checker::CheckBatchWrite(const BatchWriteOperation& batch) {
  std::vector<WriteRequest> writes;
  for (const auto& [key, item] : batch.writes) {
    WriteRequest write;
    (item ? write.put_item : write.delete_key) = ToLibrary(item ? *item : AsAttributes(key));
    writes.push_back(std::move(write));
  }
  const Result<BatchWriteItemResponse> answer =
      database_.BatchWriteItem({.request_items = BatchWriteMap{{kTableName, std::move(writes)}},
                                .return_consumed_capacity = batch.capacity});
  const std::optional<ErrorCode> error = reference_.BatchError(batch);
  reached_.Count(error ? Case::kBatchRefused : Case::kBatchAccepted);
  if (!answer) {
    if (answer.error().code() == error) return std::nullopt;
    return Mismatch{"refused, " + Explain(answer.error()), std::nullopt};
  }
  if (error) return Mismatch{fmt::format("accepted, {} expected", ErrorName(*error)), std::nullopt};
  if (!answer->unprocessed_items.empty()) return Mismatch{"UnprocessedItems", std::nullopt};
  const Units units = reference_.BatchWrite(batch);
  std::optional<ConsumedCapacity> capacity;
  if (answer->consumed_capacity && answer->consumed_capacity->size() == 1) {
    capacity = answer->consumed_capacity->front();
  }
  const std::string difference = Difference(units, batch.capacity, capacity, unjudged_index_);
  if (!difference.empty()) return Mismatch{difference, std::nullopt};
  return std::nullopt;
}

Verdict Checker::CheckGet(const GetOperation& get) {
  const Key& key = get.keys.front();
  Placeholders placeholders;
  GetItemRequest request{.table_name = kTableName,
                         .key = ToLibrary(AsAttributes(key)),
                         .consistent_read = get.consistent,
                         .return_consumed_capacity = get.capacity};
  if (!get.projection.empty()) request.projection_expression = placeholders.Paths(get.projection);
  request.expression_attribute_names = placeholders.names();
  const Result<GetItemResponse> answer = database_.GetItem(request);
  if (!answer) return Mismatch{"refused, " + Explain(answer.error()), key};

  const Attributes* stored = reference_.Find(key);
  std::optional<Attributes> expected;
  if (stored) expected = Visible(*stored, get.projection);
  const std::optional<Attributes> item = FromLibrary(answer->item);
  if (item != expected) {
    return Mismatch{
        fmt::format("Item\n    answered {}\n    expected {}", Show(item), Show(expected)), key};
  }
  const Units units{.table = ReadUnits(stored ? SizeBytes(*stored) : 0, get.consistent)};
  const std::string difference = Difference(units, get.capacity, answer->consumed_capacity, "");
  if (!difference.empty()) return Mismatch{difference, key};
  return std::nullopt;
}

Verdict Checker::CheckBatchGet(const GetOperation& get) {
  Placeholders placeholders;
  KeysAndAttributes wanted{.keys = std::vector<Item>{}, .consistent_read = get.consistent};
  Units units;
  std::vector<Attributes> expected;
  for (const Key& key : get.keys) {
    wanted.keys->push_back(ToLibrary(AsAttributes(key)));
    const Attributes* stored = reference_.Find(key);
    units.table += ReadUnits(stored ? SizeBytes(*stored) : 0, get.consistent);
    if (stored) expected.push_back(Visible(*stored, get.projection));
  }
  if (!get.projection.empty()) wanted.projection_expression = placeholders.Paths(get.projection);
  wanted.expression_attribute_names = placeholders.names();
  const Result<BatchGetItemResponse> answer =
      database_.BatchGetItem({.request_items = BatchGetMap{{kTableName, std::move(wanted)}},
                              .return_consumed_capacity = get.capacity});
  if (!answer) return Mismatch{"refused, " + Explain(answer.error()), std::nullopt};
  if (!answer->unprocessed_keys.empty()) return Mismatch{"UnprocessedKeys", std::nullopt};
  if (answer->responses.size() != 1 || answer->responses[0].first != kTableName) {
    return Mismatch{"Responses must name the one table", std::nullopt};
  }
  const ItemList& items = answer->responses[0].second;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Attributes item = FromLibrary(items[i]);
    const auto found = std::ranges::find(expected, item);
    if (found == expected.end()) return Mismatch{"unexpected " + Show(item), std::nullopt};
    expected.erase(found);
  }
  if (!expected.empty()) return Mismatch{"missing " + Show(expected.front()), std::nullopt};
  std::optional<ConsumedCapacity> capacity;
  if (answer->consumed_capacity && answer->consumed_capacity->size() == 1) {
    capacity = answer->consumed_capacity->front();
  }
  const std::string difference = Difference(units, get.capacity, capacity, "");
  if (!difference.empty()) return Mismatch{difference, std::nullopt};
  return std::nullopt;
}

void LateIndex::Change() {
  const State before = state_;
  if (before == State::kChanging || before == State::kFailed) return;
  Settle();
  state_ = State::kChanging;
  thread_ = std::thread([this, before] { before == State::kAbsent ? Add() : Drop(); });
}

void LateIndex::Settle() {
  if (thread_.joinable()) thread_.join();
}

void LateIndex::Fail(std::string problem) {
  problem_ = std::move(problem);
  state_ = State::kFailed;
}

void LateIndex::Add() {
  const Result<UpdateTableResponse> added = database_.UpdateTable(Schema::AddLateIndexRequest());
  if (!added) return Fail("adding the late index: " + added.error().message());
  database_.WaitForBackgroundWork();
  const Result<DescribeTableResponse> described =
      database_.DescribeTable({.table_name = kTableName});
  if (!described) return Fail("DescribeTable: " + described.error().message());
  for (const TableDescription::Index& index : described->table.global_secondary_indexes) {
    if (index.index_name != kLateIndexName) continue;
    if (index.index_status != IndexStatus::kActive) return Fail("the late index is not ACTIVE");
    if (index.backfilling) return Fail("the late index is ACTIVE and still has Backfilling");
    state_ = State::kActive;
    return;
  }
  Fail("the late index is not in DescribeTable");
}

void LateIndex::Drop() {
  const Result<UpdateTableResponse> dropped = database_.UpdateTable(Schema::DropLateIndexRequest());
  if (!dropped) return Fail("dropping the late index: " + dropped.error().message());
  database_.WaitForBackgroundWork();
  const Result<DescribeTableResponse> described =
      database_.DescribeTable({.table_name = kTableName});
  if (!described) return Fail("DescribeTable: " + described.error().message());
  const bool gone = std::ranges::none_of(
      described->table.global_secondary_indexes,
      [](const TableDescription::Index& index) { return index.index_name == kLateIndexName; });
  if (!gone) return Fail("the late index is still in DescribeTable");
  state_ = State::kAbsent;
}

}  // namespace stator::oracle
