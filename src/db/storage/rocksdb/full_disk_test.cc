// What a full disk does to the store: writes are refused, nothing is lost, and it mends itself.
#include <gtest/gtest.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "storage/store.h"
#include "storage/testing/test_directory.h"
#include "storage/testing/test_mutation.h"

namespace stator {
namespace full_disk_test {

using Kind = StorageError::Kind;

constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20;

bool MendsItself(const Store& store) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (store.WriteFailure() && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return !store.WriteFailure();
}

// A disk that says how much of it is free.
class SmallDisk final : public rocksdb::EnvWrapper {
 public:
  SmallDisk() : EnvWrapper(rocksdb::Env::Default()) {}
  rocksdb::Status GetFreeSpace(const std::string&, std::uint64_t* bytes) override {
    *bytes = free_bytes;
    return rocksdb::Status::OK();
  }
  std::atomic<std::uint64_t> free_bytes = 1000 * kMegabyte;
};

TEST(FullDisk, OpeningIsRefusedAndSaysWhatToDo) {
  const TestDirectory directory;
  SmallDisk disk;
  disk.free_bytes = 100 << 10;
  const auto refused = OpenRocksStore({.directory = directory.path(), .env = &disk});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, Kind::kNoSpace);
  EXPECT_EQ(refused.error().message, "the disk of " + directory.path() +
                                         " is full: 100 KB are free, and writing needs 32 MB; free "
                                         "some space there");
  EXPECT_TRUE(OpenRocksStore({.directory = directory.path()}));
}

TEST(FullDisk, WritesAreRefusedUntilThereIsSpaceAgain) {
  const TestDirectory directory;
  for (const SyncMode sync : {SyncMode::kAlways, SyncMode::kInterval, SyncMode::kOff}) {
    SmallDisk disk;
    const std::string path = directory.path() + "/" + std::to_string(static_cast<int>(sync));
    auto store = OpenRocksStore({.directory = path, .sync = sync, .env = &disk});
    ASSERT_TRUE(store) << store.error().message;
    ASSERT_TRUE(MutateAndWait(**store, MakeIncrement("n")));
    disk.free_bytes = 31 * kMegabyte;
    std::this_thread::sleep_for(std::chrono::milliseconds(60));  // how long an answer is trusted
    const auto refused = MutateAndWait(**store, MakeIncrement("n"));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, Kind::kNoSpace);
    EXPECT_EQ((*store)->WriteFailure()->kind, Kind::kNoSpace);
    EXPECT_EQ(Get(**store, "n"), "1");
    disk.free_bytes = 100 * kMegabyte;
    ASSERT_TRUE(MendsItself(**store));
    EXPECT_TRUE(MutateAndWait(**store, MakeIncrement("n")));
    EXPECT_EQ(Get(**store, "n"), "2");
  }
}

// --- A disk that is full while RocksDB writes ----------------------------------------------------

struct Faults {
  std::atomic<bool> log_appends = false;
  std::atomic<bool> table_appends = false;
  std::atomic<bool> is_full = true;  // otherwise the disk fails in another way

  void End() {
    log_appends = false;
    table_appends = false;
    free_bytes = 1000 * kMegabyte;
  }
  bool HasAny() const { return log_appends || table_appends; }

  mutable std::atomic<std::uint64_t> free_bytes = 1000 * kMegabyte;  // while there is a fault
};

class FaultyFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  FaultyFile(std::unique_ptr<rocksdb::FSWritableFile> file, const std::atomic<bool>& fails,
             const Faults& faults)
      : FSWritableFileOwnerWrapper(std::move(file)), fails_(fails), faults_(faults) {}

  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           rocksdb::IODebugContext* context) override {
    if (!fails_) return FSWritableFileOwnerWrapper::Append(data, options, context);
    faults_.free_bytes = 0;
    // As much as fits, as a real disk does.
    const rocksdb::Slice half(data.data(), data.size() / 2);
    FSWritableFileOwnerWrapper::Append(half, options, context).PermitUncheckedError();
    return faults_.is_full ? rocksdb::IOStatus::NoSpace("/secret/path")
                           : rocksdb::IOStatus::IOError("/secret/path");
  }
  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           const rocksdb::DataVerificationInfo&,
                           rocksdb::IODebugContext* context) override {
    return Append(data, options, context);
  }

 private:
  const std::atomic<bool>& fails_;
  const Faults& faults_;
};

class FaultyFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  explicit FaultyFileSystem(const Faults& faults)
      : FileSystemWrapper(rocksdb::FileSystem::Default()), faults_(faults) {}
  const char* Name() const override { return "FaultyFileSystem"; }
  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* result,
                                    rocksdb::IODebugContext* context) override {
    rocksdb::IOStatus status = FileSystemWrapper::NewWritableFile(path, options, result, context);
    if (status.ok() && path.ends_with(".log")) {
      *result = std::make_unique<FaultyFile>(std::move(*result), faults_.log_appends, faults_);
    } else if (status.ok() && path.ends_with(".sst")) {
      *result = std::make_unique<FaultyFile>(std::move(*result), faults_.table_appends, faults_);
    }
    return status;
  }
  // RocksDB tries to recover every five seconds, once it finds enough space. That it does not do so at
  // once is what a full disk is like.
  rocksdb::IOStatus GetFreeSpace(const std::string& path, const rocksdb::IOOptions& options,
                                 std::uint64_t* bytes, rocksdb::IODebugContext* context) override {
    if (!faults_.HasAny()) return FileSystemWrapper::GetFreeSpace(path, options, bytes, context);
    *bytes = faults_.free_bytes;
    return rocksdb::IOStatus::OK();
  }

 private:
  const Faults& faults_;
};

// A store on a disk with faults.
struct FaultyStore {
  void Open(SyncMode sync) {
    auto opened = OpenRocksStore({.directory = directory.path(), .sync = sync, .env = env.get()});
    ASSERT_TRUE(opened) << opened.error().message;
    store = *std::move(opened);
    ASSERT_TRUE(MutateAndWait(*store, MakeIncrement("n")));
  }
  void Reopen() {
    store.reset();
    auto opened = OpenRocksStore({.directory = directory.path()});
    ASSERT_TRUE(opened) << opened.error().message;
    store = *std::move(opened);
  }
  void ExpectRefusals() {
    for (int i = 0; i < 2; ++i) {
      const auto refused = MutateAndWait(*store, MakeIncrement("n"));
      ASSERT_FALSE(refused);
      EXPECT_EQ(refused.error().kind, Kind::kNoSpace);
    }
    EXPECT_EQ(Get(*store, "n"), "1");
  }
  // What was acknowledged is there, and nothing else.
  void ExpectToGoOn() {
    EXPECT_TRUE(MutateAndWait(*store, MakeIncrement("n")));
    EXPECT_EQ(Get(*store, "n"), "2");
    Reopen();
    EXPECT_EQ(Get(*store, "n"), "2");
  }

  const TestDirectory directory;
  Faults faults;
  const std::unique_ptr<rocksdb::Env> env =
      rocksdb::NewCompositeEnv(std::make_shared<FaultyFileSystem>(faults));
  std::unique_ptr<Store> store;
};

// All at once, because RocksDB takes its time to recover.
TEST(FaultyDisk, StoreMendsItselfUnlessItsLogCannotBeContinued) {
  FaultyStore full_log;
  FaultyStore full_log_unsynced;
  FaultyStore full_table;
  FaultyStore full_empty_log;
  full_log.Open(SyncMode::kAlways);
  full_log_unsynced.Open(SyncMode::kOff);
  full_table.Open(SyncMode::kAlways);
  full_empty_log.Open(SyncMode::kAlways);

  full_log.faults.log_appends = true;
  full_log.ExpectRefusals();
  full_log_unsynced.faults.log_appends = true;
  full_log_unsynced.ExpectRefusals();
  full_table.faults.table_appends = true;
  EXPECT_FALSE(full_table.store->MakeCheckpoint("flushes"));
  full_table.ExpectRefusals();
  // Nothing is left in memory that would make RocksDB begin a new log.
  EXPECT_TRUE(full_empty_log.store->MakeCheckpoint("flushes"));
  full_empty_log.faults.log_appends = true;
  full_empty_log.ExpectRefusals();

  for (FaultyStore* store : {&full_log, &full_log_unsynced, &full_table, &full_empty_log}) {
    store->faults.End();
  }
  for (FaultyStore* store : {&full_log, &full_log_unsynced, &full_table}) {
    ASSERT_TRUE(MendsItself(*store->store));
    store->ExpectToGoOn();
  }
  while (full_empty_log.store->WriteFailure()->kind == Kind::kNoSpace) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(full_empty_log.store->WriteFailure()->kind, Kind::kReadOnly);
  EXPECT_FALSE(MutateAndWait(*full_empty_log.store, MakeIncrement("n")));
  full_empty_log.Reopen();
  full_empty_log.ExpectToGoOn();
}

TEST(FaultyDisk, OtherFailuresWaitForARestart) {
  FaultyStore broken;
  broken.Open(SyncMode::kAlways);
  broken.faults.is_full = false;
  broken.faults.log_appends = true;
  EXPECT_FALSE(MutateAndWait(*broken.store, MakeIncrement("n")));
  broken.faults.End();
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  EXPECT_EQ(broken.store->WriteFailure()->kind, Kind::kReadOnly);
  EXPECT_FALSE(MutateAndWait(*broken.store, MakeIncrement("n")));
  broken.Reopen();
  broken.ExpectToGoOn();
}

}  // namespace full_disk_test
}  // namespace stator
