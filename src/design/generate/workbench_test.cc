#include <gtest/gtest.h>

#include "generate/generate.h"
#include "model/parse/parse.h"

namespace stator::model {
namespace workbench_test {

constexpr std::string_view kModel = R"(
model: 1
title: Shop
tables:
  app:
    name: AppTable
    key: PK str, SK num
    billing: {read: 3, write: 4}
    indexes:
      GSI1: {pk: GSI1PK str, sk: SK num, project: [Name]}
      ByName: {local: true, sk: Name str, project: keys}
entities:
  Customer: {table: app, keys: {PK: "CUSTOMER#{username}"}, attrs: {username: str, SK: num, Name: str}}
  Order: {table: app, keys: {PK: "ORDER#{id}", GSI1PK: "C#{username}"}, attrs: {id: str, SK: num, username: str}}
)";

TEST(Workbench, WhatIsExportedCanBeImportedAgain) {
  const auto first = ParseModel(kModel, "m.yaml");
  ASSERT_TRUE(first);
  const auto yaml = ImportWorkbench(GenerateWorkbench(*first, {}));
  ASSERT_TRUE(yaml) << yaml.error();
  const auto again = ParseModel(*yaml, "again.yaml");
  ASSERT_TRUE(again) << *yaml << ProblemText("again.yaml", again.error()[0]);
  EXPECT_EQ(again->title, "Shop");
  ASSERT_EQ(again->tables.size(), 1U);
  const Table& table = again->tables[0];
  EXPECT_EQ(table.name, "AppTable");
  EXPECT_EQ(table.sort->type, Type::kN);
  EXPECT_EQ(table.provisioned->write, 4);
  ASSERT_EQ(table.indexes.size(), 2U);
  EXPECT_EQ(table.FindIndex("GSI1")->projection.attributes, std::vector<std::string>{"Name"});
  EXPECT_TRUE(table.FindIndex("ByName")->local);
  EXPECT_EQ(table.FindIndex("ByName")->projection.kind, Projection::Kind::kKeysOnly);
  ASSERT_NE(again->FindEntity("Customer"), nullptr);
  EXPECT_EQ(again->FindEntity("Customer")->FindKey("PK")->text, "CUSTOMER#{username}");
  EXPECT_NE(again->FindEntity("Order")->FindAttribute("GSI1PK"), nullptr);
}

TEST(Workbench, BadFilesGetOneLine) {
  const std::vector<std::string> cases = {
      "",
      "[]",
      "{",
      "{}",
      R"({"DataModel": 7})",
      R"({"DataModel": []})",
      R"({"DataModel": [7]})",
      R"({"DataModel": [{}]})",
      R"({"DataModel": [{"TableName": "t"}]})",
      R"({"DataModel": [{"TableName": "t", "KeyAttributes": {"PartitionKey": {"AttributeName": "a"}}}]})",
      R"({"DataModel": [{"TableName": "t", "KeyAttributes": {"PartitionKey":
          {"AttributeName": "a b", "AttributeType": "S"}}}]})",
      R"({"DataModel": [{"TableName": "t", "KeyAttributes": {"PartitionKey":
          {"AttributeName": "a", "AttributeType": "Q"}}}]})",
      R"({"DataModel": [{"TableName": "t", "KeyAttributes": {"PartitionKey":
          {"AttributeName": "a", "AttributeType": "S"}}, "TableFacets": [3]}]})",
  };
  for (const std::string& json : cases) {
    const auto yaml = ImportWorkbench(json);
    ASSERT_FALSE(yaml) << json;
    EXPECT_FALSE(yaml.error().empty());
    EXPECT_EQ(yaml.error().find('\n'), std::string::npos);
  }
}

TEST(Workbench, AnAliasWithoutPlaceholdersIsTheAttributeThatTheKeyHolds) {
  const auto yaml = ImportWorkbench(R"({"DataModel": [{"TableName": "t",
      "KeyAttributes": {"PartitionKey": {"AttributeName": "PK", "AttributeType": "S"}},
      "TableFacets": [{"FacetName": "customer", "KeyAttributeAlias": {"PartitionKeyAlias": "CustomerId"}},
                      {"FacetName": "same", "KeyAttributeAlias": {"PartitionKeyAlias": "PK"}}]}]})");
  ASSERT_TRUE(yaml) << yaml.error();
  EXPECT_NE(yaml->find(R"(keys: {PK: "{CustomerId}"})"), std::string::npos) << *yaml;
  EXPECT_TRUE(ParseModel(*yaml, "m.yaml")) << *yaml;
}

}  // namespace workbench_test
}  // namespace stator::model
