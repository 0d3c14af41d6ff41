#include "engine/catalog/catalog.h"

#include <gtest/gtest.h>

#include "engine/catalog/row_key.h"

namespace stator {
namespace catalog_test {

Table NamedTable(std::string name) {
  Table table;
  table.name = std::move(name);
  table.keys.hash = {{"pk", ScalarType::kS}};
  return table;
}

class CatalogTest : public ::testing::Test {
 protected:
  CatalogTest() : store_(OpenMemoryStore()) { Reload(); }
  void Reload() {
    catalog_.reset();
    StorageResult<std::unique_ptr<Catalog>> loaded = Catalog::Load(*store_);
    ASSERT_TRUE(loaded) << loaded.error().message;
    catalog_ = *std::move(loaded);
  }
  TablePtr Add(std::string name) {
    Result<TablePtr> added = catalog_->Add(NamedTable(std::move(name)));
    EXPECT_TRUE(added);
    return *added;
  }
  TablePtr SetProtection(const TablePtr& table, bool protection) {
    Result<TablePtr> changed = catalog_->Change(table->number, [&](Table& copy) -> Result<void> {
      copy.deletion_protection = protection;
      return {};
    });
    EXPECT_TRUE(changed);
    return *changed;
  }

  std::unique_ptr<Store> store_;
  std::unique_ptr<Catalog> catalog_;
};

TEST_F(CatalogTest, AnEmptyStoreHasNoTables) {
  EXPECT_EQ(catalog_->size(), 0U);
  EXPECT_EQ(catalog_->Find("Music"), nullptr);
  EXPECT_TRUE(catalog_->Names().empty());
}

TEST_F(CatalogTest, ATableIsFoundByNameAndNumber) {
  const TablePtr table = Add("Music");
  EXPECT_EQ(catalog_->Find("Music"), table);
  EXPECT_EQ(catalog_->FindByNumber(table->number), table);
  EXPECT_EQ(catalog_->Newest(table), table);
}

TEST_F(CatalogTest, NamesAscendByBytes) {
  for (const char* name : {"b.b", "B.B", "a_a", "a-a"}) Add(name);
  EXPECT_EQ(catalog_->Names(), (std::vector<std::string>{"B.B", "a-a", "a_a", "b.b"}));
}

TEST_F(CatalogTest, AChangeIsANewSnapshotWithTheNextVersion) {
  const TablePtr before = Add("Music");
  const TablePtr after = SetProtection(before, true);
  EXPECT_FALSE(before->deletion_protection);
  EXPECT_TRUE(after->deletion_protection);
  EXPECT_GT(after->version, before->version);
  EXPECT_EQ(catalog_->Newest(before), after);
  EXPECT_EQ(catalog_->Find("Music"), after);
  EXPECT_EQ(after->counts, before->counts);
}

TEST_F(CatalogTest, AChangeThatFailsChangesNothing) {
  const TablePtr before = Add("Music");
  const Result<TablePtr> changed =
      catalog_->Change(before->number, [](Table& copy) -> Result<void> {
        copy.deletion_protection = true;
        return std::unexpected(Error::Validation("no"));
      });
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().message(), "no");
  EXPECT_EQ(catalog_->Find("Music"), before);
  Reload();
  EXPECT_FALSE(catalog_->Find("Music")->deletion_protection);
}

TEST_F(CatalogTest, TablesAndChangesSurviveAReload) {
  const TablePtr music = Add("Music");
  Add("Films");
  const TablePtr changed = SetProtection(music, true);
  Reload();
  EXPECT_EQ(catalog_->Names(), (std::vector<std::string>{"Films", "Music"}));
  const TablePtr loaded = catalog_->Find("Music");
  EXPECT_TRUE(loaded->deletion_protection);
  EXPECT_EQ(loaded->number, music->number);
  EXPECT_EQ(loaded->version, changed->version);
  EXPECT_EQ(catalog_->Newest(loaded), loaded);
}

TEST_F(CatalogTest, ADroppedTableIsGoneAndItsNameIsFree) {
  const TablePtr old = Add("Music");
  ASSERT_TRUE(catalog_->Drop(old->number));
  EXPECT_EQ(catalog_->Find("Music"), nullptr);
  EXPECT_EQ(catalog_->Newest(old), nullptr);
  const TablePtr fresh = Add("Music");
  EXPECT_NE(fresh->number, old->number);
  EXPECT_EQ(catalog_->Newest(old), nullptr);
  EXPECT_FALSE(catalog_->Drop(old->number));
}

TEST_F(CatalogTest, ADroppedTableIsRememberedUntilItIsCleared) {
  const TableNumber number = Add("Music")->number;
  ASSERT_TRUE(catalog_->Drop(number));
  EXPECT_EQ(catalog_->Dropped(), std::vector{number});
  Reload();
  EXPECT_EQ(catalog_->size(), 0U);
  EXPECT_EQ(catalog_->Dropped(), std::vector{number});
  ASSERT_TRUE(catalog_->ForgetDropped(number));
  EXPECT_TRUE(catalog_->Dropped().empty());
  Reload();
  EXPECT_TRUE(catalog_->Dropped().empty());
}

TEST_F(CatalogTest, NumbersAreNeverReused) {
  const TableNumber number = Add("Music")->number;
  ASSERT_TRUE(catalog_->Drop(number));
  ASSERT_TRUE(catalog_->ForgetDropped(number));
  Reload();
  EXPECT_GT(Add("Music")->number, number);
}

// Puts one row, whatever it is.
class PutRow final : public Mutation {
 public:
  PutRow(std::string key, std::string value) : key_(std::move(key)), value_(std::move(value)) {}
  std::span<const std::string> Keys() const override { return {}; }
  Verdict Decide(std::span<const std::optional<std::string_view>>, WriteBatch& batch) override {
    batch.Put(key_, value_);
    return Verdict::kCommit;
  }
  void Done(StorageResult<void>) override {}

 private:
  std::string key_;
  std::string value_;
};

TEST_F(CatalogTest, ADamagedRowIsReportedAndNotSkipped) {
  Add("Music");
  const std::string prefix = std::string(1, kCatalogSpace) + "table";
  const std::string number{'\0', '\0', '\0', '\x09'};
  ASSERT_TRUE(MutateAndWait(*store_, std::make_unique<PutRow>(prefix + number, "{\"format\":1}")));
  const StorageResult<std::unique_ptr<Catalog>> loaded = Catalog::Load(*store_);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().kind, StorageError::Kind::kCorrupt);
}

}  // namespace catalog_test
}  // namespace stator
