#include "storage/round.h"

#include <cstring>
#include <utility>

#include "base/check.h"

namespace stator {
namespace {

// Large enough to share an fsync among all who wait, small enough to bound memory and the time to
// an answer.
constexpr std::size_t kMutationsMax = 4096;
constexpr std::size_t kBytesMax = std::size_t{8} << 20;

}  // namespace

// Collects the writes of one mutation at the end of the round's.
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

void Round::Decide(std::unique_ptr<Mutation> mutation,
                   std::span<const std::optional<std::string_view>> values) {
  const std::size_t before = writes_.size();
  Batch batch(*this);
  const Mutation::Verdict verdict = mutation->Decide(values, batch);
  if (verdict == Mutation::Verdict::kCommit && !batch.failure()) {
    log_numbers_.Keep();
    Show(std::span(writes_).subspan(before));
    ++committed_count_;
  } else {
    log_numbers_.GiveBack();
    writes_.resize(before);
  }
  // An abandoned mutation may have judged by writes of this round: it ends with the round, too.
  decided_.push_back({std::move(mutation), std::move(batch.failure())});
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

// Lets the mutations that follow see these writes. Of a deleted range they see nothing, as
// promised.
void Round::Show(std::span<const Write> writes) {
  for (const Write& write : writes) {
    if (write.kind == Write::Kind::kPut) newest_.insert_or_assign(write.key, write.value);
    if (write.kind == Write::Kind::kDelete) newest_.insert_or_assign(write.key, std::nullopt);
  }
}

}  // namespace stator
