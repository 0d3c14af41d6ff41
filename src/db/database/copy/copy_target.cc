#include "database/copy/copy_target.h"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <span>
#include <utility>

#include "base/big_endian.h"
#include "base/try.h"
#include "engine/catalog/row_key.h"
#include "engine/check/stored_catalog.h"
#include "engine/sharing/sums.h"
#include "storage/copy_source.h"
#include "value/json.h"
#include "value/json_writer.h"
#include "value/size.h"

namespace stator {
namespace {

constexpr int kUnderWayMax = 2;
constexpr int kUnderWayMaxShared = 4;  // several connections
constexpr std::int64_t kStateFormat = 1;

std::string EncodeState(const CopyState& state) {
  std::string json;
  JsonWriter out(json);
  out.BeginObject();
  out.Key("format").Integer(kStateFormat);
  out.Key("source").String(state.source);
  out.Key("from").String(state.from);
  out.Key("complete").Bool(state.is_complete);
  out.Key("cursor").String(HexText(state.cursor));
  out.Key("number").Integer(static_cast<std::int64_t>(state.number));
  out.Key("rows").Integer(static_cast<std::int64_t>(state.rows));
  out.Key("bytes").Integer(static_cast<std::int64_t>(state.bytes));
  out.EndObject();
  return json;
}

std::optional<CopyState> DecodeState(std::string_view json) {
  JsonDocument document;
  if (!document.Parse(json) || document.root().kind() != JsonKind::kObject) return std::nullopt;
  const JsonValue root = document.root();
  const auto find = [&](std::string_view name, JsonKind kind) -> std::optional<JsonValue> {
    std::optional<JsonValue> member = root.Member(name);
    if (!member || member->kind() != kind) return std::nullopt;
    return member;
  };
  const auto format = find("format", JsonKind::kInteger);
  const auto source = find("source", JsonKind::kString);
  const auto from = find("from", JsonKind::kString);
  const auto complete = find("complete", JsonKind::kBool);
  const auto cursor = find("cursor", JsonKind::kString);
  const auto number = find("number", JsonKind::kInteger);
  const auto rows = find("rows", JsonKind::kInteger);
  const auto bytes = find("bytes", JsonKind::kInteger);
  if (!format || format->integer() != kStateFormat || !source || !from || !complete || !cursor ||
      !number || !rows || !bytes) {
    return std::nullopt;
  }
  std::optional<std::string> cursor_bytes = BytesOfHex(cursor->string());
  if (!cursor_bytes) return std::nullopt;
  return CopyState{.source = std::string(source->string()),
                   .from = std::string(from->string()),
                   .is_complete = complete->boolean(),
                   .cursor = *std::move(cursor_bytes),
                   .number = static_cast<std::uint64_t>(number->integer()),
                   .rows = static_cast<std::uint64_t>(rows->integer()),
                   .bytes = static_cast<std::uint64_t>(bytes->integer())};
}

// What changes add to the sums of tables and indexes.
class CountedChanges {
 public:
  void Add(std::string_view key, std::string_view value, std::int64_t sign) {
    auto& [items, bytes] = sums_[std::string(key.substr(0, kRowPrefixBytes))];
    items += sign;
    bytes += sign * static_cast<std::int64_t>(ItemSizeBytes(ItemView(value)));
  }
  void AddTo(WriteBatch& batch) const {
    for (const auto& [prefix, sum] : sums_) {
      const CountedRows rows{.kind = CountedRows::Kind::kIndex,
                             .owner = static_cast<TableNumber>(ReadBigEndian(prefix.substr(1, 4))),
                             .part = ReadBigEndian(prefix.substr(5, 2))};
      batch.Add(SumName(rows), sum.first, sum.second);
    }
  }

 private:
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> sums_;  // by the rows' prefix
};

}  // namespace

// Mutations that have been queued and are not done.
class CopyTarget::UnderWay {
 public:
  void Begin(int count_max) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return count_ < count_max; });
    ++count_;
  }
  void End(const StorageResult<void>& status) {
    const std::scoped_lock lock(mutex_);
    --count_;
    if (!status && !failure_) failure_ = status.error();
    changed_.notify_all();
  }
  StorageResult<void> Status() {
    const std::scoped_lock lock(mutex_);
    if (failure_) return std::unexpected(*failure_);
    return {};
  }
  StorageResult<void> Wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return count_ == 0; });
    if (failure_) return std::unexpected(*failure_);
    return {};
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
  std::optional<StorageError> failure_;  // the first one
};

namespace {

using UnderWayDone = std::function<void(const StorageResult<void>&)>;

class NewRows final : public Mutation {
 public:
  NewRows(std::vector<CopiedRow> rows, CountedChanges counts, UnderWayDone done)
      : rows_(std::move(rows)), counts_(std::move(counts)), done_(std::move(done)) {}
  std::span<const std::string> Keys() const override { return {}; }
  Verdict Decide(std::span<const std::optional<std::string_view>>, WriteBatch& batch) override {
    for (const CopiedRow& row : rows_) batch.Put(row.key, row.value);
    counts_.AddTo(batch);
    return Verdict::kCommit;
  }
  void Done(StorageResult<void> status) override { done_(status); }

