// What checkpoints on disk promise beyond the contract: they last, and a crash leaves no unfinished
// one.
#include "storage/rocksdb/checkpoint_directory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>

#include "storage/testing/test_directory.h"
#include "storage/testing/test_mutation.h"

namespace stator {
namespace checkpoint_directory_test {

namespace fs = std::filesystem;

std::unique_ptr<Store> Open(const std::string& directory) {
  auto store = OpenRocksStore({.directory = directory});
  EXPECT_TRUE(store) << store.error().message;
  return *std::move(store);
}

std::set<std::string> FilesOf(const fs::path& path) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(path)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

TEST(CheckpointDirectory, IsThereWhenTheStoreIsOpenedAgain) {
  const TestDirectory directory;
  {
    const auto store = Open(directory.path());
    ASSERT_TRUE(Put(*store, "key", "old"));
    ASSERT_TRUE(store->MakeCheckpoint("one"));
    ASSERT_TRUE(Put(*store, "key", "new"));
  }
  const auto store = Open(directory.path());
  EXPECT_EQ(store->ListCheckpoints(), std::vector<std::string>{"one"});
  std::string value;
  EXPECT_EQ((*store->OpenCheckpoint("one"))->Get("key", value), true);
  EXPECT_EQ(value, "old");
  EXPECT_EQ(Get(*store, "key"), "new");
}

TEST(CheckpointDirectory, ReadingLeavesTheFilesAsTheyAre) {
  const TestDirectory directory;
  const auto store = Open(directory.path());
  ASSERT_TRUE(Put(*store, "key", "value"));
  ASSERT_TRUE(store->MakeCheckpoint("one"));
  const fs::path path = directory.path() + "/backups/one";
  const std::set<std::string> before = FilesOf(path);
  std::string value;
  EXPECT_EQ((*store->OpenCheckpoint("one"))->Get("key", value), true);
  EXPECT_EQ(FilesOf(path), before);
}

TEST(CheckpointDirectory, WhatACrashLeftHalfMadeIsRemovedAtTheNextStart) {
  const TestDirectory directory;
  {
    const auto store = Open(directory.path());
    ASSERT_TRUE(store->MakeCheckpoint("whole"));
  }
  const std::string backups = directory.path() + "/backups/";
  for (const char* name : {"half.new", "quarter.new.tmp"}) {
    fs::create_directory(backups + name);
    std::ofstream(backups + name + "/CURRENT") << "MANIFEST";
  }
  const auto store = Open(directory.path());
  EXPECT_EQ(FilesOf(backups), std::set<std::string>{"whole"});
}

TEST(CheckpointDirectory, ThereIsNoneBeforeTheFirstCheckpoint) {
  const TestDirectory directory;
  const auto store = Open(directory.path());
  EXPECT_EQ(store->ListCheckpoints(), std::vector<std::string>());
  EXPECT_FALSE(fs::exists(directory.path() + "/backups"));
}

TEST(CheckpointDirectory, DamageIsReported) {
  const TestDirectory directory;
  const auto store = Open(directory.path());
  ASSERT_TRUE(Put(*store, "key", "value"));
  ASSERT_TRUE(store->MakeCheckpoint("one"));
  fs::remove(directory.path() + "/backups/one/CURRENT");
  const auto opened = store->OpenCheckpoint("one");
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, StorageError::Kind::kCorrupt);
}

}  // namespace checkpoint_directory_test
}  // namespace stator
