// stator/paging.h on an embedded database, on a client, and on an endpoint that leaves things over.
#include "stator/paging.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/client_endpoint/twins.h"

namespace stator::testing {
namespace paging_test {

constexpr int kSongs = 260;

Item Key(int i) { return {{"Artist", "Acme"}, {"Song", "s" + std::to_string(1000 + i)}}; }

std::vector<WriteRequest> Songs() {
  std::vector<WriteRequest> songs;
  for (int i = 0; i < kSongs; ++i) {
    songs.push_back({.put_item = Key(i)});
    songs.back().put_item->Set("Year", 2000 + i);
  }
  return songs;
}

class Paging : public ::testing::Test {
 protected:
  Paging() {
    for (Endpoint* at : Endpoints()) EXPECT_TRUE(at->CreateTable(MusicTable()));
    twins.WaitForBackgroundWork();
    for (Endpoint* at : Endpoints()) EXPECT_TRUE(BatchWriteAll(*at, {{"Music", Songs()}}));
  }
  std::vector<Endpoint*> Endpoints() { return {&twins.embedded(), &twins.client()}; }

  Twins twins;
};

TEST_F(Paging, QueryAllReadsEveryPageInOrder) {
  for (Endpoint* at : Endpoints()) {
    const auto all = QueryAll(*at, {.table_name = "Music",
                                    .limit = 7,
                                    .key_condition_expression = "Artist = :a",
                                    .expression_attribute_values = ValueMap{{":a", "Acme"}}});
    ASSERT_TRUE(all);
    ASSERT_EQ(all->count, kSongs);
    EXPECT_EQ((*all->items)[kSongs - 1].Find("Song")->S(), "s1259");
    EXPECT_FALSE(all->last_evaluated_key);
  }
}

TEST_F(Paging, ScanAllCountsWithoutItems) {
  for (Endpoint* at : Endpoints()) {
    const auto all = ScanAll(*at, {.table_name = "Music", .limit = 50, .select = Select::kCount});
    ASSERT_TRUE(all);
    EXPECT_EQ(all->count, kSongs);
    EXPECT_FALSE(all->items);
  }
}

TEST_F(Paging, AVisitorEndsIt) {
  for (Endpoint* at : Endpoints()) {
    int pages = 0;
    EXPECT_TRUE(ForEachPage(*at, ScanRequest{.table_name = "Music", .limit = 10},
                            [&](const PageResponse&) { return ++pages < 3; }));
    EXPECT_EQ(pages, 3);
  }
}

TEST_F(Paging, AnErrorEndsIt) {
  const auto all = ScanAll(twins.client(), {.table_name = "None"});
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().code(), ErrorCode::kResourceNotFound);
}

TEST_F(Paging, BatchGetAllFindsWhatIsThere) {
  std::vector<Item> keys;
  for (int i = 0; i < kSongs; ++i) keys.push_back(Key(i));
  keys.push_back(Key(5000));
  for (Endpoint* at : Endpoints()) {
    const auto all = BatchGetAll(
        *at, {{"Music", {.keys = keys, .consistent_read = true, .projection_expression = "Song"}}});
    ASSERT_TRUE(all);
    ASSERT_EQ(all->size(), 1);
    EXPECT_EQ((*all)[0].second.size(), kSongs);
    EXPECT_EQ((*all)[0].second[0].size(), 1);
  }
}

}  // namespace paging_test
}  // namespace stator::testing
