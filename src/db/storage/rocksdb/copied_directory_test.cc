#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "storage/copy_source.h"
#include "storage/testing/test_directory.h"
#include "storage/testing/test_mutation.h"

namespace stator {
namespace copied_directory_test {

std::unique_ptr<Store> MustOpen(const std::string& directory) {
  auto store = OpenRocksStore({.directory = directory, .sync = SyncMode::kOff});
  EXPECT_TRUE(store) << store.error().message;
  return *std::move(store);
}

std::unique_ptr<CopySource> MustWatch(const std::string& directory) {
  auto source = OpenDirectoryToCopy(directory, CopyAccess::kWatch);
  EXPECT_TRUE(source) << source.error().message;
  EXPECT_TRUE((*source)->Renew());
  return *std::move(source);
}

std::string ValueIn(const CopySource& source, std::string_view key) {
  std::string value;
  const StorageResult<bool> found = source.rows().Get(key, value);
  EXPECT_TRUE(found);
  return *found ? value : "absent";
}

// What changed after a commit, as "key=value"; "gone" if that cannot be told.
std::vector<std::string> ChangesAfter(CopySource& source, std::uint64_t after) {
  std::vector<std::string> changes;
  const auto reached = source.Changes(
      after, CopySource::kNewest, [&](std::uint64_t, const std::vector<Write>& writes) {
        for (const Write& write : writes) {
          changes.push_back(std::string(write.key) + "=" + std::string(write.value));
        }
        return true;
      });
  EXPECT_TRUE(reached) << reached.error().message;
  if (!reached->has_value()) changes.emplace_back("gone");
  return changes;
}

TEST(CopiedDirectory, AViewIsTheNewestStateOfAStoreInUseAndStaysAsItIs) {
  const TestDirectory directory;
  const auto store = MustOpen(directory.path());
  ASSERT_TRUE(Put(*store, "a", "1"));
  const auto source = MustWatch(directory.path());
  EXPECT_EQ(ValueIn(*source, "a"), "1");
  ASSERT_TRUE(Put(*store, "a", "2"));
  EXPECT_EQ(ValueIn(*source, "a"), "1");
  ASSERT_TRUE(source->Renew());
  EXPECT_EQ(ValueIn(*source, "a"), "2");
}

TEST(CopiedDirectory, TellsWhatChangedAfterAView) {
  const TestDirectory directory;
  const auto store = MustOpen(directory.path());
  ASSERT_TRUE(Put(*store, "a", "1"));
  const auto source = MustWatch(directory.path());
  const std::uint64_t seen = source->number();
  EXPECT_TRUE(ChangesAfter(*source, seen).empty());
  const std::string large(200'000, 'x');  // several blocks of the log
  ASSERT_TRUE(Put(*store, "b", large));
  ASSERT_TRUE(Apply(*store, [](WriteBatch& batch) {
    batch.Put("c", "3");
    batch.Delete("a");
  }));
  EXPECT_EQ(ChangesAfter(*source, seen), (std::vector<std::string>{"b=" + large, "c=3", "a="}));
}

TEST(CopiedDirectory, ReadsALogThatWasDeletedSinceItWasOpened) {
  const TestDirectory directory;
  const auto store = MustOpen(directory.path());
  ASSERT_TRUE(Put(*store, "a", "1"));
  const auto source = MustWatch(directory.path());
  const std::uint64_t seen = source->number();
  ASSERT_TRUE(Put(*store, "b", "2"));
  ASSERT_TRUE(store->MakeCheckpoint("one"));  // begins a new log
  ASSERT_TRUE(Put(*store, "c", "3"));
  EXPECT_EQ(ChangesAfter(*source, seen), (std::vector<std::string>{"b=2", "c=3"}));
}

TEST(CopiedDirectory, NoticesThatALogIsMissing) {
  const TestDirectory directory;
  const auto store = MustOpen(directory.path());
  ASSERT_TRUE(Put(*store, "a", "1"));
  const std::uint64_t seen = MustWatch(directory.path())->number();
  ASSERT_TRUE(Put(*store, "b", "2"));
  ASSERT_TRUE(store->MakeCheckpoint("one"));
  ASSERT_TRUE(store->MakeCheckpoint("two"));
  ASSERT_TRUE(Put(*store, "c", "3"));
  const auto source = MustWatch(directory.path());
  EXPECT_EQ(ChangesAfter(*source, seen), std::vector<std::string>{"gone"});
}

TEST(CopiedDirectory, IsOwnedOnceTheStoreIsClosed) {
  const TestDirectory directory;
  auto store = MustOpen(directory.path());
  const auto source = MustWatch(directory.path());
  EXPECT_EQ(source->TryToOwn(), false);
  EXPECT_EQ(OpenDirectoryToCopy(directory.path(), CopyAccess::kAlone).error().kind,
            StorageError::Kind::kLocked);
  store.reset();
  EXPECT_EQ(source->TryToOwn(), true);
  EXPECT_FALSE(OpenRocksStore({.directory = directory.path()}));
}

}  // namespace copied_directory_test
}  // namespace stator
