// Random requests, right and wrong, with any of their members there or not: what a client encodes
// and decodes again is what an embedded database is told and answers.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>

#include "tests/client_endpoint/twins.h"
#include "value/testing/arbitrary.h"

namespace stator::testing {
namespace agreement_property_test {

// Draws members. Few keys and names, so that requests meet each other's items.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : generator_(seed) {}

  int Below(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(generator_); }
  bool Coin() { return Below(2) == 0; }

  template <class T>
  std::optional<T> Maybe(T value, int one_in = 2) {
    if (Below(one_in) != 0) return std::nullopt;
    return value;
  }
  template <class E>
  std::optional<Choice<E>> Word(int count) {
    if (Coin()) return std::nullopt;
    if (Below(20) == 0) return Choice<E>::Unknown("NONSENSE");
    return Choice<E>(static_cast<E>(Below(count)));
  }
  std::optional<std::string> Table() {
    if (Below(30) == 0) return std::nullopt;
    return Below(20) == 0 ? "None" : "Music";
  }
  Item Key() {
    Item key{{"Artist", "a" + std::to_string(Below(2))}, {"Song", "s" + std::to_string(Below(4))}};
    if (Below(20) == 0) key.Remove("Song");
    return key;
  }
  AttributeValue Value() {
    return values_[static_cast<std::size_t>(Below(static_cast<int>(values_.size())))];
  }
  Item WholeItem() {
    Item item = Key();
    if (Coin()) item.Set("Year", 2000 + Below(3));
    if (Coin()) item.Set("Plays", Below(5));
    item.Set("v", Value());
    return item;
  }
  void UseValues(std::vector<AttributeValue> values) { values_ = std::move(values); }

  auto Capacity() { return Word<ReturnConsumedCapacity>(3); }
  auto OnFailure() { return Word<ReturnValuesOnConditionCheckFailure>(2); }

  template <class Request>
  void Condition(Request& request) {
    if (!Coin()) return;
    request.condition_expression = Coin() ? "attribute_exists(Song)" : "#p > :n";
    if (*request.condition_expression == "#p > :n" || Below(10) == 0) {
      request.expression_attribute_names = NameMap{{"#p", "Plays"}};
      request.expression_attribute_values = ValueMap{{":n", Below(5)}};
    }
    request.return_values_on_condition_check_failure = OnFailure();
  }

