// Every operation of an Endpoint: a client of a server answers as an embedded database does.
#include <gtest/gtest.h>

#include "tests/client_endpoint/twins.h"

namespace stator::testing {
namespace agreement_test {

class Agreement : public ::testing::Test {
 protected:
  // Makes the call on both and expects one answer, without an error.
  template <class Call>
  std::string Succeeds(Call call) {
    std::string text = twins.Both(call);
    EXPECT_FALSE(text.starts_with("error")) << text;
    return text;
  }
  template <class Call>
  void Reads(Call call) {
    const std::string text = twins.BothReads(call);
    EXPECT_FALSE(text.starts_with("error")) << text;
  }
  template <class Call>
  void FailsWith(std::string_view name, Call call) {
    const std::string text = twins.Both(call);
    EXPECT_TRUE(text.starts_with("error " + std::string(name))) << text;
  }
  void CreateMusic() {
    Succeeds([](Endpoint& at) { return at.CreateTable(MusicTable()); });
    twins.WaitForBackgroundWork();
  }
  void PutSongs() {
    for (int i = 0; i < 5; ++i) {
      Succeeds([i](Endpoint& at) { return at.PutItem({.table_name = "Music", .item = Song(i)}); });
    }
  }
  static Item Key(int i) { return {{"Artist", "Acme"}, {"Song", "s" + std::to_string(i)}}; }
  static Item Song(int i) {
    Item song = Key(i);
    song.Set("Year", 2000 + i % 2);
    song.Set("Genre", AttributeValue::StringSet({"b", "a"}));
    song.Set("Cover", AttributeValue::Binary(std::string("\0\xff", 2)));
    song.Set("Facts", AttributeValue::List({true, AttributeValue::Null(), "€ \"\n", -1}));
    return song;
  }

