// What the RocksDB store promises beyond the contract: it lasts. Crashes are in crash_test.cc.
#include "storage/rocksdb/rocks_store.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "storage/testing/test_directory.h"
#include "storage/testing/test_mutation.h"

namespace stator {
namespace rocks_store_test {

namespace fs = std::filesystem;

std::unique_ptr<Store> Open(const std::string& directory, SyncMode sync = SyncMode::kAlways) {
  auto store = OpenRocksStore({.directory = directory, .sync = sync});
  EXPECT_TRUE(store) << store.error().message;
  return *std::move(store);
}

// Puts key000, key001 … in one commit each.
void PutMany(Store& store, int count) {
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(1000 + i).substr(1);
    ASSERT_TRUE(Put(store, "key" + number, std::string(1000, 'v')));
  }
}

fs::path NewestLog(const std::string& directory) {
  fs::path newest;
  for (const auto& file : fs::directory_iterator(directory + "/db")) {
    if (file.path().extension() == ".log" && file.path() > newest) newest = file.path();
  }
  return newest;
}

// What a power cut would leave of an open store.
void CopyOpen(const std::string& from, const std::string& to) {
  fs::copy(from, to, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
}

void Overwrite(const fs::path& path, std::uintmax_t at, const std::string& bytes) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(at));
  file << bytes;
}

TEST(RocksStore, KeepsEverythingOverAReopening) {
  const TestDirectory directory;
  for (const SyncMode sync : {SyncMode::kAlways, SyncMode::kInterval, SyncMode::kOff}) {
    const std::string path = directory.path() + "/" + std::to_string(static_cast<int>(sync));
    PutMany(*Open(path, sync), 100);
    EXPECT_EQ(ScanAll(*Open(path, sync)).size(), 100U);
  }
}

TEST(RocksStore, LogNumbersContinueAfterAReopening) {
  const TestDirectory directory;
  for (std::uint64_t number = 1; number <= 5; ++number) {
    const auto store = Open(directory.path());
    ASSERT_TRUE(Apply(*store, [](WriteBatch& batch) { batch.Append("log", "record"); }));
    EXPECT_EQ(ScanAll(*store).back().first, LogKey("log", number));
  }
}

