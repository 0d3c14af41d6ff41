#include "storage/mutation_queue.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "storage/testing/test_mutation.h"

namespace stator {
namespace mutation_queue_test {

std::unique_ptr<Mutation> Named(std::string name) {
  return MakeMutation({std::move(name)},
                      [](Values, WriteBatch&) { return Mutation::Verdict::kAbandon; });
}

std::string NameOf(const std::unique_ptr<Mutation>& mutation) { return mutation->Keys()[0]; }

TEST(MutationQueue, GivesBackInOrderOfArrival) {
  MutationQueue queue;
  EXPECT_EQ(queue.Pop(), nullptr);
  queue.Push(Named("1"));
  queue.Push(Named("2"));
  EXPECT_EQ(NameOf(queue.Pop()), "1");
  queue.Push(Named("3"));
  EXPECT_EQ(NameOf(queue.Pop()), "2");
  EXPECT_EQ(NameOf(queue.Pop()), "3");
  EXPECT_EQ(queue.Pop(), nullptr);
}

TEST(MutationQueue, TellsArrivalsFromWhatWasTaken) {
  MutationQueue queue;
  EXPECT_FALSE(queue.HasArrivals());
  queue.Push(Named("1"));
  queue.Push(Named("2"));
  EXPECT_TRUE(queue.HasArrivals());
  EXPECT_FALSE(queue.HasTaken());
  EXPECT_EQ(NameOf(queue.Pop()), "1");
  EXPECT_FALSE(queue.HasArrivals());
  EXPECT_TRUE(queue.HasTaken());
}

TEST(MutationQueue, KeepsTheOrderOfEveryThread) {
  constexpr int kThreads = 4;
  constexpr int kEach = 2000;
  MutationQueue queue;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&queue, t] {
      for (int i = 0; i < kEach; ++i) queue.Push(Named(std::to_string(t) + std::to_string(i)));
    });
  }
  std::vector<int> next(kThreads, 0);
  for (int popped = 0; popped < kThreads * kEach;) {
    const std::unique_ptr<Mutation> mutation = queue.Pop();
    if (mutation == nullptr) continue;
    ++popped;
    const std::string name = NameOf(mutation);
    const auto thread = static_cast<std::size_t>(name[0] - '0');
    ASSERT_EQ(name.substr(1), std::to_string(next[thread]++));
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace mutation_queue_test
}  // namespace stator
