// What a full disk does to the store: writes are refused, nothing is lost, and it mends itself.
#include <gtest/gtest.h>
#include <rocksdb/db.h>
#include <rocksdb/file_system.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "storage/rocksdb/rocks_store.h"
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

TEST(FullDisk, OpeningIsRefusedAndSaysWhatToDo) {
  const TestDirectory directory;
  const auto refused =
      OpenRocksStore({.directory = directory.path(), .free_bytes = [] { return 100U << 10; }});
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
    std::atomic<std::uint64_t> free_bytes = 1000 * kMegabyte;
    const std::string path = directory.path() + "/" + std::to_string(static_cast<int>(sync));
    auto store = OpenRocksStore(
        {.directory = path, .sync = sync, .free_bytes = [&] { return free_bytes.load(); }});
    ASSERT_TRUE(store) << store.error().message;
    ASSERT_TRUE(MutateAndWait(**store, MakeIncrement("n")));
    free_bytes = 31 * kMegabyte;
    std::this_thread::sleep_for(std::chrono::milliseconds(60));  // how long an answer is trusted
    const auto refused = MutateAndWait(**store, MakeIncrement("n"));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, Kind::kNoSpace);
    EXPECT_EQ((*store)->WriteFailure()->kind, Kind::kNoSpace);
    EXPECT_EQ(Get(**store, "n"), "1");
    free_bytes = 100 * kMegabyte;
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
};

class FaultyFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  FaultyFile(std::unique_ptr<rocksdb::FSWritableFile> file, const std::atomic<bool>& fails,
             const Faults& faults)
      : FSWritableFileOwnerWrapper(std::move(file)), fails_(fails), faults_(faults) {}

  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           rocksdb::IODebugContext* context) override {
    if (!fails_) return FSWritableFileOwnerWrapper::Append(data, options, context);
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
  // RocksDB asks before it tries to recover.
  rocksdb::IOStatus GetFreeSpace(const std::string& path, const rocksdb::IOOptions& options,
                                 std::uint64_t* bytes, rocksdb::IODebugContext* context) override {
    while (faults_.HasAny()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return FileSystemWrapper::GetFreeSpace(path, options, bytes, context);
  }

 private:
  const Faults& faults_;
};

class FaultyDisk : public testing::Test {
 protected:
  FaultyDisk() { EXPECT_TRUE(OpenRocksStore({.directory = directory_.path()})); }

  void Open(SyncMode sync) {
    auto directory = DataDirectory::Open(directory_.path());
    ASSERT_TRUE(directory) << directory.error().message;
    RocksCaches caches = MakeRocksCaches(8 * kMegabyte);
    rocksdb::Options settings = RocksSettings(caches);
    env_ = rocksdb::NewCompositeEnv(std::make_shared<FaultyFileSystem>(faults_));
    settings.env = env_.get();
    rocksdb::DB* db = nullptr;
    ASSERT_TRUE(rocksdb::DB::Open(settings, directory->DatabasePath(), &db).ok());
    db_ = db;
    store_ = std::make_unique<RocksStore>(*std::move(directory), std::move(caches), nullptr,
                                          std::unique_ptr<rocksdb::DB>(db),
                                          RocksOptions{.directory = directory_.path(), .sync = sync});
  }
  void Reopen() {
    store_.reset();
    auto store = OpenRocksStore({.directory = directory_.path()});
    ASSERT_TRUE(store) << store.error().message;
    store_ = *std::move(store);
  }

  const TestDirectory directory_;
  Faults faults_;
  std::unique_ptr<rocksdb::Env> env_;
  rocksdb::DB* db_ = nullptr;
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
  ASSERT_TRUE(db_->Flush({}).ok());  // nothing is in memory that would make RocksDB begin a new log
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
  EXPECT_FALSE(db_->Flush({}).ok());
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
