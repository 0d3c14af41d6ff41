#include "storage/postgres/decisions.h"

#include <algorithm>

#include "base/work.h"

namespace stator::postgres {

// The writes of one mutation, until it is certain that it commits.
class Decisions::Batch final : public WriteBatch {
 public:
  void Put(std::string_view key, std::string_view value) override {
    rows_.emplace_back(key, std::string(value));
  }
  void Delete(std::string_view key) override { rows_.emplace_back(key, std::nullopt); }
  void DeleteRange(const KeyRange& range) override {
    if (!range.end.empty() && range.end <= range.begin) return;
    // Ranges are deleted first, so what was put into them before is taken back.
    std::erase_if(rows_, [&](const auto& row) {
      return row.first >= range.begin && (range.end.empty() || row.first < range.end);
    });
    ranges_.push_back(range);
  }
  void Append(std::string_view log, std::string_view record) override {
    records_.emplace_back(log, record);
  }
  void Announce() override { announces_ = true; }
  void Add(std::string_view name, std::int64_t items, std::int64_t bytes) override {
    sums_.push_back({std::string(name), items, bytes});
  }

  bool WritesRows() const { return !rows_.empty() || !records_.empty(); }

  void MoveInto(Decisions& round) && {
    for (const KeyRange& range : ranges_) {
      auto& newest = round.newest_;
      newest.erase(newest.lower_bound(range.begin),
                   range.end.empty() ? newest.end() : newest.lower_bound(range.end));
    }
    for (auto& [key, value] : rows_) {
      round.bytes_ += key.size() + (value ? value->size() : 0);
      if (announces_) round.announced_.push_back(key);
      round.newest_.insert_or_assign(std::move(key), std::move(value));
    }
    for (auto& [log, record] : records_) {
      round.bytes_ += record.size();
      round.records_[std::move(log)].push_back(std::move(record));
    }
    for (const Sharing::Sum& sum : sums_) {
      auto& [items, bytes] = round.sums_[sum.name];
      items += sum.items;
      bytes += sum.bytes;
    }
    round.ranges_.insert(round.ranges_.end(), ranges_.begin(), ranges_.end());
    round.announces_ |= announces_;
  }

 private:
  std::vector<std::pair<std::string, Value>> rows_;
  std::vector<KeyRange> ranges_;
  std::vector<std::pair<std::string, std::string>> records_;
  std::vector<Sharing::Sum> sums_;
  bool announces_ = false;
};

void Decisions::WillRead(std::span<const std::string> keys) {
  for (const std::string& key : keys) read_.try_emplace(key);
}

std::vector<std::string> Decisions::WrittenKeys() const {
  std::vector<std::string> keys;
  for (const auto& [key, value] : newest_) keys.push_back(key);
  return keys;
}

std::vector<std::string_view> Decisions::KeysToRead() const {
  std::vector<std::string_view> keys;
  keys.reserve(read_.size());
  for (const auto& [key, value] : read_) keys.push_back(key);
  return keys;
}

Decisions::End Decisions::Decide(Mutation& mutation) {
  const std::span<const std::string> keys = mutation.Keys();
  std::vector<std::optional<std::string_view>> values;
  values.reserve(keys.size());
  for (const std::string& key : keys) {
    const auto written = newest_.find(key);
    const Value& value = written != newest_.end() ? written->second : read_.find(key)->second;
    values.push_back(value ? std::optional<std::string_view>(*value) : std::nullopt);
  }
  Batch batch;
  const Mutation::Verdict verdict = mutation.Decide(values, batch);
  if (Work::MustEnd()) return End::kTooLong;
  if (verdict == Mutation::Verdict::kAbandon) {
    for (const std::string& key : keys) {
      if (keys.size() > 1 && !read_.find(key)->second) absent_when_abandoned_.push_back(key);
    }
    return End::kDecided;
  }
  if (keys.size() > 1 && batch.WritesRows()) {
    for (const std::string& key : keys) rests_on_[key] = true;
  }
  std::move(batch).MoveInto(*this);
  return End::kDecided;
}

std::vector<std::string_view> Decisions::AnnouncedKeys() const {
  return {announced_.begin(), announced_.end()};
}

// A key that did not exist has no row to lock, so its insertion is what tells that nobody else came
// first. Where nothing is to be inserted, because a transaction only rests on the absence, a row is
// inserted and deleted again.
Decisions::Writes Decisions::RowWrites() const {
  Writes writes;
  const auto was_absent = [this](std::string_view key) {
    const auto found = read_.find(key);
    return found != read_.end() && !found->second;
  };
  for (const auto& [key, value] : newest_) {
    const bool absent = was_absent(key);
    if (value) {
      (absent ? writes.inserts : writes.puts).push_back({key, *value});
    } else if (!absent) {
      writes.deletes.push_back(key);
    }
  }
  const std::size_t written = writes.inserts.size();
  for (const auto& [key, rests] : rests_on_) {
    const auto found = newest_.find(key);
    if (!was_absent(key) || (found != newest_.end() && found->second)) continue;
    writes.inserts.push_back({key, {}});
    writes.absent.push_back(key);
  }
  if (writes.inserts.size() > written) {
    std::ranges::sort(writes.inserts, {}, &Put::key);
  }
  return writes;
}

}  // namespace stator::postgres