 private:
  std::mt19937_64 generator_;
  std::vector<AttributeValue> values_{"x"};
};

PutItemRequest DrawPut(Draw& draw) {
  PutItemRequest request{.table_name = draw.Table(), .item = draw.WholeItem()};
  request.return_values = draw.Word<ReturnValues>(2);
  request.return_consumed_capacity = draw.Capacity();
  request.return_item_collection_metrics = draw.Word<ReturnItemCollectionMetrics>(2);
  draw.Condition(request);
  if (draw.Below(5) == 0) {
    request.expected = ExpectedMap{{"Plays", {.value = draw.Value(), .exists = true}}};
    request.conditional_operator = draw.Word<ConditionalOperator>(2);
  }
  return request;
}

UpdateItemRequest DrawUpdate(Draw& draw) {
  UpdateItemRequest request{.table_name = draw.Table(), .key = draw.Key()};
  request.return_values = draw.Word<ReturnValues>(5);
  request.return_consumed_capacity = draw.Capacity();
  draw.Condition(request);
  if (draw.Below(4) == 0) {
    request.attribute_updates =
        AttributeUpdateMap{{"v", {draw.Value(), draw.Word<AttributeAction>(3)}}};
  } else {
    request.update_expression = draw.Coin() ? "REMOVE v" : "SET w = :w";
    if (*request.update_expression == "SET w = :w") {
      if (!request.expression_attribute_values) request.expression_attribute_values.emplace();
      request.expression_attribute_values->emplace_back(":w", draw.Value());
    }
  }
  return request;
}

DeleteItemRequest DrawDelete(Draw& draw) {
  DeleteItemRequest request{.table_name = draw.Table(), .key = draw.Key()};
  request.return_values = draw.Word<ReturnValues>(2);
  request.return_consumed_capacity = draw.Capacity();
  draw.Condition(request);
  return request;
}

GetItemRequest DrawGet(Draw& draw) {
  return {.table_name = draw.Table(),
          .key = draw.Key(),
          .attributes_to_get = draw.Maybe(std::vector<std::string>{"v", "Song"}, 4),
          .consistent_read = draw.Maybe(draw.Coin()),
          .return_consumed_capacity = draw.Capacity(),
          .projection_expression = draw.Maybe<std::string>("v, #p", 4),
          .expression_attribute_names = draw.Maybe(NameMap{{"#p", "Plays"}}, 4)};
}

QueryRequest DrawQuery(Draw& draw) {
  QueryRequest request{.table_name = draw.Table(),
                       .index_name = draw.Maybe<std::string>("ByYear", 4),
                       .select = draw.Word<Select>(4),
                       .limit = draw.Maybe<std::int64_t>(draw.Below(4), 3),
                       .consistent_read = draw.Maybe(draw.Coin()),
                       .scan_index_forward = draw.Maybe(draw.Coin()),
                       .return_consumed_capacity = draw.Capacity(),
                       .projection_expression = draw.Maybe<std::string>("v, Song", 5),
                       .filter_expression = draw.Maybe<std::string>("attribute_exists(Plays)", 3),
                       .key_condition_expression = "Artist = :a",
                       .expression_attribute_values = ValueMap{{":a", "a0"}}};
  if (draw.Below(5) == 0) request.exclusive_start_key = draw.Key();
  return request;
}

ScanRequest DrawScan(Draw& draw) {
  ScanRequest request{.table_name = draw.Table(),
                      .index_name = draw.Maybe<std::string>("OfYear", 4),
                      .limit = draw.Maybe<std::int64_t>(1 + draw.Below(4), 3),
                      .select = draw.Word<Select>(4),
                      .return_consumed_capacity = draw.Capacity(),
                      .consistent_read = draw.Maybe(draw.Coin())};
  if (draw.Below(3) == 0) {
    request.total_segments = 3;
    request.segment = draw.Maybe<std::int64_t>(draw.Below(4), 1);
  }
  if (draw.Below(4) == 0) {
    request.scan_filter = LegacyConditionMap{
        {"v", {Choice(static_cast<ComparisonOperator>(draw.Below(13))), {draw.Value()}}}};
  }
  return request;
}

TransactWriteItemsRequest DrawTransaction(Draw& draw) {
  TransactWriteItemsRequest request{.transact_items = std::vector<TransactWriteItem>()};
  for (int i = 0; i <= draw.Below(3); ++i) {
    TransactWriteItem& item = request.transact_items->emplace_back();
    if (draw.Coin()) {
      item.put = TransactPut{.table_name = draw.Table(), .item = draw.WholeItem()};
      draw.Condition(*item.put);
    } else {
      item.delete_item = TransactDelete{.table_name = draw.Table(), .key = draw.Key()};
      draw.Condition(*item.delete_item);
    }
  }
  request.return_consumed_capacity = draw.Capacity();
  return request;
}

BatchWriteItemRequest DrawBatch(Draw& draw) {
  BatchWriteMap map{{"Music", {}}};
  for (int i = 0; i <= draw.Below(3); ++i) {
    WriteRequest& write = map[0].second.emplace_back();
    draw.Coin() ? write.put_item = draw.WholeItem() : write.delete_key = draw.Key();
  }
  return {.request_items = map, .return_consumed_capacity = draw.Capacity()};
}

void OneCall(Twins& twins, Draw& draw) {
  switch (draw.Below(8)) {
    case 0:
      twins.Both([r = DrawPut(draw)](Endpoint& at) { return at.PutItem(r); });
      break;
    case 1:
      twins.Both([r = DrawUpdate(draw)](Endpoint& at) { return at.UpdateItem(r); });
      break;
    case 2:
      twins.Both([r = DrawDelete(draw)](Endpoint& at) { return at.DeleteItem(r); });
      break;
    case 3:
      twins.BothReads([r = DrawGet(draw)](Endpoint& at) { return at.GetItem(r); });
      break;
    case 4:
      twins.BothReads([r = DrawQuery(draw)](Endpoint& at) { return at.Query(r); });
      break;
    case 5:
      twins.BothReads([r = DrawScan(draw)](Endpoint& at) { return at.Scan(r); });
      break;
    case 6:
      twins.Both([r = DrawTransaction(draw)](Endpoint& at) { return at.TransactWriteItems(r); });
      break;
    default:
      twins.Both([r = DrawBatch(draw)](Endpoint& at) { return at.BatchWriteItem(r); });
  }
}

TEST(AgreementProperty, RandomRequestsGetOneAnswer) {
  Twins twins;
  twins.Both([](Endpoint& at) { return at.CreateTable(MusicTable()); });
  twins.WaitForBackgroundWork();
  EXPECT_TRUE(rc::check("a client answers as an embedded database does", [&twins] {
    const auto seed = *rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>());
    Draw draw(seed);
    std::vector<AttributeValue> values{"x"};
    for (int i = 0; i < 4; ++i) values.push_back(DrawValue(2));
    draw.UseValues(std::move(values));
    for (int i = 0; i < 20 && !::testing::Test::HasFailure(); ++i) OneCall(twins, draw);
    RC_ASSERT(!::testing::Test::HasFailure());
  }));
}

}  // namespace agreement_property_test
}  // namespace stator::testing
