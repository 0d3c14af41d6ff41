// Carries item writes through the store: reads the items, decides, writes, and tells the caller.
#ifndef STATOR_ENGINE_WRITE_WRITE_MUTATION_H_
#define STATOR_ENGINE_WRITE_WRITE_MUTATION_H_

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "engine/catalog/catalog.h"
#include "engine/unit_counts.h"
#include "engine/write/item_write.h"
#include "engine/write/write_gate.h"
#include "engine/write/write_path.h"
#include "storage/store.h"
#include "value/key_codec.h"

namespace stator {

// What decides a write besides the write itself. Must outlive every mutation.
struct WriteContext {
  const Catalog& catalog;
  const KeyHasher& hasher;
  WriteGate& gate;
  const Clock& clock;
  UnitCounts* unit_counts = nullptr;  // null: units are not counted
};

// One write, the usual case: all it needs is in one block of memory.
class OneWriteMutation final : public Mutation {
 public:
  OneWriteMutation(const WriteContext& context, ItemWrite&& write, OneWriteCallback done);

  std::span<const std::string> Keys() const override { return {&row_key_, 1}; }
  Verdict Decide(std::span<const std::optional<std::string_view>> values,
                 WriteBatch& batch) override;
  void Done(StorageResult<void> status) override;

 private:
  void CountFailure();

  const WriteContext context_;
  ItemWrite write_;
  const std::string row_key_;
  OneWriteCallback done_;

  // What Decide found; reset each time it runs.
  Result<WriteOutcome> outcome_;
  std::vector<CountChange> counts_;
  double failed_units_ = 0;  // what a condition that fails is charged
};

// All writes or none. REQUIRES: no two writes on the same item.
class WriteMutation final : public Mutation {
 public:
  WriteMutation(const WriteContext& context, std::vector<ItemWrite> writes, WriteCallback done);

  std::span<const std::string> Keys() const override { return row_keys_; }
  Verdict Decide(std::span<const std::optional<std::string_view>> values,
                 WriteBatch& batch) override;
  void Done(StorageResult<void> status) override;

 private:
  const WriteContext context_;
  std::vector<ItemWrite> writes_;
  std::vector<std::string> row_keys_;
  WriteCallback done_;

  // What Decide found; reset each time it runs.
  Result<std::vector<WriteOutcome>> outcomes_;
  std::vector<CountChange> counts_;
  TimeMs now_{};
};

}  // namespace stator

#endif  // STATOR_ENGINE_WRITE_WRITE_MUTATION_H_
