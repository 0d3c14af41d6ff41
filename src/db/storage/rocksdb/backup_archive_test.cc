// What copies in an archive promise: they are whole, share files, and tell damage.
#include "storage/backup_archive.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "storage/testing/child_process.h"
#include "storage/testing/test_directory.h"
#include "storage/testing/test_mutation.h"

namespace stator {
namespace backup_archive_test {

namespace fs = std::filesystem;
using Access = BackupArchive::Access;
using Kind = StorageError::Kind;

std::unique_ptr<BackupArchive> OpenArchive(const std::string& path,
                                           Access access = Access::kWrite) {
  auto archive = BackupArchive::Open(path, access);
  EXPECT_TRUE(archive) << archive.error().message;
  return *std::move(archive);
}

std::vector<std::string> Ids(const BackupArchive& archive) {
  std::vector<std::string> ids;
  const auto contents = archive.List();
  EXPECT_TRUE(contents) << contents.error().message;
  for (const BackupArchive::Copy& copy : contents->copies) ids.push_back(copy.id);
  return ids;
}

std::map<std::string, std::string> Rows(const Checkpoint& copy) {
  std::map<std::string, std::string> rows;
  EXPECT_TRUE(copy.Scan({}, Direction::kForward, [&](std::string_view key, std::string_view value) {
    rows.emplace(key, value);
    return true;
  }));
  return rows;
}

std::set<std::string> FilesIn(const std::string& directory) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory)) names.insert(entry.path().string());
  return names;
}

class ArchiveTest : public testing::Test {
 protected:
  ArchiveTest() {
    auto store = OpenRocksStore({.directory = data_});
    EXPECT_TRUE(store) << store.error().message;
    store_ = *std::move(store);
    archive_ = OpenArchive(backups_);
  }
  void PutRows(const std::string& prefix, int count = 50) {
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(Put(*store_, prefix + std::to_string(i), std::string(1000, 'v')));
    }
  }
  void Copy(const std::string& id) {
    const auto made = store_->CopyInto(*archive_, id, "about " + id);
    ASSERT_TRUE(made) << made.error().message;
  }
  std::string Shared() const { return backups_ + "/shared_checksum"; }

  const TestDirectory directory_;
  const std::string data_ = directory_.path() + "/data";
  const std::string backups_ = directory_.path() + "/backups";
  std::unique_ptr<Store> store_;
  std::unique_ptr<BackupArchive> archive_;
};