 private:
  const std::vector<CopiedRow> rows_;
  const CountedChanges counts_;
  const UnderWayDone done_;
};

// Changes of rows whose former sizes count: those come from the store.
class ChangedRows final : public Mutation {
 public:
  ChangedRows(RowChanges changes, std::vector<std::string> counted,
              std::optional<std::string> state)
      : changes_(std::move(changes)), counted_(std::move(counted)), state_(std::move(state)) {}
  std::span<const std::string> Keys() const override { return counted_; }
  Verdict Decide(std::span<const std::optional<std::string_view>> values,
                 WriteBatch& batch) override {
    CountedChanges counts;
    for (std::size_t i = 0; i < counted_.size(); ++i) {
      if (values[i]) counts.Add(counted_[i], *values[i], -1);
      const std::optional<std::string>& after = changes_.find(counted_[i])->second;
      if (after) counts.Add(counted_[i], *after, 1);
    }
    for (const auto& [key, value] : changes_) {
      value ? batch.Put(key, *value) : batch.Delete(key);
    }
    counts.AddTo(batch);
    if (state_) batch.Put(kCopyRow, *state_);
    return Verdict::kCommit;
  }
  void Done(StorageResult<void>) override {}

 private:
  const RowChanges changes_;
  const std::vector<std::string> counted_;
  const std::optional<std::string> state_;
};

class ClearedRange final : public Mutation {
 public:
  explicit ClearedRange(KeyRange range) : range_(std::move(range)) {}
  std::span<const std::string> Keys() const override { return {}; }
  Verdict Decide(std::span<const std::optional<std::string_view>>, WriteBatch& batch) override {
    batch.DeleteRange(range_);
    return Verdict::kCommit;
  }
  void Done(StorageResult<void>) override {}

 private:
  const KeyRange range_;
};

}  // namespace

CopyTarget::CopyTarget(Store& store)
    : store_(store), rows_(RowsOf(store, nullptr)), under_way_(std::make_shared<UnderWay>()) {}

CopyTarget::~CopyTarget() { static_cast<void>(under_way_->Wait()); }

bool CopyTarget::IsCounted(std::string_view key) const {
  return store_.sharing() != nullptr && key.size() >= kRowPrefixBytes && key[0] == kRowSpace;
}

bool CopyTarget::IsLeftOut(std::string_view key) const {
  return store_.sharing() != nullptr && key == kCountsRow;
}

StorageResult<std::optional<CopyState>> CopyTarget::Load() const {
  std::string json;
  ASSIGN_OR_RETURN(const bool is_there, store_.Get(kCopyRow, json));
  if (!is_there) return std::nullopt;
  std::optional<CopyState> state = DecodeState(json);
  if (state) return state;
  return std::unexpected(
      StorageError{StorageError::Kind::kForeign,
                   "the target holds an unfinished copy of another version of this program; go on "
                   "with that one, or begin again with an empty target"});
}

StorageResult<bool> CopyTarget::IsEmpty() const {
  bool is_empty = true;
  RETURN_IF_ERROR(store_.Scan({}, Direction::kForward, [&](std::string_view, std::string_view) {
    is_empty = false;
    return false;
  }));
  ASSIGN_OR_RETURN(const std::vector<std::string> checkpoints, store_.ListCheckpoints());
  return is_empty && checkpoints.empty();
}

StorageResult<void> CopyTarget::Save(const CopyState& state) { return Apply({}, &state); }

StorageResult<void> CopyTarget::AddNew(std::vector<CopiedRow> rows) {
  CountedChanges counts;
  std::erase_if(rows, [this](const CopiedRow& row) { return IsLeftOut(row.key); });
  for (const CopiedRow& row : rows) {
    if (IsCounted(row.key)) counts.Add(row.key, row.value, 1);
  }
  under_way_->Begin(store_.sharing() != nullptr ? kUnderWayMaxShared : kUnderWayMax);
  store_.Mutate(std::make_unique<NewRows>(
      std::move(rows), std::move(counts),
      [under_way = under_way_](const StorageResult<void>& status) { under_way->End(status); }));
  return under_way_->Status();
}

StorageResult<void> CopyTarget::Apply(RowChanges changes, const CopyState* state) {
  RETURN_IF_ERROR(WaitForAll());
  std::erase_if(changes, [this](const auto& change) { return IsLeftOut(change.first); });
  std::vector<std::string> counted;
  for (const auto& [key, value] : changes) {
    if (IsCounted(key)) counted.push_back(key);
  }
  std::optional<std::string> state_row;
  if (state != nullptr) state_row = EncodeState(*state);
  return MutateAndWait(store_, std::make_unique<ChangedRows>(std::move(changes), std::move(counted),
                                                             std::move(state_row)));
}

StorageResult<void> CopyTarget::Clear(const KeyRange& range) {
  if (!range.end.empty() && range.begin >= range.end) return {};
  RETURN_IF_ERROR(WaitForAll());
  if (store_.sharing() == nullptr) {
    return MutateAndWait(store_, std::make_unique<ClearedRange>(range));
  }
  // Row by row, because they are counted.
  KeyRange rest = range;
  while (true) {
    ASSIGN_OR_RETURN(RowSlice slice, ReadRowSlice(*rows_, rest, kCopySliceBytes));
    RowChanges deletions;
    for (CopiedRow& row : slice.rows) deletions.emplace(std::move(row.key), std::nullopt);
    if (!deletions.empty()) RETURN_IF_ERROR(Apply(std::move(deletions), nullptr));
    if (slice.is_last) return {};
    rest.begin = std::move(slice.end);
  }
}

StorageResult<void> CopyTarget::WaitForAll() { return under_way_->Wait(); }

StorageResult<void> CopyTarget::Finish() {
  RowChanges changes;
  changes.emplace(kCopyRow, std::nullopt);
  return Apply(std::move(changes), nullptr);
}

}  // namespace stator
