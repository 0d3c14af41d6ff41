// Decisions: what the mutations of one round read, and what they write, so that it can be sent to the
// database in one piece.
#ifndef STATOR_STORAGE_POSTGRES_DECISIONS_H_
#define STATOR_STORAGE_POSTGRES_DECISIONS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/store.h"

namespace stator::postgres {

// For one thread.
class Decisions {
 public:
  using Value = std::optional<std::string>;  // absent: there is no such key

  // What the database says about a key that a mutation of the round reads.
  void SetRead(std::string_view key, std::string_view value) { read_.find(key)->second = value; }
  // These keys will be read. They must outlive the decisions.
  void WillRead(std::span<const std::string> keys);
  // All keys that are read, ascending.
  std::vector<std::string_view> KeysToRead() const;

  enum class End : std::uint8_t { kDecided, kTooLong };
  // Lets the mutation decide, on top of those before it, and keeps its writes if it wants to commit.
  // kTooLong: the thread's work had to end (base/work.h), and nothing is kept.
  End Decide(Mutation& mutation);

  // What mutations of several keys found absent when they abandoned. Rows are read while others commit:
  // a row that came with the change of another one, for which the reading waited, may have been
  // overlooked.
  std::span<const std::string_view> AbsentWhenAbandoned() const { return absent_when_abandoned_; }

  bool WritesNothing() const {
    return newest_.empty() && ranges_.empty() && records_.empty() && sums_.empty() && !announces_;
  }
  bool Announces() const { return announces_; }
  // All keys that are put or deleted.
  std::vector<std::string> WrittenKeys() const;
  // Those of mutations that announce.
  std::vector<std::string_view> AnnouncedKeys() const;

  struct Put {
    std::string_view key;
    std::string_view value;
  };
  // In the order of their keys. A key that was read and did not exist must still not exist: it is in
  // `inserts`, also if it is not written after all; then it is in `absent` too.
  struct Writes {
    std::vector<Put> inserts;
    std::vector<Put> puts;
    std::vector<std::string_view> deletes;
    std::vector<std::string_view> absent;
  };
  Writes RowWrites() const;
  std::span<const KeyRange> Ranges() const { return ranges_; }
  const std::map<std::string, std::vector<std::string>, std::less<>>& Records() const {
    return records_;
  }
  const std::map<std::string, std::pair<std::int64_t, std::int64_t>, std::less<>>& Sums() const {
    return sums_;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  class Batch;

  std::map<std::string_view, Value> read_;  // keys lie in the mutations
  std::map<std::string, Value, std::less<>> newest_;
  std::map<std::string_view, bool> rests_on_;  // read keys on which a write of several keys rests
  std::vector<std::string_view> absent_when_abandoned_;
  std::vector<KeyRange> ranges_;
  std::map<std::string, std::vector<std::string>, std::less<>> records_;
  std::map<std::string, std::pair<std::int64_t, std::int64_t>, std::less<>> sums_;
  std::vector<std::string> announced_;
  bool announces_ = false;
  std::size_t bytes_ = 0;
};

}  // namespace stator::postgres

#endif  // STATOR_STORAGE_POSTGRES_DECISIONS_H_
