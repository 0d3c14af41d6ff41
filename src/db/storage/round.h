// Round: mutations that are decided one after the other and committed together.
// LogNumbers: the numbers of the records they append to logs.
#ifndef STATOR_STORAGE_ROUND_H_
#define STATOR_STORAGE_ROUND_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "storage/store.h"

namespace stator {

// One write of a commit, as a store carries it out. The bytes belong to the round.
struct Write {
  enum class Kind : std::uint8_t { kPut, kDelete, kDeleteRange };
  Kind kind = Kind::kPut;
  std::string_view key;    // of a range: its begin
  std::string_view value;  // of a range: its end, empty for "to the last key"
};

// Which number the next record of a log gets. Reads a log's last number from the store when the log
// is first used, and counts from there. Not thread-safe.
class LogNumbers {
 public:
  explicit LogNumbers(const Store& store) : store_(store) {}

  // The next number of the log, taken until GiveBack.
  StorageResult<std::uint64_t> Take(std::string_view log);
  // The numbers taken since the last Keep or GiveBack are in use.
  void Keep() { taken_.clear(); }
  // The numbers taken since the last Keep or GiveBack are free again.
  void GiveBack();
  // Reads every log's last number again. REQUIRES: no number is taken.
  void Forget() { last_.clear(); }

 private:
  StorageResult<std::uint64_t> LastStored(std::string_view log) const;

  const Store& store_;
  std::unordered_map<std::string, std::uint64_t> last_;
  std::vector<std::uint64_t*> taken_;  // into last_, whose values do not move
};

// Not thread-safe, except that Find may run at the same time as Complete.
class Round {
 public:
  explicit Round(LogNumbers& log_numbers) : log_numbers_(log_numbers) {}
  Round(const Round&) = delete;
  Round& operator=(const Round&) = delete;

  // Lets the mutation decide on these values, and keeps its writes unless it abandons them. Gives it
  // back, as if nothing had happened, if the thread's work has to end (base/work.h).
  std::unique_ptr<Mutation> Decide(std::unique_ptr<Mutation> mutation,
                                   std::span<const std::optional<std::string_view>> values);
  // Takes a mutation that cannot be decided: it gets this error, whatever becomes of the others.
  void Refuse(std::unique_ptr<Mutation> mutation, StorageError error);

  bool Empty() const { return decided_.empty(); }
  // Whether it should be committed before it grows further.
  bool Full() const;

  // What the round does to a key: null if nothing, nullopt if it deletes the key, else its value.
  const std::optional<std::string_view>* Find(std::string_view key) const;

  std::span<const Write> Writes() const { return writes_; }
  // Mutations that were neither abandoned nor refused.
  std::size_t CommittedCount() const { return committed_count_; }

  // Tells every mutation how it ended and forgets it.
  void Complete(const StorageResult<void>& status);
  // Makes the round new. REQUIRES: Empty().
  void Clear();

 private:
  class Batch;
  struct Decided {
    std::unique_ptr<Mutation> mutation;
    std::optional<StorageError> refusal;
  };

  std::string_view Copy(std::string_view bytes);
  void Show(std::span<const Write> writes);

  LogNumbers& log_numbers_;
  std::vector<Decided> decided_;
  std::vector<Write> writes_;
  std::pmr::unsynchronized_pool_resource nodes_;  // of newest_; kept from round to round
  std::pmr::unordered_map<std::string_view, std::optional<std::string_view>> newest_{&nodes_};
  std::size_t committed_count_ = 0;
  std::size_t bytes_ = 0;
  static constexpr std::size_t kFirstBlockBytes = 256 * 1024;
  const std::unique_ptr<std::byte[]> first_block_ =
      std::make_unique_for_overwrite<std::byte[]>(kFirstBlockBytes);
  std::pmr::monotonic_buffer_resource arena_{first_block_.get(), kFirstBlockBytes};
};

}  // namespace stator

#endif  // STATOR_STORAGE_ROUND_H_
