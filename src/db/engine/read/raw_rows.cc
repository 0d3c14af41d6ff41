#include "engine/read/raw_rows.h"

#include <memory>

#include "engine/engine.h"

namespace stator {
namespace {

class RawRowsMutation final : public Mutation {
 public:
  explicit RawRowsMutation(RawRows rows) : rows_(std::move(rows)) {}
  std::span<const std::string> Keys() const override { return {}; }
  Verdict Decide(std::span<const std::optional<std::string_view>>, WriteBatch& batch) override {
    for (const auto& [key, value] : rows_) {
      if (value) {
        batch.Put(key, *value);
      } else {
        batch.Delete(key);
      }
    }
    return Verdict::kCommit;
  }
  void Done(StorageResult<void>) override {}

 private:
  RawRows rows_;
};

}  // namespace

Result<void> WriteRawRows(Store& store, RawRows rows) {
  StorageResult<void> status =
      MutateAndWait(store, std::make_unique<RawRowsMutation>(std::move(rows)));
  if (!status) return std::unexpected(FromStorage(status.error()));
  return {};
}

}  // namespace stator
