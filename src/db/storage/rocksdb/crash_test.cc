// What survives kill -9: every acknowledged write, and whole commits only.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <limits>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "storage/store.h"
#include "storage/testing/child_process.h"
#include "storage/testing/test_directory.h"
#include "storage/testing/test_mutation.h"

namespace stator {
namespace crash_test {

constexpr int kThreads = 4;

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

SyncMode SyncModeFromEnvironment() {
  return Variable("STATOR_TEST_SYNC") == "off" ? SyncMode::kOff : SyncMode::kAlways;
}

// Writes one key and one record of the log with the same text.
std::unique_ptr<Mutation> MakeWriteOfBoth(const std::string& text) {
  return MakeMutation({"key/" + text}, [text](Values, WriteBatch& batch) {
    batch.Put("key/" + text, text);
    batch.Append("log/", text);
    return Mutation::Verdict::kCommit;
  });
}

// Not a test by itself: the other process of the tests below.
TEST(CrashingWriter, DISABLED_ReportsEveryAcknowledgedWrite) {
  auto store = OpenRocksStore(
      {.directory = Variable("STATOR_TEST_DIRECTORY"), .sync = SyncModeFromEnvironment()});
  ASSERT_TRUE(store) << store.error().message;
  const int pipe = std::stoi(Variable("STATOR_TEST_PIPE"));
  const std::string round = Variable("STATOR_TEST_ROUND");
  std::atomic<bool> is_heard = true;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; is_heard; ++i) {
        const std::string text = round + "-" + std::to_string(t) + "-" + std::to_string(i);
        ASSERT_TRUE(MutateAndWait(**store, MakeWriteOfBoth(text)));
        const std::string line = text + "\n";
        if (write(pipe, line.data(), line.size()) < 0) is_heard = false;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

std::vector<std::string> ChildEnvironment(const std::string& directory, const std::string& sync,
                                          int round) {
  return {"STATOR_TEST_DIRECTORY=" + directory, "STATOR_TEST_SYNC=" + sync,
          "STATOR_TEST_ROUND=" + std::to_string(round)};
}

constexpr const char* kChild = "CrashingWriter.DISABLED_ReportsEveryAcknowledgedWrite";

void CheckContents(const Store& store, const std::set<std::string>& acknowledged) {
  std::set<std::string> keys;
  for (const auto& [key, text] : ScanAll(store, {"key/", "key0"})) keys.insert(text);
  std::set<std::string> records;
  std::uint64_t number = 0;
  const KeyRange log{LogKey("log/", 0), LogKey("log/", std::numeric_limits<std::uint64_t>::max())};
  for (const auto& [key, text] : ScanAll(store, log)) {
    EXPECT_EQ(key, LogKey("log/", ++number));
    EXPECT_TRUE(records.insert(text).second) << text << " is in the log twice";
  }
  EXPECT_EQ(keys, records);
  for (const std::string& text : acknowledged) EXPECT_TRUE(keys.contains(text)) << text;
}

void KillAndReopen(const std::string& sync, SyncMode mode, int rounds) {
  const TestDirectory directory;
  std::mt19937 random(std::random_device{}());
  std::set<std::string> acknowledged;
  for (int round = 0; round < rounds; ++round) {
    ChildProcess child(kChild, ChildEnvironment(directory.path(), sync, round));
    const unsigned kill_after = 1 + static_cast<unsigned>(random() % 500);
    SCOPED_TRACE("killed after " + std::to_string(kill_after));
    for (unsigned i = 0; i < kill_after; ++i) {
      const std::string text = child.ReadLine();
      ASSERT_NE(text, "");
      acknowledged.insert(text);
    }
    child.Kill();
    for (std::string text = child.ReadLine(); !text.empty(); text = child.ReadLine()) {
      acknowledged.insert(text);
    }
    const auto store = OpenRocksStore({.directory = directory.path(), .sync = mode});
    ASSERT_TRUE(store) << store.error().message;
    CheckContents(**store, acknowledged);
  }
}

TEST(Crash, SyncedStoreKeepsEveryAcknowledgedWrite) {
  KillAndReopen("always", SyncMode::kAlways, 5);
}

TEST(Crash, UnsyncedStoreKeepsEveryAcknowledgedWriteOfAKilledProcess) {
  KillAndReopen("off", SyncMode::kOff, 3);
}

TEST(Crash, DirectoryIsLockedUntilTheOtherProcessIsGone) {
  const TestDirectory directory;
  ChildProcess child(kChild, ChildEnvironment(directory.path(), "always", 0));
  ASSERT_NE(child.ReadLine(), "");
  const auto refused = OpenRocksStore({.directory = directory.path()});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, StorageError::Kind::kLocked);
  EXPECT_NE(refused.error().message.find(directory.path()), std::string::npos);
  EXPECT_NE(refused.error().message.find("process " + std::to_string(child.pid())),
            std::string::npos)
      << refused.error().message;
  child.Kill();
  EXPECT_TRUE(OpenRocksStore({.directory = directory.path()}));
}

}  // namespace crash_test
}  // namespace stator