TEST_F(ArchiveTest, CopyHoldsWhatWasThereAndSurvivesTheStore) {
  PutRows("a");
  Copy("1");
  PutRows("b");
  Copy("2");
  store_.reset();
  archive_.reset();
  fs::remove_all(data_);
  const auto archive = OpenArchive(backups_, Access::kRead);
  EXPECT_EQ(Ids(*archive), (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(archive->List()->copies[1].description, "about 2");
  EXPECT_TRUE(archive->Verify("1"));
  const auto first = archive->OpenCopy("1");
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(Rows(**first).size(), 50U);
  EXPECT_EQ(Rows(**archive->OpenCopy("2")).size(), 100U);
  EXPECT_EQ(*archive->OpenCopy("3"), nullptr);
  const auto by_relative_path =
      OpenArchive(fs::relative(backups_).string(), Access::kRead)->OpenCopy("1");
  ASSERT_TRUE(by_relative_path) << by_relative_path.error().message;

  const std::string restored = directory_.path() + "/restored";
  ASSERT_TRUE(archive->RestoreInto("2", restored));
  auto store = OpenRocksStore({.directory = restored});
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ(ScanAll(**store).size(), 100U);
  EXPECT_TRUE(Put(**store, "new", "row"));
  store->reset();
  const auto again = archive->RestoreInto("1", restored);
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().message.find("holds a database already"), std::string::npos);
}

TEST_F(ArchiveTest, CopiesShareFilesAndADeletedOneLeavesWhatOthersNeed) {
  PutRows("a");
  Copy("1");
  const std::set<std::string> after_first = FilesIn(Shared());
  PutRows("b");
  Copy("2");
  const std::set<std::string> after_second = FilesIn(Shared());
  EXPECT_EQ(after_first.size(), 1U);
  EXPECT_EQ(after_second.size(), 2U);  // only the new rows were copied
  ASSERT_TRUE(archive_->Delete("1"));
  EXPECT_EQ(FilesIn(Shared()), after_second);
  EXPECT_TRUE(archive_->Verify("2"));
  ASSERT_TRUE(archive_->Delete("2"));
  EXPECT_TRUE(FilesIn(Shared()).empty());
  EXPECT_TRUE(archive_->Delete("2"));
  EXPECT_TRUE(Ids(*archive_).empty());
}

TEST_F(ArchiveTest, EveryDamagedFileIsNamed) {
  PutRows("a");
  Copy("1");
  archive_.reset();
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(backups_)) {
    const std::string path = entry.path().string();
    const bool is_of_copy = path.find("/shared_checksum/") != std::string::npos ||
                            path.find("/private/") != std::string::npos;
    if (entry.is_regular_file() && is_of_copy && entry.file_size() > 0) files.push_back(path);
  }
  ASSERT_GE(files.size(), 3U);
  for (const fs::path& path : files) {
    const std::string aside = directory_.path() + "/aside";
    for (const std::string damage : {"flip", "cut", "remove"}) {
      SCOPED_TRACE(damage + " " + path.string());
      fs::copy_file(path, aside, fs::copy_options::overwrite_existing);
      if (damage == "flip") {
        std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
        const auto middle = static_cast<std::streamoff>(fs::file_size(path) / 2);
        file.seekg(middle);
        const int byte = file.get();
        file.seekp(middle);
        file.put(static_cast<char>(byte ^ 1));
      } else if (damage == "cut") {
        fs::resize_file(path, fs::file_size(path) - 1);
      } else {
        fs::remove(path);
      }
      const auto archive = OpenArchive(backups_, Access::kRead);
      const auto verified = archive->Verify("1");
      ASSERT_FALSE(verified);
      EXPECT_EQ(verified.error().kind, Kind::kCorrupt);
      EXPECT_NE(verified.error().message.find(path.filename().string()), std::string::npos)
          << verified.error().message;
      EXPECT_FALSE(archive->RestoreInto("1", directory_.path() + "/restored"));
      EXPECT_FALSE(fs::exists(directory_.path() + "/restored"));
      fs::copy_file(aside, path, fs::copy_options::overwrite_existing);
    }
  }
  EXPECT_TRUE(OpenArchive(backups_, Access::kRead)->Verify("1"));
}

TEST_F(ArchiveTest, DamagedDescriptionIsToldAndHidesNoOtherCopy) {
  PutRows("a");
  Copy("1");
  Copy("2");
  const std::string meta = backups_ + "/meta/1";
  std::string text;
  {
    std::ifstream file(meta, std::ios::binary);
    text.assign(std::istreambuf_iterator<char>(file), {});
  }
  const std::size_t label = text.find("metadata ");
  ASSERT_NE(label, std::string::npos);
  text[label + 60] = text[label + 60] == '3' ? '4' : '3';
  std::ofstream(meta, std::ios::binary) << text;
  const auto contents = OpenArchive(backups_, Access::kRead)->List();
  ASSERT_TRUE(contents);
  EXPECT_EQ(contents->copies.size(), 1U);
  EXPECT_EQ(contents->damaged, std::vector<std::string>{meta + " is damaged"});
}

TEST_F(ArchiveTest, StoppedArchiveMakesNoCopies) {
  PutRows("a");
  Copy("1");
  archive_->StopMaking();
  EXPECT_FALSE(store_->CopyInto(*archive_, "2", ""));
  EXPECT_EQ(Ids(*archive_), std::vector<std::string>{"1"});
  archive_.reset();
  archive_ = OpenArchive(backups_);
  Copy("3");
  EXPECT_TRUE(archive_->Verify("3"));
}

