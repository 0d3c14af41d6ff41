#include "engine/sharing/sums.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/big_endian.h"
#include "base/try.h"
#include "engine/catalog/catalog.h"
#include "engine/store_access.h"

namespace stator {
namespace {

constexpr char kIndexSum = 0x01;
constexpr char kShardSum = 0x02;
constexpr std::size_t kOwnerBytes = 4;
constexpr std::size_t kIndexBytes = 2;
constexpr std::size_t kShardBytes = 8;

class SumsMutation final : public Mutation {
 public:
  explicit SumsMutation(std::vector<Sharing::Sum> sums) : sums_(std::move(sums)) {}
  std::span<const std::string> Keys() const override { return {}; }
  Verdict Decide(std::span<const std::optional<std::string_view>>, WriteBatch& batch) override {
    for (const Sharing::Sum& sum : sums_) batch.Add(sum.name, sum.items, sum.bytes);
    return Verdict::kCommit;
  }
  void Done(StorageResult<void>) override {}

 private:
  const std::vector<Sharing::Sum> sums_;
};

void ShowElsewhere(RowCounts& counts, const Sharing::Sum& sum) {
  counts.items_elsewhere = sum.items;
  counts.bytes_elsewhere = sum.bytes;
}

}  // namespace

std::string SumName(const CountedRows& rows) {
  const bool is_index = rows.kind == CountedRows::Kind::kIndex;
  std::string name(1, is_index ? kIndexSum : kShardSum);
  AppendBigEndian(name, rows.owner, kOwnerBytes);
  AppendBigEndian(name, rows.part, is_index ? kIndexBytes : kShardBytes);
  return name;
}

std::optional<CountedRows> ReadSumName(std::string_view name) {
  if (name.size() <= 1 + kOwnerBytes) return std::nullopt;
  const bool is_index = name.front() == kIndexSum;
  if (!is_index && name.front() != kShardSum) return std::nullopt;
  if (name.size() != 1 + kOwnerBytes + (is_index ? kIndexBytes : kShardBytes)) return std::nullopt;
  name.remove_prefix(1);
  CountedRows rows{.kind = is_index ? CountedRows::Kind::kIndex : CountedRows::Kind::kShard};
  rows.owner = static_cast<std::uint32_t>(TakeBigEndian(name, kOwnerBytes));
  rows.part = ReadBigEndian(name);
  return rows;
}

std::string TableSums(TableNumber table) { return kIndexSum + BigEndian(table, kOwnerBytes); }

void AddToSums(std::span<const CountChange> changes, WriteBatch& batch) {
  for (const CountChange& change : changes) {
    if (change.rows.kind == CountedRows::Kind::kNothing) continue;
    if (change.items == 0 && change.bytes == 0) continue;
    batch.Add(SumName(change.rows), change.items, change.bytes);
  }
}

Result<void> ForgetSums(Store& store, const std::string& prefix) {
  const Sharing* const sharing = store.sharing();
  if (sharing == nullptr) return {};
  ASSIGN_OR_RETURN(std::vector<Sharing::Sum> sums,
                   FromStorage(sharing->Sums(Sharing::Whose::kAll, nullptr)));
  std::erase_if(sums, [&](const Sharing::Sum& sum) {
    return !sum.name.starts_with(prefix) || (sum.items == 0 && sum.bytes == 0);
  });
  if (sums.empty()) return {};
  for (Sharing::Sum& sum : sums) {
    sum.items = -sum.items;
    sum.bytes = -sum.bytes;
  }
  return RunMutation(store, std::make_unique<SumsMutation>(std::move(sums)));
}

Result<void> CorrectSum(Store& store, const ReadView& view, const CountedRows& rows,
                        const Counted& counted, RowCounts& counts) {
  ASSIGN_OR_RETURN(const std::vector<Sharing::Sum> sums,
                   FromStorage(store.sharing()->Sums(Sharing::Whose::kAll, &view)));
  Sharing::Sum missing{SumName(rows), counted.items, counted.bytes};
  const auto sum = std::ranges::find(sums, missing.name, &Sharing::Sum::name);
  if (sum != sums.end()) {
    missing.items -= sum->items;
    missing.bytes -= sum->bytes;
  }
  if (missing.items == 0 && missing.bytes == 0) return {};
  RETURN_IF_ERROR(
      RunMutation(store, std::make_unique<SumsMutation>(std::vector<Sharing::Sum>{missing})));
  counts.items += missing.items;
  counts.bytes += missing.bytes;
  return {};
}

bool SumReader::IsOlderThan(std::chrono::milliseconds age) const {
  const std::scoped_lock lock(mutex_);
  return !was_refreshed_ || std::chrono::steady_clock::now() - refreshed_ > age;
}

Result<void> SumReader::Refresh(std::chrono::milliseconds age_max) {
  if (!IsOlderThan(age_max)) return {};
  const auto began = std::chrono::steady_clock::now();
  ASSIGN_OR_RETURN(const std::vector<Sharing::Sum> sums,
                   FromStorage(sharing_.Sums(Sharing::Whose::kElsewhere, nullptr)));
  const std::scoped_lock lock(mutex_);
  if (was_refreshed_ && began < refreshed_) return {};  // another thread knows more
  std::map<std::pair<StreamNumber, ShardNumber>, std::shared_ptr<RowCounts>> shards;
  for (const TablePtr& table : catalog_.All()) {
    if (!table->stream) continue;
    for (const OpenShard& shard : table->stream->shards) {
      shards[{table->stream->number, shard.number}] = shard.growth;
    }
  }
  for (const Sharing::Sum& sum : sums) {
    const std::optional<CountedRows> rows = ReadSumName(sum.name);
    if (!rows) continue;
    if (rows->kind == CountedRows::Kind::kIndex) {
      ShowIndex(*rows, sum);
    } else if (const auto shard = shards.find({rows->owner, rows->part}); shard != shards.end()) {
      ShowElsewhere(*shard->second, sum);
    }
  }
  refreshed_ = began;
  was_refreshed_ = true;
  return {};
}

void SumReader::ShowIndex(const CountedRows& rows, const Sharing::Sum& sum) const {
  const TablePtr table = catalog_.FindByNumber(rows.owner);
  if (!table) return;
  if (rows.part == 0) return ShowElsewhere(*table->counts, sum);
  const Index* const index = table->FindIndex(static_cast<IndexNumber>(rows.part));
  if (index != nullptr) ShowElsewhere(*index->counts, sum);
}

}  // namespace stator
