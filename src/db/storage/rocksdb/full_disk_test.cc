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
  }
  bool HasAny() const { return log_appends || table_appends; }

  mutable std::atomic<std::thread::id> failed_on = {};
};

class FaultyFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  FaultyFile(std::unique_ptr<rocksdb::FSWritableFile> file, const std::atomic<bool>& fails,
             const Faults& faults)
      : FSWritableFileOwnerWrapper(std::move(file)), fails_(fails), faults_(faults) {}

  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           rocksdb::IODebugContext* context) override {
    if (!fails_) return FSWritableFileOwnerWrapper::Append(data, options, context);
    faults_.failed_on = std::this_thread::get_id();
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
  // RocksDB asks when a write has failed, and in another thread before it tries to recover.
  rocksdb::IOStatus GetFreeSpace(const std::string& path, const rocksdb::IOOptions& options,
                                 std::uint64_t* bytes, rocksdb::IODebugContext* context) override {
    const bool recovers = faults_.failed_on.load() != std::this_thread::get_id();
    while (recovers && faults_.HasAny()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return FileSystemWrapper::GetFreeSpace(path, options, bytes, context);
  }

 private:
  const Faults& faults_;
};

class FaultyDisk : public testing::Test {
 protected:
  void Open(SyncMode sync) {
    auto store = OpenRocksStore({.directory = directory_.path(), .sync = sync, .env = env_.get()});
    ASSERT_TRUE(store) << store.error().message;
    store_ = *std::move(store);
  }
  void Reopen() {
    store_.reset();
    auto store = OpenRocksStore({.directory = directory_.path()});
    ASSERT_TRUE(store) << store.error().message;
    store_ = *std::move(store);
  }

  const TestDirectory directory_;
  Faults faults_;
  const std::unique_ptr<rocksdb::Env> env_ =
      rocksdb::NewCompositeEnv(std::make_shared<FaultyFileSystem>(faults_));
  std::unique_ptr<Store> store_;
};

TEST_F(FaultyDisk, FullLogMendsItselfAndLosesNothing) {
  for (const SyncMode sync : {SyncMode::kAlways, SyncMode::kOff}) {
    Open(sync);
    const std::string first = Get(*store_, "n").value_or("0");
    ASSERT_TRUE(MutateAndWait(*store_, MakeIncrement("n")));
    faults_.log_appends = true;
    const auto refused = MutateAndWait(*store_, MakeIncrement("n"));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, Kind::kNoSpace);
    EXPECT_FALSE(MutateAndWait(*store_, MakeIncrement("n")));
    faults_.End();
    ASSERT_TRUE(MendsItself(*store_));
    ASSERT_TRUE(MutateAndWait(*store_, MakeIncrement("n")));
    EXPECT_EQ(Get(*store_, "n"), std::to_string(std::stoi(first) + 2));
    Reopen();
    EXPECT_EQ(Get(*store_, "n"), std::to_string(std::stoi(first) + 2));
    store_.reset();
  }
}

TEST_F(FaultyDisk, FullLogThatCannotBeReplacedWaitsForARestart) {
  Open(SyncMode::kAlways);
  ASSERT_TRUE(MutateAndWait(*store_, MakeIncrement("n")));
  // Flushes: nothing is in memory that would make RocksDB begin a new log.
  ASSERT_TRUE(store_->MakeCheckpoint("flushed"));
  faults_.log_appends = true;
  EXPECT_FALSE(MutateAndWait(*store_, MakeIncrement("n")));
  faults_.End();
  while (store_->WriteFailure()->kind == Kind::kNoSpace) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(store_->WriteFailure()->kind, Kind::kReadOnly);
  EXPECT_FALSE(MutateAndWait(*store_, MakeIncrement("n")));
  EXPECT_EQ(Get(*store_, "n"), "1");
  Reopen();
  EXPECT_TRUE(MutateAndWait(*store_, MakeIncrement("n")));
  EXPECT_EQ(Get(*store_, "n"), "2");
}

TEST_F(FaultyDisk, FlushThatFindsTheDiskFullMendsItself) {
  Open(SyncMode::kAlways);
  ASSERT_TRUE(MutateAndWait(*store_, MakeIncrement("n")));
  faults_.table_appends = true;
  EXPECT_FALSE(store_->MakeCheckpoint("flushed"));
  const auto refused = MutateAndWait(*store_, MakeIncrement("n"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, Kind::kNoSpace);
  faults_.End();
  ASSERT_TRUE(MendsItself(*store_));
  EXPECT_TRUE(MutateAndWait(*store_, MakeIncrement("n")));
  Reopen();
  EXPECT_EQ(Get(*store_, "n"), "2");
}

TEST_F(FaultyDisk, OtherFailuresWaitForARestart) {
  Open(SyncMode::kAlways);
  ASSERT_TRUE(MutateAndWait(*store_, MakeIncrement("n")));
  faults_.is_full = false;
  faults_.log_appends = true;
  EXPECT_FALSE(MutateAndWait(*store_, MakeIncrement("n")));
  faults_.End();
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  EXPECT_EQ(store_->WriteFailure()->kind, Kind::kReadOnly);
  EXPECT_FALSE(MutateAndWait(*store_, MakeIncrement("n")));
  Reopen();
  EXPECT_TRUE(MutateAndWait(*store_, MakeIncrement("n")));
  EXPECT_EQ(Get(*store_, "n"), "2");
}

}  // namespace full_disk_test
}  // namespace stator