TEST_F(ArchiveTest, OneProcessAtATimeWritesAndOthersRead) {
  const auto refused = BackupArchive::Open(backups_, Access::kWrite);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, Kind::kLocked);
  EXPECT_TRUE(BackupArchive::Open(backups_, Access::kRead));
}

TEST_F(ArchiveTest, OtherDirectoriesAreLeftAlone) {
  const auto data = BackupArchive::Open(data_, Access::kWrite);
  ASSERT_FALSE(data);
  EXPECT_EQ(data.error().kind, Kind::kForeign);
  const auto missing = BackupArchive::Open(directory_.path() + "/nowhere", Access::kRead);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, Kind::kForeign);
  EXPECT_FALSE(fs::exists(directory_.path() + "/nowhere"));
}

// --- Crashes -------------------------------------------------------------------------------------

std::string Given(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Not a test by itself: the other process of the test below.
TEST(CrashingBackup, DISABLED_ReportsEveryCopy) {
  const std::string directory = Given("STATOR_TEST_DIRECTORY");
  const auto store = OpenRocksStore({.directory = directory + "/data", .sync = SyncMode::kOff});
  ASSERT_TRUE(store) << store.error().message;
  const auto archive = OpenArchive(directory + "/backups");
  const int pipe = std::stoi(Given("STATOR_TEST_PIPE"));
  const std::string round = Given("STATOR_TEST_ROUND");
  for (int i = 0;; ++i) {
    const std::string id = round + "-" + std::to_string(1000 + i);
    for (int row = 0; row < 20; ++row) {
      ASSERT_TRUE(Put(**store, id + "/" + std::to_string(row), std::string(20'000, 'v')));
    }
    ASSERT_TRUE((*store)->CopyInto(*archive, id, id));
    const std::string deleted = round + "-" + std::to_string(1000 + i - 3);
    if (i >= 3) {
      const std::string line = "-" + deleted + "\n";
      if (write(pipe, line.data(), line.size()) < 0) return;
      ASSERT_TRUE(archive->Delete(deleted));
    }
    const std::string line = id + "\n";
    if (write(pipe, line.data(), line.size()) < 0) return;
  }
}

TEST(BackupCrash, KilledProcessLeavesOnlyWholeCopies) {
  const TestDirectory directory;
  std::mt19937 random(std::random_device{}());
  std::set<std::string> made;
  std::set<std::string> maybe_deleted;
  const auto note = [&](const std::string& line) {
    line.starts_with('-') ? maybe_deleted.insert(line.substr(1)) : made.insert(line);
  };
  for (int round = 0; round < 4; ++round) {
    ChildProcess child("CrashingBackup.DISABLED_ReportsEveryCopy",
                       {"STATOR_TEST_DIRECTORY=" + directory.path(),
                        "STATOR_TEST_ROUND=" + std::to_string(round)});
    const unsigned kill_after = 2 + static_cast<unsigned>(random() % 6);
    for (unsigned i = 0; i < kill_after; ++i) {
      const std::string line = child.ReadLine();
      ASSERT_NE(line, "");
      note(line);
    }
    usleep(static_cast<useconds_t>(random() % 20'000));
    child.Kill();
    for (std::string line = child.ReadLine(); !line.empty(); line = child.ReadLine()) note(line);

    const auto archive = OpenArchive(directory.path() + "/backups");
    const auto contents = archive->List();
    ASSERT_TRUE(contents) << contents.error().message;
    EXPECT_TRUE(contents->damaged.empty());
    std::set<std::string> listed;
    for (const BackupArchive::Copy& copy : contents->copies) {
      listed.insert(copy.id);
      const auto verified = archive->Verify(copy.id);
      EXPECT_TRUE(verified) << verified.error().message;
      const auto opened = archive->OpenCopy(copy.id);
      ASSERT_TRUE(opened) << opened.error().message;
      EXPECT_TRUE(Rows(**opened).contains(copy.id + "/19"));
    }
    for (const std::string& id : made) {
      EXPECT_TRUE(listed.contains(id) || maybe_deleted.contains(id)) << id << " is gone";
    }
  }
}

}  // namespace backup_archive_test
}  // namespace stator
