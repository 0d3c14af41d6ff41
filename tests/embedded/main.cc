// Uses an installed libstator as an application would: C++ values, JSON, errors, and a second
// opening.
//
//   embedded DIRECTORY
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

#include "stator/database.h"

namespace {

using stator::AttributeValue;
using stator::Database;
using stator::Item;

void Expect(bool holds, std::string_view what) {
  if (holds) return;
  std::cerr << "does not hold: " << what << "\n";
  std::exit(1);
}

std::unique_ptr<Database> Open(const std::string& directory) {
  auto opened = Database::Open({.directory = directory});
  Expect(opened.has_value(), "the database opens");
  return std::move(*opened);
}

void CreateTable(Database& db) {
  auto created = db.Execute("CreateTable", R"({
    "TableName": "Music", "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "Artist", "AttributeType": "S"},
                             {"AttributeName": "Year", "AttributeType": "N"}],
    "KeySchema": [{"AttributeName": "Artist", "KeyType": "HASH"},
                  {"AttributeName": "Year", "KeyType": "RANGE"}]})");
  Expect(created.has_value(), "a table is created from JSON");
  db.WaitForBackgroundWork();
}

void WriteAndRead(Database& db) {
  for (int year = 2010; year < 2020; ++year) {
    auto put = db.PutItem({.table_name = "Music",
                           .item = Item{{"Artist", "No One You Know"},
                                        {"Year", year},
                                        {"Tags", AttributeValue::StringSet({"b", "a"})}}});
    Expect(put.has_value(), "an item is put from C++ values");
  }
  auto page = db.Query(
      {.table_name = "Music",
       .scan_index_forward = false,
       .key_condition_expression = "Artist = :a AND #y >= :y",
       .expression_attribute_names = stator::NameMap{{"#y", "Year"}},
       .expression_attribute_values = stator::ValueMap{{":a", "No One You Know"}, {":y", 2017}}});
  Expect(page.has_value() && page->count == 3, "a query gives three items");
  Expect((*page->items)[0].Find("Year")->N() == "2019", "the newest comes first");
}

void Refuse(Database& db) {
  auto put = db.PutItem({.table_name = "Music",
                         .item = Item{{"Artist", "No One You Know"}, {"Year", 2010}},
                         .condition_expression = "attribute_not_exists(Artist)"});
  Expect(!put.has_value() && put.error().code() == stator::ErrorCode::kConditionalCheckFailed,
         "a condition that does not hold is an error with a code");
  auto unknown = db.Execute("NoSuchOperation", "{}");
  Expect(!unknown.has_value() && unknown.error().code() == stator::ErrorCode::kUnknownOperation,
         "an operation that does not exist is an error");
}

}  // namespace

int main(int argc, char** argv) {
  Expect(argc == 2, "the directory is given");
  {
    auto db = Open(argv[1]);
    CreateTable(*db);
    WriteAndRead(*db);
    Refuse(*db);
  }
  auto db = Open(argv[1]);
  auto got = db->Execute(
      "GetItem",
      R"({"TableName": "Music", "Key": {"Artist": {"S": "No One You Know"}, "Year": {"N": "2015"}}})");
  Expect(got.has_value() && got->find(R"("Tags":{"SS":["a","b"]})") != std::string::npos,
         "the items are there after the database was closed");
  std::cout << *got << "\n";
}