TEST(RocksStore, CountsOneSyncForEveryCommit) {
  const TestDirectory directory;
  const auto store = Open(directory.path());
  PutMany(*store, 10);
  const Store::Stats stats = store->GetStats();
  EXPECT_EQ(stats.syncs, 10U);
  EXPECT_EQ(stats.commits, 10U);
  EXPECT_GT(stats.disk_bytes, 10'000U);
}

// Rows come from a cache and scans from RocksDB: together they must not go back in time. Deletes make
// the readers bring the row into the cache again while it is being written.
TEST(RocksStore, NoReadIsOlderThanTheOneBefore) {
  const TestDirectory directory;
  const auto store = Open(directory.path(), SyncMode::kOff);
  std::atomic<bool> is_over = false;
  const auto read = [&] {
    int newest = 0;
    for (bool scans = false; !is_over; scans = !scans) {
      std::optional<std::string> value;
      if (scans) {
        for (const auto& pair : ScanAll(*store)) value = pair.second;
      } else {
        value = Get(*store, "key");
      }
      if (!value) continue;
      const int number = std::stoi(*value);
      EXPECT_GE(number, newest);
      newest = number;
    }
  };
  std::vector<std::jthread> readers;
  for (int i = 0; i < 3; ++i) readers.emplace_back(read);
  for (int number = 1; number <= 3000; ++number) {
    ASSERT_TRUE(Put(*store, "key", std::to_string(number)));
    if (number % 4 == 0) {
      ASSERT_TRUE(Apply(*store, [](WriteBatch& batch) { batch.Delete("key"); }));
      EXPECT_EQ(Get(*store, "key"), std::nullopt);
    } else {
      EXPECT_EQ(Get(*store, "key"), std::to_string(number));
    }
  }
  is_over = true;
}

TEST(RocksStore, ConcurrentMutationsShareSyncs) {
  const TestDirectory directory;
  const auto store = Open(directory.path());
  constexpr int kCount = 2000;
  std::latch done(kCount);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kCount / 4; ++i) {
        store->Mutate(MakeIncrement("counter", [&](const auto&) { done.count_down(); }));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  done.wait();
  const Store::Stats stats = store->GetStats();
  EXPECT_EQ(stats.mutations, std::uint64_t{kCount});
  EXPECT_GT(stats.syncs, 0U);
  EXPECT_LT(stats.syncs, std::uint64_t{kCount});
}

// Opens a store of 100 commits whose log was damaged, and checks that it has the first `kept` and can
// be written.
void ExpectPrefix(const std::function<void(const fs::path& log)>& damage, std::size_t kept) {
  const TestDirectory original;
  const TestDirectory directory;
  {
    const auto store = Open(original.path());
    PutMany(*store, 100);
    CopyOpen(original.path(), directory.path());
  }
  damage(NewestLog(directory.path()));
  {
    const auto store = Open(directory.path());
    const Pairs pairs = ScanAll(*store);
    EXPECT_EQ(pairs.size(), kept);
    EXPECT_EQ(pairs.back().first, "key" + std::to_string(1000 + kept - 1).substr(1));
    ASSERT_TRUE(Put(*store, "later", "value"));
  }
  EXPECT_EQ(ScanAll(*Open(directory.path())).size(), kept + 1);
}

TEST(RocksStore, OpensWithAPrefixOfTheCommitsWhenTheLogIsCutOff) {
  const std::vector<std::pair<std::uintmax_t, std::size_t>> cases = {
      {1, 99}, {3, 99}, {600, 99}, {1500, 98}, {40'000, 61}};
  for (const auto& [cut, kept] : cases) {
    ExpectPrefix([&](const fs::path& log) { fs::resize_file(log, fs::file_size(log) - cut); },
                 kept);
  }
}

TEST(RocksStore, OpensWithAPrefixOfTheCommitsWhenTheEndOfTheLogWasNotWritten) {
  const std::vector<std::pair<std::uintmax_t, std::size_t>> cases = {
      {1, 99}, {500, 99}, {3000, 97}, {40'000, 61}};
  for (const auto& [zeros, kept] : cases) {
    ExpectPrefix(
        [&](const fs::path& log) {
          Overwrite(log, fs::file_size(log) - zeros, std::string(zeros, '\0'));
        },
        kept);
  }
}

TEST(RocksStore, ReportsDamageInTheMidstOfTheLog) {
  const TestDirectory directory;
  PutMany(*Open(directory.path()), 100);
  const fs::path log = NewestLog(directory.path());
  Overwrite(log, fs::file_size(log) / 2, "?!");
  const auto store = OpenRocksStore({.directory = directory.path()});
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().kind, StorageError::Kind::kCorrupt);
}

TEST(RocksStore, WithoutSyncTheCommitsBeforeTheFirstDamageCount) {
  const TestDirectory original;
  const TestDirectory directory;
  {
    const auto store = Open(original.path(), SyncMode::kOff);
    PutMany(*store, 100);
    CopyOpen(original.path(), directory.path());
  }
  const fs::path log = NewestLog(directory.path());
  Overwrite(log, fs::file_size(log) / 2, "?!");
  std::size_t kept = 0;
  {
    const auto store = Open(directory.path(), SyncMode::kOff);
    kept = ScanAll(*store).size();
    EXPECT_GT(kept, 40U);
    EXPECT_LT(kept, 60U);
    ASSERT_TRUE(Put(*store, "later", "value"));
  }
  EXPECT_EQ(ScanAll(*Open(directory.path(), SyncMode::kOff)).size(), kept + 1);
}

// Makes a store with at least one table file, because the rows do not fit into the memtables.
fs::path MakeTableFile(const std::string& directory) {
  {
    const auto store = Open(directory, SyncMode::kOff);
    const std::string large(1 << 20, 'x');
    for (int i = 0; i < 70; ++i) EXPECT_TRUE(Put(*store, "key" + std::to_string(i), large));
  }
  for (const auto& file : fs::directory_iterator(directory + "/db")) {
    if (file.path().extension() == ".sst") return file.path();
  }
  ADD_FAILURE() << "no table file";
  return {};
}

TEST(RocksStore, ReportsATableFileThatIsMissingOrCutOff) {
  const TestDirectory directory;
  const fs::path table = MakeTableFile(directory.path());
  fs::resize_file(table, fs::file_size(table) / 2);
  for (int attempt = 0; attempt < 2; ++attempt) {
    const auto store = OpenRocksStore({.directory = directory.path()});
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().kind, StorageError::Kind::kCorrupt) << store.error().message;
    fs::remove(table);
  }
}

TEST(RocksStore, ReportsDamageInATableFileWhenItIsRead) {
  const TestDirectory directory;
  const fs::path table = MakeTableFile(directory.path());
  Overwrite(table, fs::file_size(table) / 2, std::string(500, '?'));
  const auto store = OpenRocksStore({.directory = directory.path()});
  ASSERT_TRUE(store) << store.error().message;
  const auto scanned = (*store)->Scan({}, Direction::kForward,
                                      [](std::string_view, std::string_view) { return true; });
  ASSERT_FALSE(scanned);
  EXPECT_EQ(scanned.error().kind, StorageError::Kind::kCorrupt) << scanned.error().message;
}

TEST(PeriodicCall, CallsAgainAndAgainUntilItIsDestroyed) {
  std::latch thrice(3);
  int calls = 0;
  {
    const PeriodicCall syncer(std::chrono::milliseconds(1), [&] {
      if (++calls <= 3) thrice.count_down();
    });
    thrice.wait();
  }
  EXPECT_GE(calls, 3);
}

TEST(PeriodicCall, DestructionDoesNotWaitForTheNextCall) {
  int calls = 0;
  {
    const PeriodicCall syncer(std::chrono::hours(1), [&] { ++calls; });
  }
  EXPECT_EQ(calls, 0);
}

}  // namespace rocks_store_test
}  // namespace stator
