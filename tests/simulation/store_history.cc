#include "tests/simulation/store_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "base/big_endian.h"

namespace stator::simulation {

class RecordedMutation final : public Mutation {
 public:
  RecordedMutation(StoreHistory& history, std::uint64_t number, std::vector<StoreWrite> writes,
                   std::function<void(bool)> done)
      : history_(history), number_(number), writes_(std::move(writes)), done_(std::move(done)) {
    for (const StoreWrite& write : writes_) {
      if (write.kind == StoreWrite::Kind::kIncrement) keys_.push_back(write.key);
    }
  }

  std::span<const std::string> Keys() const override { return keys_; }

  Verdict Decide(Values values, WriteBatch& batch) override {
    std::size_t read = 0;
    for (const StoreWrite& write : writes_) {
      switch (write.kind) {
        case StoreWrite::Kind::kPut:
          batch.Put(write.key, write.value);
          break;
        case StoreWrite::Kind::kDelete:
          batch.Delete(write.key);
          break;
        case StoreWrite::Kind::kDeleteRange:
          batch.DeleteRange({write.key, write.value});
          break;
        case StoreWrite::Kind::kIncrement: {
          const std::optional<std::string_view> value = values[read++];
          batch.Put(write.key, std::to_string((value ? std::stoull(std::string(*value)) : 0) + 1));
          break;
        }
      }
    }
    batch.Append(kLogName, std::to_string(number_));
    const std::scoped_lock lock(history_.mutex_);
    history_.decided_.push_back(number_);
    return Verdict::kCommit;
  }

  void Done(StorageResult<void> status) override {
    if (status) {
      const std::scoped_lock lock(history_.mutex_);
      history_.entries_.at(number_).is_acknowledged = true;
    }
    done_(status.has_value());
  }

 private:
  StoreHistory& history_;
  const std::uint64_t number_;
  const std::vector<StoreWrite> writes_;
  const std::function<void(bool)> done_;
  std::vector<std::string> keys_;
};

std::unique_ptr<Mutation> StoreHistory::MakeMutation(std::vector<StoreWrite> writes,
                                                     std::function<void(bool)> done) {
  const std::scoped_lock lock(mutex_);
  const std::uint64_t number = ++last_number_;
  entries_[number].writes = writes;
  return std::make_unique<RecordedMutation>(*this, number, std::move(writes), std::move(done));
}

std::set<std::uint64_t> StoreHistory::Acknowledged() const {
  const std::scoped_lock lock(mutex_);
  std::set<std::uint64_t> numbers;
  for (const auto& [number, entry] : entries_) {
    if (entry.is_acknowledged) numbers.insert(number);
  }
  return numbers;
}

// The mutations since the last Settle that the store has, in the order of its log.
std::vector<std::uint64_t> StoreHistory::Present(const Pairs& pairs) const {
  const std::string prefix = kLogName;
  std::vector<std::uint64_t> present;
  for (const auto& [key, value] : pairs) {
    if (!key.starts_with(prefix) || key.size() != prefix.size() + 8) continue;
    if (ReadBigEndian(std::string_view(key).substr(prefix.size())) <= records_) continue;
    present.push_back(std::stoull(value));
  }
  return present;
}

Problem StoreHistory::JudgeOrder(const std::vector<std::uint64_t>& present,
                                 const Rules& rules) const {
  const std::set<std::uint64_t> there(present.begin(), present.end());
  for (const std::uint64_t number : rules.required) {
    if (!there.contains(number))
      return fmt::format("mutation {} was acknowledged and is lost", number);
  }
  std::vector<std::uint64_t> expected;
  std::optional<std::uint64_t> missing;
  for (const std::uint64_t number : decided_) {
    if (there.contains(number)) {
      if (missing)
        return fmt::format("mutation {} is there, {} before it is not", number, *missing);
      expected.push_back(number);
    } else if (rules.is_prefix || entries_.at(number).is_acknowledged) {
      missing = number;
    }
  }
  if (expected != present) return "the log has another order than the decisions, or a record twice";
  return std::nullopt;
}

Problem StoreHistory::Judge(const Pairs& pairs, const Rules& rules) const {
  const std::vector<std::uint64_t> present = Present(pairs);
  RETURN_IF_PROBLEM(JudgeOrder(present, rules));
  Model model = base_;
  std::uint64_t record = records_;
  for (const std::uint64_t number : present) {
    for (const StoreWrite& write : entries_.at(number).writes) {
      switch (write.kind) {
        case StoreWrite::Kind::kPut:
          model[write.key] = write.value;
          break;
        case StoreWrite::Kind::kDelete:
          model.erase(write.key);
          break;
        case StoreWrite::Kind::kDeleteRange:
          model.erase(model.lower_bound(write.key), model.lower_bound(write.value));
          break;
        case StoreWrite::Kind::kIncrement: {
          std::string& count = model[write.key];
          count = std::to_string((count.empty() ? 0 : std::stoull(count)) + 1);
          break;
        }
      }
    }
    model[LogKey(kLogName, ++record)] = std::to_string(number);
  }
  const auto [expected, found] = std::ranges::mismatch(
      model, pairs,
      [](const auto& a, const auto& b) { return a.first == b.first && a.second == b.second; });
  if (expected == model.end() && found == pairs.end()) return std::nullopt;
  return fmt::format("the store has {}, but should have {} ({} keys, not {})",
                     found == pairs.end() ? "no more keys" : found->first,
                     expected == model.end() ? "no more keys" : expected->first, pairs.size(),
                     model.size());
}

std::uint64_t StoreHistory::Settle(const Pairs& pairs) {
  std::uint64_t unacknowledged = 0;
  for (const std::uint64_t number : Present(pairs)) {
    if (!entries_.at(number).is_acknowledged) ++unacknowledged;
    ++records_;
  }
  base_ = Model(pairs.begin(), pairs.end());
  entries_.clear();
  decided_.clear();
  return unacknowledged;
}

}  // namespace stator::simulation
