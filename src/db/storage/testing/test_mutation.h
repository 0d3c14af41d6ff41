// For tests: mutations made of functions, and the shortest ways to read and write a store.
#ifndef STATOR_STORAGE_TESTING_TEST_MUTATION_H_
#define STATOR_STORAGE_TESTING_TEST_MUTATION_H_

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/store.h"

namespace stator {

using Values = std::span<const std::optional<std::string_view>>;

// A mutation made of two functions.
class TestMutation final : public Mutation {
 public:
  using DecideFunction = std::function<Verdict(Values, WriteBatch&)>;
  using DoneFunction = std::function<void(const StorageResult<void>&)>;

  TestMutation(std::vector<std::string> keys, DecideFunction decide, DoneFunction done)
      : keys_(std::move(keys)), decide_(std::move(decide)), done_(std::move(done)) {}

  std::span<const std::string> Keys() const override { return keys_; }
  Verdict Decide(Values values, WriteBatch& batch) override { return decide_(values, batch); }
  void Done(StorageResult<void> status) override {
    if (done_) done_(status);
  }
  bool IsRefusable() const override { return is_refusable; }

  bool is_refusable = false;

 private:
  const std::vector<std::string> keys_;
  const DecideFunction decide_;
  const DoneFunction done_;
};

inline std::unique_ptr<Mutation> MakeMutation(std::vector<std::string> keys,
                                              TestMutation::DecideFunction decide,
                                              TestMutation::DoneFunction done = nullptr) {
  return std::make_unique<TestMutation>(std::move(keys), std::move(decide), std::move(done));
}

// Reads nothing and commits what `write` writes.
inline std::unique_ptr<Mutation> MakeWrite(std::function<void(WriteBatch&)> write,
                                           TestMutation::DoneFunction done = nullptr) {
  return MakeMutation(
      {},
      [write = std::move(write)](Values, WriteBatch& batch) {
        write(batch);
        return Mutation::Verdict::kCommit;
      },
      std::move(done));
}

inline StorageResult<void> Apply(Store& store, std::function<void(WriteBatch&)> write) {
  return MutateAndWait(store, MakeWrite(std::move(write)));
}

inline StorageResult<void> Put(Store& store, std::string_view key, std::string_view value) {
  return Apply(store, [=](WriteBatch& batch) { batch.Put(key, value); });
}

// Adds one to a decimal number.
inline std::unique_ptr<Mutation> MakeIncrement(const std::string& key,
                                               TestMutation::DoneFunction done = nullptr) {
  return MakeMutation(
      {key},
      [key](Values values, WriteBatch& batch) {
        const int count = values[0] ? std::stoi(std::string(*values[0])) : 0;
        batch.Put(key, std::to_string(count + 1));
        return Mutation::Verdict::kCommit;
      },
      std::move(done));
}

inline std::optional<std::string> Get(const Store& store, std::string_view key) {
  std::string value;
  const StorageResult<bool> found = store.Get(key, value);
  if (!found) return "error: " + found.error().message;
  return *found ? std::optional(value) : std::nullopt;
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

inline Pairs ScanAll(const Store& store, const KeyRange& range = {},
                     Direction direction = Direction::kForward, const ReadView* view = nullptr) {
  Pairs pairs;
  const StorageResult<void> status = store.Scan(
      range, direction,
      [&](std::string_view key, std::string_view value) {
        pairs.emplace_back(key, value);
        return true;
      },
      view);
  if (!status) pairs.emplace_back("error", status.error().message);
  return pairs;
}

}  // namespace stator

#endif  // STATOR_STORAGE_TESTING_TEST_MUTATION_H_
