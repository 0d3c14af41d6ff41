// A mutation without meaning: puts given rows, perhaps after reading one.
#ifndef STATOR_BENCH_FLOORS_RAW_WRITE_H_
#define STATOR_BENCH_FLOORS_RAW_WRITE_H_

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/store.h"

namespace stator::bench {

class RawWrite final : public Mutation {
 public:
  using Callback = std::move_only_function<void(StorageResult<void>)>;

  // Every row gets this value, which must live until `done` runs. With `reads` the first row is
  // read before.
  RawWrite(std::vector<std::string> rows, std::string_view value, bool reads, Callback done)
      : rows_(std::move(rows)), value_(value), reads_(reads), done_(std::move(done)) {}

  std::span<const std::string> Keys() const override {
    return std::span(rows_).first(reads_ ? 1 : 0);
  }
  Verdict Decide(std::span<const std::optional<std::string_view>>, WriteBatch& batch) override {
    for (const std::string& row : rows_) batch.Put(row, value_);
    return Verdict::kCommit;
  }
  void Done(StorageResult<void> status) override { done_(std::move(status)); }

 private:
  const std::vector<std::string> rows_;
  const std::string_view value_;
  const bool reads_;
  Callback done_;
};

// Puts given rows with values of their own: fills a store.
class RawLoad final : public Mutation {
 public:
  void Add(std::string row, std::string value) {
    rows_.emplace_back(std::move(row), std::move(value));
  }
  bool empty() const { return rows_.empty(); }
  std::size_t size() const { return rows_.size(); }

  std::span<const std::string> Keys() const override { return {}; }
  Verdict Decide(std::span<const std::optional<std::string_view>>, WriteBatch& batch) override {
    for (const auto& [row, value] : rows_) batch.Put(row, value);
    return Verdict::kCommit;
  }
  void Done(StorageResult<void>) override {}

 private:
  std::vector<std::pair<std::string, std::string>> rows_;
};

}  // namespace stator::bench

#endif  // STATOR_BENCH_FLOORS_RAW_WRITE_H_
