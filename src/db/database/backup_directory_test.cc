#include "stator/backup_directory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "stator/database.h"

namespace stator {
namespace backup_directory_test {

namespace fs = std::filesystem;

class BackupDirectoryTest : public testing::Test {
 protected:
  BackupDirectoryTest() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    root_ = (fs::temp_directory_path() /
             (std::string("stator-backup-test-") + info->name() + std::to_string(getpid())))
                .string();
    fs::remove_all(root_);
    fs::create_directory(root_);
  }
  ~BackupDirectoryTest() override {
    database_.reset();
    fs::remove_all(root_);
  }

  void OpenDatabase(const std::string& name, bool with_backups = true) {
    database_.reset();
    auto database = Database::Open({.directory = root_ + "/" + name,
                                    .durability = Durability::kOff,
                                    .backup_directory = with_backups ? Backups() : ""});
    ASSERT_TRUE(database) << database.error().message();
    database_ = *std::move(database);
  }
  void CreateTable(const std::string& name) {
    const auto created = database_->Execute("CreateTable", R"({"TableName": ")" + name + R"(",
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "k", "AttributeType": "N"}],
        "KeySchema": [{"AttributeName": "k", "KeyType": "HASH"}]})");
    ASSERT_TRUE(created) << created.error().message();
  }
  void PutItems(const std::string& table, int from, int to) {
    for (int i = from; i < to; ++i) {
      ASSERT_TRUE(database_->PutItem({.table_name = table, .item = Item{{"k", i}}}));
    }
  }
  std::int64_t Count(const std::string& table) {
    const auto page = database_->Scan({.table_name = table});
    return page ? page->count : -1;
  }
  std::string BackUp(const std::string& table) {
    const auto made =
        database_->CreateBackup({.table_name = table, .backup_name = table + "-backup"});
    EXPECT_TRUE(made) << made.error().message();
    return made ? made->details.backup_arn : "";
  }
  void Restore(const std::string& arn, const std::string& target) {
    const auto restored =
        database_->RestoreTableFromBackup({.target_table_name = target, .backup_arn = arn});
    ASSERT_TRUE(restored) << restored.error().message();
    database_->WaitForBackgroundWork();
  }
  std::size_t ListedCount() { return database_->ListBackups({})->backup_summaries.size(); }

  std::string Backups() const { return root_ + "/backups"; }
  std::string root_;
  std::unique_ptr<Database> database_;
};

TEST_F(BackupDirectoryTest, BackupsOutliveTheirDatabase) {
  OpenDatabase("data");
  CreateTable("Music");
  CreateTable("Films");
  PutItems("Music", 0, 10);
  const std::string first = BackUp("Music");
  PutItems("Music", 10, 30);
  PutItems("Films", 0, 5);
  const std::string second = BackUp("Music");
  database_.reset();
  fs::remove_all(root_ + "/data");

  const auto backups = BackupDirectory::Open(Backups());
  ASSERT_TRUE(backups) << backups.error().message();
  const auto entries = (*backups)->List();
  ASSERT_TRUE(entries) << entries.error().message();
  ASSERT_EQ(entries->size(), 2U);
  EXPECT_EQ((*entries)[0].arn, first);
  EXPECT_EQ((*entries)[0].items, 10);
  EXPECT_EQ((*entries)[1].table, "Music");
  EXPECT_EQ((*entries)[1].name, "Music-backup");
  EXPECT_TRUE((*backups)->Verify(second));

  // All tables, in a new directory.
  ASSERT_TRUE((*backups)->RestoreInto(second, root_ + "/restored"));
  OpenDatabase("restored");
  EXPECT_EQ(Count("Music"), 30);
  EXPECT_EQ(Count("Films"), 5);
  // One table, in any database with this backup directory.
  OpenDatabase("other");
  EXPECT_EQ(ListedCount(), 2U);
  Restore(first, "Again");
  EXPECT_EQ(Count("Again"), 10);
}

TEST_F(BackupDirectoryTest, OperationsWorkAsWithoutABackupDirectory) {
  OpenDatabase("data");
  CreateTable("Music");
  PutItems("Music", 0, 10);
  const std::string arn = BackUp("Music");
  PutItems("Music", 10, 20);
  const auto described = database_->DescribeBackup({.backup_arn = arn});
  ASSERT_TRUE(described);
  EXPECT_EQ(described->backup.details.backup_status, BackupStatus::kAvailable);
  EXPECT_EQ(described->backup.table.item_count, 10);
  OpenDatabase("data");
  EXPECT_EQ(ListedCount(), 1U);
  Restore(arn, "Again");
  EXPECT_EQ(Count("Again"), 10);
  ASSERT_TRUE(database_->DeleteBackup({.backup_arn = arn}));
  EXPECT_EQ(ListedCount(), 0U);
  EXPECT_EQ((*BackupDirectory::Open(Backups()))->List()->size(), 0U);
  EXPECT_FALSE(fs::exists(root_ + "/data/backups"));
}

TEST_F(BackupDirectoryTest, BackupsInTheDataDirectoryStay) {
  OpenDatabase("data", /*with_backups=*/false);
  CreateTable("Music");
  PutItems("Music", 0, 10);
  const std::string local = BackUp("Music");
  OpenDatabase("data");
  const std::string copy = BackUp("Music");
  EXPECT_EQ(ListedCount(), 2U);
  Restore(local, "FromLocal");
  EXPECT_EQ(Count("FromLocal"), 10);
  database_.reset();
  // A restored database does not list what it does not have.
  ASSERT_TRUE((*BackupDirectory::Open(Backups()))->RestoreInto(copy, root_ + "/restored"));
  OpenDatabase("restored", /*with_backups=*/false);
  EXPECT_EQ(ListedCount(), 0U);
  EXPECT_EQ(Count("Music"), 10);
}

TEST_F(BackupDirectoryTest, DamagedCopyIsRefused) {
  OpenDatabase("data");
  CreateTable("Music");
  PutItems("Music", 0, 10);
  const std::string arn = BackUp("Music");
  for (const auto& file : fs::directory_iterator(Backups() + "/shared_checksum")) {
    fs::resize_file(file.path(), fs::file_size(file.path()) - 1);
  }
  const auto backups = *BackupDirectory::Open(Backups());
  EXPECT_FALSE(backups->Verify(arn));
  const auto whole = backups->RestoreInto(arn, root_ + "/restored");
  ASSERT_FALSE(whole);
  EXPECT_NE(whole.error().message().find(".sst"), std::string::npos) << whole.error().message();
  Restore(arn, "Again");
  EXPECT_EQ(Count("Again"), -1);  // given up, as the log says
}

TEST_F(BackupDirectoryTest, MemoryCannotBeCopied) {
  const auto refused = Database::Open({.backup_directory = Backups()});
  ASSERT_FALSE(refused);
  EXPECT_FALSE(fs::exists(Backups()));
}

TEST_F(BackupDirectoryTest, ErrorsOfOperationsNameNoFiles) {
  OpenDatabase("data");
  CreateTable("Music");
  fs::remove_all(Backups());
  std::ofstream(Backups()) << "in the way";
  const auto failed = database_->CreateBackup({.table_name = "Music", .backup_name = "again"});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message().find(root_), std::string::npos) << failed.error().message();
  EXPECT_TRUE(database_->PutItem({.table_name = "Music", .item = Item{{"k", 1}}}));
}

}  // namespace backup_directory_test
}  // namespace stator
