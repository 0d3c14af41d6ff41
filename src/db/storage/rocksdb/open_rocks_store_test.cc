// Which directories can be opened, and what is reported about the others.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>

#include "storage/store.h"
#include "storage/testing/test_directory.h"
#include "storage/testing/test_mutation.h"

namespace stator {
namespace open_rocks_store_test {

namespace fs = std::filesystem;
using Kind = StorageError::Kind;

void WriteFile(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string ReadFile(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// The error that opening the directory gives.
StorageError ErrorOf(const std::string& directory) {
  const auto store = OpenRocksStore({.directory = directory});
  if (store) {
    ADD_FAILURE() << directory << " was opened";
    return {};
  }
  return store.error();
}

void ExpectMentions(const StorageError& error, const std::string& text) {
  EXPECT_NE(error.message.find(text), std::string::npos) << error.message;
}

void MakeStore(const std::string& directory) {
  const auto store = OpenRocksStore({.directory = directory});
  ASSERT_TRUE(store) << store.error().message;
  ASSERT_TRUE(Put(**store, "key", "value"));
}

fs::path FileNamed(const std::string& directory, const std::string& prefix) {
  for (const auto& file : fs::directory_iterator(directory + "/db")) {
    if (file.path().filename().string().starts_with(prefix)) return file.path();
  }
  ADD_FAILURE() << "no " << prefix;
  return {};
}

TEST(OpenRocksStore, MakesAMissingDirectoryWithItsParents) {
  const TestDirectory directory;
  const std::string path = directory.path() + "/a/b/c";
  MakeStore(path);
  EXPECT_EQ(ReadFile(path + "/STATOR"), "stator data directory, format 2\n");
  EXPECT_FALSE(fs::exists(path + "/STATOR.new"));
}

TEST(OpenRocksStore, UsesAnEmptyDirectory) {
  const TestDirectory directory;
  MakeStore(directory.path());
  EXPECT_TRUE(fs::exists(directory.path() + "/STATOR"));
}

TEST(OpenRocksStore, RefusesADirectoryWithOtherThings) {
  const TestDirectory directory;
  WriteFile(directory.path() + "/thesis.tex", "precious");
  const StorageError error = ErrorOf(directory.path());
  EXPECT_EQ(error.kind, Kind::kForeign);
  ExpectMentions(error, "thesis.tex");
  ExpectMentions(error, "empty directory");
  // Nothing was written there.
  EXPECT_EQ(std::distance(fs::directory_iterator(directory.path()), fs::directory_iterator()), 1);
}

TEST(OpenRocksStore, RefusesAForeignDatabase) {
  const TestDirectory directory;
  fs::create_directory(directory.path() + "/db");
  EXPECT_EQ(ErrorOf(directory.path()).kind, Kind::kForeign);
}

TEST(OpenRocksStore, FinishesACreationThatWasInterrupted) {
  const TestDirectory directory;
  MakeStore(directory.path());
  fs::rename(directory.path() + "/STATOR", directory.path() + "/STATOR.new");
  MakeStore(directory.path());
  EXPECT_TRUE(fs::exists(directory.path() + "/STATOR"));
}

TEST(OpenRocksStore, RefusesAFormatItDoesNotKnow) {
  const TestDirectory directory;
  MakeStore(directory.path());
  WriteFile(directory.path() + "/STATOR", "stator data directory, format 7\n");
  const StorageError error = ErrorOf(directory.path());
  EXPECT_EQ(error.kind, Kind::kForeign);
  ExpectMentions(error, "format 7");
  ExpectMentions(error, "only formats up to 2");
}

TEST(OpenRocksStore, GivesADirectoryWithoutALedgerOne) {
  const TestDirectory directory;
  MakeStore(directory.path());
  WriteFile(directory.path() + "/STATOR", "stator data directory, format 1\n");
  fs::remove(directory.path() + "/STATOR.ledger");
  MakeStore(directory.path());
  EXPECT_EQ(ReadFile(directory.path() + "/STATOR"), "stator data directory, format 2\n");
  EXPECT_TRUE(ReadFile(directory.path() + "/STATOR.ledger").find("state clean") !=
              std::string::npos);
}

TEST(OpenRocksStore, EverythingIsItsOwnersAlone) {
  const TestDirectory parent;
  const std::string directory = parent.path() + "/data";
  {
    const auto store = OpenRocksStore({.directory = directory});
    ASSERT_TRUE(store) << store.error().message;
    ASSERT_TRUE(Put(**store, "key", "value"));
    ASSERT_TRUE((*store)->MakeCheckpoint("one"));
  }
  EXPECT_EQ(fs::status(directory).permissions(), fs::perms::owner_all);
  for (const auto& file : fs::recursive_directory_iterator(directory)) {
    const fs::perms expected =
        file.is_directory() ? fs::perms::owner_all : fs::perms::owner_read | fs::perms::owner_write;
    EXPECT_EQ(file.status().permissions(), expected) << file.path();
  }
}

TEST(OpenRocksStore, RefusesAMarkerThatSaysSomethingElse) {
  const TestDirectory directory;
  for (const std::string text : {"", "\n", "hello", "stator data directory", "\0\0\0"}) {
    WriteFile(directory.path() + "/STATOR", text);
    EXPECT_EQ(ErrorOf(directory.path()).kind, Kind::kForeign);
  }
}

TEST(OpenRocksStore, RefusesASecondStoreOnTheSameDirectory) {
  const TestDirectory directory;
  const auto store = OpenRocksStore({.directory = directory.path()});
  ASSERT_TRUE(store);
  const StorageError error = ErrorOf(directory.path());
  EXPECT_EQ(error.kind, Kind::kLocked);
  ExpectMentions(error, directory.path());
}

TEST(OpenRocksStore, RefusesAFile) {
  const TestDirectory directory;
  const std::string path = directory.path() + "/file";
  WriteFile(path, "text");
  for (const std::string& bad : {path, path + "/below"}) {
    const StorageError error = ErrorOf(bad);
    EXPECT_EQ(error.kind, Kind::kIo);
    ExpectMentions(error, bad);
  }
}

TEST(OpenRocksStore, RefusesAPlaceWhereNothingCanBeMade) {
  const StorageError error = ErrorOf("/proc/stator");
  EXPECT_EQ(error.kind, Kind::kIo);
  ExpectMentions(error, "/proc/stator");
}

TEST(OpenRocksStore, RefusesAnEmptyPath) { EXPECT_EQ(ErrorOf("").kind, Kind::kIo); }

using Damage = std::function<void(const std::string& directory)>;

const std::map<std::string, Damage> kDamages = {
    {"empty CURRENT", [](const auto& dir) { WriteFile(FileNamed(dir, "CURRENT"), ""); }},
    {"garbage in CURRENT",
     [](const auto& dir) { WriteFile(FileNamed(dir, "CURRENT"), "MANIFEST-\xff\n"); }},
    {"CURRENT of a missing manifest",
     [](const auto& dir) { WriteFile(FileNamed(dir, "CURRENT"), "MANIFEST-999999\n"); }},
    {"missing CURRENT", [](const auto& dir) { fs::remove(FileNamed(dir, "CURRENT")); }},
    {"missing manifest", [](const auto& dir) { fs::remove(FileNamed(dir, "MANIFEST")); }},
    {"empty manifest", [](const auto& dir) { WriteFile(FileNamed(dir, "MANIFEST"), ""); }},
    {"garbage in the manifest",
     [](const auto& dir) { WriteFile(FileNamed(dir, "MANIFEST"), std::string(5000, '\x5a')); }},
    {"truncated manifest",
     [](const auto& dir) { fs::resize_file(FileNamed(dir, "MANIFEST"), 20); }},
    {"missing database", [](const auto& dir) { fs::remove_all(dir + "/db"); }},
    {"empty database",
     [](const auto& dir) {
       fs::remove_all(dir + "/db");
       fs::create_directory(dir + "/db");
     }},
};

std::map<std::string, std::string> Contents(const std::string& directory) {
  std::map<std::string, std::string> contents;
  for (const auto& file : fs::recursive_directory_iterator(directory)) {
    // RocksDB's own log file may grow.
    const std::string name = file.path().filename();
    if (file.is_regular_file() && !name.starts_with("LOG"))
      contents[file.path()] = ReadFile(file.path());
  }
  return contents;
}

TEST(OpenRocksStore, ReportsDamageAndLeavesTheFilesAsTheyAre) {
  for (const auto& [name, damage] : kDamages) {
    SCOPED_TRACE(name);
    const TestDirectory directory;
    MakeStore(directory.path());
    damage(directory.path());
    const auto before = Contents(directory.path());
    const StorageError error = ErrorOf(directory.path());
    EXPECT_EQ(error.kind, Kind::kCorrupt) << error.message;
    ExpectMentions(error, "restore a backup");
    auto after = Contents(directory.path());
    for (const auto& [path, text] : before) EXPECT_EQ(after[path], text) << path;
  }
}

}  // namespace open_rocks_store_test
}  // namespace stator
