#include "storage/round.h"

#include <cstring>
#include <limits>
#include <utility>

#include "base/big_endian.h"
#include "base/check.h"
#include "base/try.h"
#include "base/work.h"

namespace stator {
namespace {

// Large enough to share an fsync among all waiting mutations, small enough to bound memory and
// latency.
constexpr std::size_t kMutationsMax = 4096;
constexpr std::size_t kBytesMax = std::size_t{8} << 20;

constexpr std::size_t kNumberBytes = 8;  // of a record, at the end of its key

}  // namespace

StorageResult<std::uint64_t> LogNumbers::Take(std::string_view log) {
  auto found = last_.find(std::string(log));
  if (found == last_.end()) {
    ASSIGN_OR_RETURN(const std::uint64_t stored, LastStored(log));
    found = last_.emplace(log, stored).first;
  }
  taken_.push_back(&found->second);
  return ++found->second;
}

void LogNumbers::GiveBack() {
  for (std::uint64_t* last : taken_) --*last;
  taken_.clear();
}

StorageResult<std::uint64_t> LogNumbers::LastStored(std::string_view log) const {
  KeyRange range{.begin = LogKey(log, 0),
                 .end = LogKey(log, std::numeric_limits<std::uint64_t>::max())};
  range.end.push_back('\0');
  std::uint64_t last = 0;
  RETURN_IF_ERROR(
      store_.Scan(range, Direction::kReverse, [&](std::string_view key, std::string_view) {
        // Longer keys with the same prefix can lie between the records.
        if (key.size() != log.size() + kNumberBytes) return true;
        last = ReadBigEndian(key.substr(key.size() - kNumberBytes));
        return false;
      }));
  return last;
}

// Appends the writes of one mutation to those of the round.
class Round::Batch final : public WriteBatch {
 public:
  explicit Batch(Round& round) : round_(round) {}

  void Put(std::string_view key, std::string_view value) override {
    Add(Write::Kind::kPut, key, value);
  }
  void Delete(std::string_view key) override { Add(Write::Kind::kDelete, key, {}); }
  void DeleteRange(const KeyRange& range) override {
    Add(Write::Kind::kDeleteRange, range.begin, range.end);
  }
  void Append(std::string_view log, std::string_view record) override {
    const StorageResult<std::uint64_t> number = round_.log_numbers_.Take(log);
    if (!number) {
      failure_ = number.error();
      return;
    }
    Put(LogKey(log, *number), record);
  }

  std::optional<StorageError>& failure() { return failure_; }

 private:
  void Add(Write::Kind kind, std::string_view key, std::string_view value) {
    round_.writes_.push_back({kind, round_.Copy(key), round_.Copy(value)});
  }

  Round& round_;
  std::optional<StorageError> failure_;
};

std::unique_ptr<Mutation> Round::Decide(std::unique_ptr<Mutation> mutation,
                                        std::span<const std::optional<std::string_view>> values) {
  const std::size_t before = writes_.size();
  Batch batch(*this);
  const Mutation::Verdict verdict = mutation->Decide(values, batch);
  if (Work::MustEnd()) {
    log_numbers_.GiveBack();
    writes_.resize(before);
    return mutation;
  }
  if (verdict == Mutation::Verdict::kCommit && !batch.failure()) {
    log_numbers_.Keep();
    Show(std::span(writes_).subspan(before));
    ++committed_count_;
  } else {
    log_numbers_.GiveBack();
    writes_.resize(before);
  }
  // An abandoned mutation may have read writes of this round, so it too is done only with the round.
  decided_.push_back({std::move(mutation), std::move(batch.failure())});
  return nullptr;
}

void Round::Refuse(std::unique_ptr<Mutation> mutation, StorageError error) {
  decided_.push_back({std::move(mutation), std::move(error)});
}

bool Round::Full() const { return decided_.size() >= kMutationsMax || bytes_ >= kBytesMax; }

const std::optional<std::string_view>* Round::Find(std::string_view key) const {
  const auto found = newest_.find(key);
  return found == newest_.end() ? nullptr : &found->second;
}

void Round::Complete(const StorageResult<void>& status) {
  for (Decided& decided : decided_) {
    if (decided.refusal) {
      decided.mutation->Done(std::unexpected(*std::move(decided.refusal)));
    } else {
      decided.mutation->Done(status);
    }
    decided.mutation.reset();
  }
  decided_.clear();
}

void Round::Clear() {
  STATOR_CHECK(Empty());
  writes_.clear();
  newest_.clear();
  committed_count_ = 0;
  bytes_ = 0;
  arena_.release();
}

std::string_view Round::Copy(std::string_view bytes) {
  if (bytes.empty()) return {};
  bytes_ += bytes.size();
  char* copy = static_cast<char*>(arena_.allocate(bytes.size(), 1));
  std::memcpy(copy, bytes.data(), bytes.size());
  return {copy, bytes.size()};
}

// Makes these writes visible to the mutations that follow, except for deleted ranges, which they do
// not see (WriteBatch::DeleteRange).
void Round::Show(std::span<const Write> writes) {
  for (const Write& write : writes) {
    if (write.kind == Write::Kind::kPut) newest_.insert_or_assign(write.key, write.value);
    if (write.kind == Write::Kind::kDelete) newest_.insert_or_assign(write.key, std::nullopt);
  }
}

}  // namespace stator