  Twins twins;
};

constexpr auto kTotal = ReturnConsumedCapacity::kTotal;
constexpr auto kIndexes = ReturnConsumedCapacity::kIndexes;

TEST_F(Agreement, Tables) {
  FailsWith("ResourceNotFoundException",
            [](Endpoint& at) { return at.DescribeTable({.table_name = "Music"}); });
  CreateMusic();
  FailsWith("ResourceInUseException", [](Endpoint& at) { return at.CreateTable(MusicTable()); });
  FailsWith("ValidationException", [](Endpoint& at) { return at.CreateTable({}); });
  CreateTableRequest other{
      .attribute_definitions = std::vector<AttributeDefinition>{{"id", ScalarType::kB}},
      .table_name = "Other",
      .key_schema = std::vector<KeySchemaElement>{{"id", KeyType::kHash}},
      .provisioned_throughput = ProvisionedThroughput{3, 4},
      .stream_specification = StreamSpecification{true, StreamViewType::kNewImage},
      .tags = std::vector<Tag>{{"team", "blue"}},
      .table_class = TableClass::kStandardInfrequentAccess,
      .deletion_protection_enabled = true};
  Succeeds([&](Endpoint& at) { return at.CreateTable(other); });
  twins.WaitForBackgroundWork();
  Succeeds([](Endpoint& at) { return at.DescribeTable({.table_name = "Music"}); });
  Succeeds([](Endpoint& at) { return at.DescribeTable({.table_name = "Other"}); });
  Succeeds([](Endpoint& at) { return at.ListTables({.limit = 1}); });
  Succeeds([](Endpoint& at) {
    return at.ListTables({.exclusive_start_table_name = "Music", .limit = 5});
  });
  FailsWith("ValidationException",
            [](Endpoint& at) { return at.DeleteTable({.table_name = "Other"}); });
  Succeeds([](Endpoint& at) { return at.DeleteTable({.table_name = "Music"}); });
}

TEST_F(Agreement, ChangesOfTables) {
  CreateMusic();
  const auto update = [this](UpdateTableRequest request) {
    request.table_name = "Music";
    Succeeds([&](Endpoint& at) { return at.UpdateTable(request); });
    twins.WaitForBackgroundWork();
    Succeeds([](Endpoint& at) { return at.DescribeTable({.table_name = "Music"}); });
  };
  update({.deletion_protection_enabled = true});
  update({.stream_specification = StreamSpecification{true, StreamViewType::kNewAndOldImages}});
  update({.on_demand_throughput = OnDemandThroughput{10, 20}});
  using Updates = std::vector<GlobalSecondaryIndexUpdate>;
  update({.global_secondary_index_updates =
              Updates{{.remove = GlobalSecondaryIndexUpdate::DeleteAction{"OfYear"}}}});
  update({.attribute_definitions = std::vector<AttributeDefinition>{{"Song", ScalarType::kS}},
          .global_secondary_index_updates =
              Updates{{.create = GlobalSecondaryIndex{
                           .index_name = "OfSong",
                           .key_schema = std::vector<KeySchemaElement>{{"Song", KeyType::kHash}},
                           .projection = IndexProjection{ProjectionType::kKeysOnly, {}}}}}});
  using UpdateAction = GlobalSecondaryIndexUpdate::UpdateAction;
  update({.global_secondary_index_updates =
              Updates{{.update = UpdateAction{.index_name = "OfSong",
                                              .on_demand_throughput = OnDemandThroughput{7, 8}}}}});
  update({.billing_mode = BillingMode::kProvisioned,
          .provisioned_throughput = ProvisionedThroughput{5, 6},
          .global_secondary_index_updates = Updates{
              {.update = UpdateAction{.index_name = "OfSong",
                                      .provisioned_throughput = ProvisionedThroughput{1, 2}}}}});
}

TEST_F(Agreement, SettingsOfTables) {
  CreateMusic();
  const std::string arn = "arn:aws:dynamodb:us-east-1:000000000000:table/Music";
  Succeeds([&](Endpoint& at) {
    return at.TagResource(
        {.resource_arn = arn, .tags = std::vector<Tag>{{"team", "red"}, {"cost", ""}}});
  });
  Succeeds([&](Endpoint& at) {
    return at.UntagResource({.resource_arn = arn, .tag_keys = std::vector<std::string>{"cost"}});
  });
  EXPECT_NE(Succeeds([&](Endpoint& at) {
              return at.ListTagsOfResource({.resource_arn = arn});
            }).find("'team' 'red'"),
            std::string::npos);
  Succeeds([](Endpoint& at) { return at.DescribeTimeToLive({.table_name = "Music"}); });
  Succeeds([](Endpoint& at) {
    return at.UpdateTimeToLive(
        {.table_name = "Music", .specification = TimeToLiveSpecification{true, "Until"}});
  });
  twins.WaitForBackgroundWork();
  Succeeds([](Endpoint& at) { return at.DescribeTimeToLive({.table_name = "Music"}); });
  Succeeds([](Endpoint& at) { return at.DescribeContinuousBackups({.table_name = "Music"}); });
  Succeeds([](Endpoint& at) {
    return at.UpdateContinuousBackups(
        {.table_name = "Music",
         .point_in_time_recovery_specification = PointInTimeRecoverySpecification{true, 7}});
  });
  Succeeds([](Endpoint& at) { return at.DescribeContinuousBackups({.table_name = "Music"}); });
  FailsWith("TableNotFoundException",
            [](Endpoint& at) { return at.DescribeContinuousBackups({.table_name = "None"}); });
}

TEST_F(Agreement, Items) {
  CreateMusic();
  PutSongs();
  Succeeds([](Endpoint& at) {
    return at.GetItem({.table_name = "Music",
                       .key = Key(1),
                       .consistent_read = true,
                       .return_consumed_capacity = kIndexes,
                       .projection_expression = "#y, Facts[0], Genre",
                       .expression_attribute_names = NameMap{{"#y", "Year"}}});
  });
  Succeeds([](Endpoint& at) { return at.GetItem({.table_name = "Music", .key = Key(99)}); });
  Succeeds([](Endpoint& at) {
    return at.UpdateItem({.table_name = "Music",
                          .key = Key(1),
                          .return_values = ReturnValues::kUpdatedNew,
                          .return_consumed_capacity = kIndexes,
                          .return_item_collection_metrics = ReturnItemCollectionMetrics::kSize,
                          .update_expression = "SET Plays = if_not_exists(Plays, :zero) + :one",
                          .expression_attribute_values = ValueMap{{":zero", 0}, {":one", 1}}});
  });
  FailsWith("ConditionalCheckFailedException", [](Endpoint& at) {
    return at.DeleteItem(
        {.table_name = "Music",
         .key = Key(1),
         .condition_expression = "Plays > :many",
         .expression_attribute_values = ValueMap{{":many", 1000}},
         .return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::kAllOld});
  });
  Succeeds([](Endpoint& at) {
    return at.DeleteItem(
        {.table_name = "Music", .key = Key(1), .return_values = ReturnValues::kAllOld});
  });
  FailsWith("ValidationException",
            [](Endpoint& at) { return at.PutItem({.table_name = "Music", .item = Item()}); });
}

TEST_F(Agreement, ValuesThatAreNone) {
  CreateMusic();
  // A client cannot send them; it says itself what is wrong, in words of its own.
  Item item = Key(1);
  item.Set("bad", AttributeValue::Number("not a number"));
  for (Endpoint* at : std::vector<Endpoint*>{&twins.embedded(), &twins.client()}) {
    const auto put = at->PutItem({.table_name = "Music", .item = item});
    ASSERT_FALSE(put);
    EXPECT_EQ(put.error().code(), ErrorCode::kValidation);
  }
}

TEST_F(Agreement, LegacyParameters) {
  CreateMusic();
  PutSongs();
  Succeeds([](Endpoint& at) {
    return at.UpdateItem(
        {.table_name = "Music",
         .key = Key(2),
         .attribute_updates =
             AttributeUpdateMap{{"Plays", {.value = 3, .action = AttributeAction::kAdd}},
                                {"Cover", {.action = AttributeAction::kDelete}}},
         .expected =
             ExpectedMap{{"Year",
                          {.comparison_operator = ComparisonOperator::kBetween,
                           .attribute_value_list = std::vector<AttributeValue>{1990, 2010}}},
                         {"None", {.exists = false}}},
         .conditional_operator = ConditionalOperator::kAnd,
         .return_values = ReturnValues::kAllNew});
  });
  FailsWith("ConditionalCheckFailedException", [](Endpoint& at) {
    return at.PutItem({.table_name = "Music",
                       .item = Key(2),
                       .expected = ExpectedMap{{"Year", {.value = 1, .exists = true}}}});
  });
  Reads([](Endpoint& at) {
    return at.Query(
        {.table_name = "Music",
         .attributes_to_get = std::vector<std::string>{"Song", "Year"},
         .key_conditions = LegacyConditionMap{{"Artist", {ComparisonOperator::kEq, {"Acme"}}}},
         .query_filter = LegacyConditionMap{{"Genre", {ComparisonOperator::kNotNull, {}}},
                                            {"Year", {ComparisonOperator::kEq, {2000}}}},
         .conditional_operator = ConditionalOperator::kOr});
  });
  Reads([](Endpoint& at) {
    return at.Scan(
        {.table_name = "Music",
         .scan_filter = LegacyConditionMap{{"Year", {ComparisonOperator::kIn, {2001, 2002}}}}});
  });
}

TEST_F(Agreement, Pages) {
  CreateMusic();
  PutSongs();
  Reads([](Endpoint& at) {
    return at.Query({.table_name = "Music",
                     .index_name = "ByYear",
                     .limit = 2,
                     .consistent_read = true,
                     .scan_index_forward = false,
                     .return_consumed_capacity = kIndexes,
                     .filter_expression = "size(Song) > :n",
                     .key_condition_expression = "Artist = :a",
                     .expression_attribute_values = ValueMap{{":a", "Acme"}, {":n", 1}}});
  });
  Reads([](Endpoint& at) {
    return at.Query({.table_name = "Music",
                     .index_name = "OfYear",
                     .select = Select::kCount,
                     .return_consumed_capacity = kIndexes,
                     .key_condition_expression = "#y = :y",
                     .expression_attribute_names = NameMap{{"#y", "Year"}},
                     .expression_attribute_values = ValueMap{{":y", 2000}}});
  });
  Reads([](Endpoint& at) {
    return at.Scan({.table_name = "Music",
                    .limit = 2,
                    .exclusive_start_key = Key(1),
                    .return_consumed_capacity = kTotal,
                    .total_segments = 1,
                    .segment = 0,
                    .projection_expression = "Song"});
  });
  FailsWith("ValidationException", [](Endpoint& at) { return at.Query({.table_name = "Music"}); });
}

TEST_F(Agreement, Batches) {
  CreateMusic();
  PutSongs();
  Succeeds([](Endpoint& at) {
    return at.BatchWriteItem(
        {.request_items = BatchWriteMap{{"Music", {{.put_item = Song(7)}, {.delete_key = Key(0)}}}},
         .return_consumed_capacity = kIndexes,
         .return_item_collection_metrics = ReturnItemCollectionMetrics::kSize});
  });
  Reads([](Endpoint& at) {
    return at.BatchGetItem(
        {.request_items = BatchGetMap{{"Music",
                                       {.keys = std::vector<Item>{Key(0), Key(1), Key(7)},
                                        .consistent_read = true,
                                        .projection_expression = "Song, #y",
                                        .expression_attribute_names = NameMap{{"#y", "Year"}}}}},
         .return_consumed_capacity = kTotal});
  });
  FailsWith("ValidationException", [](Endpoint& at) { return at.BatchGetItem({}); });
}

TEST_F(Agreement, Transactions) {
  CreateMusic();
  PutSongs();
  const TransactWriteItemsRequest request{
      .transact_items =
          std::vector<TransactWriteItem>{
              {.condition_check =
                   TransactConditionCheck{.table_name = "Music",
                                          .key = Key(0),
                                          .condition_expression = "attribute_exists(Song)"}},
              {.put = TransactPut{.table_name = "Music", .item = Song(8)}},
              {.delete_item = TransactDelete{.table_name = "Music", .key = Key(1)}},
              {.update = TransactUpdate{.table_name = "Music",
                                        .key = Key(2),
                                        .update_expression = "SET #y = :y",
                                        .condition_expression = "#y < :y",
                                        .expression_attribute_names = NameMap{{"#y", "Year"}},
                                        .expression_attribute_values = ValueMap{{":y", 2020}},
                                        .return_values_on_condition_check_failure =
                                            ReturnValuesOnConditionCheckFailure::kAllOld}}},
      .return_consumed_capacity = kIndexes,
      .return_item_collection_metrics = ReturnItemCollectionMetrics::kSize};
  Succeeds([&](Endpoint& at) { return at.TransactWriteItems(request); });
  // The condition of the update does not hold any more.
  FailsWith("TransactionCanceledException",
            [&](Endpoint& at) { return at.TransactWriteItems(request); });
  Reads([](Endpoint& at) {
    return at.TransactGetItems(
        {.transact_items =
             std::vector<TransactGetItem>{
                 {TransactGet{
                     .table_name = "Music", .key = Key(2), .projection_expression = "Song"}},
                 {TransactGet{.table_name = "Music", .key = Key(1)}}},
         .return_consumed_capacity = kTotal});
  });
}

TEST_F(Agreement, WordsThatAreNone) {
  CreateMusic();
  FailsWith("ValidationException", [](Endpoint& at) {
    return at.GetItem(
        {.table_name = "Music",
         .key = Key(1),
         .return_consumed_capacity = Choice<ReturnConsumedCapacity>::Unknown("SOME")});
  });
}

TEST_F(Agreement, Json) {
  CreateMusic();
  const auto json = [](Endpoint& at, std::string_view operation, std::string_view body) {
    const Result<std::string> answer = at.Execute(operation, body);
    return answer ? Show(*answer) : Show(answer.error());
  };
  for (const auto& [operation, body] : std::vector<std::pair<std::string, std::string>>{
           {"ListTables", "{}"},
           {"ListStreams", "{}"},
           {"DescribeLimits", "{}"},
           {"ExecuteStatement", R"({"Statement": "SELECT * FROM Music"})"},
           {"ExecuteStatement", R"({"Statement": "SELECT"})"},
           {"ListTables", R"({"Limit": "x"})"},
           {"NoSuchOperation", "{}"}}) {
    EXPECT_EQ(json(twins.client(), operation, body), json(twins.embedded(), operation, body));
  }
  // Nothing of an operation's name gets into the request's head.
  EXPECT_EQ(twins.client().Execute("ListTables\r\nX: y", "{}").error().code(),
            ErrorCode::kUnknownOperation);
}

}  // namespace agreement_test
}  // namespace stator::testing
