#include "storage/copy_source.h"

#include <algorithm>
#include <utility>

#include "base/try.h"

namespace stator {
namespace {

class RowsOfStore final : public Checkpoint {
 public:
  RowsOfStore(const Store& store, const ReadView* view) : store_(store), view_(view) {}

  StorageResult<bool> Get(std::string_view key, std::string& value) const override {
    value.clear();
    bool is_there = false;
    const KeyRange one{std::string(key), std::string(key) + '\0'};
    RETURN_IF_ERROR(Scan(one, Direction::kForward, [&](std::string_view, std::string_view found) {
      is_there = true;
      value = found;
      return false;
    }));
    return is_there;
  }
  StorageResult<void> Scan(const KeyRange& range, Direction direction,
                           const Visitor& visit) const override {
    return store_.Scan(range, direction, visit, view_);
  }

 private:
  const Store& store_;
  const ReadView* const view_;
};

class StoreToCopy final : public CopySource {
 public:
  explicit StoreToCopy(std::unique_ptr<Store> store) : store_(std::move(store)) {}

  StorageResult<void> Renew() override {
    rows_.reset();
    view_.reset();
    view_ = store_->Snapshot();
    rows_ = RowsOf(*store_, view_.get());
    return {};
  }
  const Checkpoint& rows() const override { return *rows_; }
  std::uint64_t number() const override { return 0; }
  // Counting the bytes may take long: once is enough.
  double PartBefore(const std::string&, std::uint64_t bytes) const override {
    if (!bytes_) bytes_ = store_->ApproximateBytes({});
    if (*bytes_ == 0) return 0;
    return std::min(1.0, static_cast<double>(bytes) / static_cast<double>(*bytes_));
  }
  // Other processes may have it open, and nobody can be asked.
  StorageResult<bool> TryToOwn() override { return false; }
  StorageResult<std::optional<std::uint64_t>> Changes(std::uint64_t, std::uint64_t,
                                                      const VisitCommit&) override {
    return std::nullopt;
  }
  StorageResult<std::vector<std::string>> ListCheckpoints() const override {
    return store_->ListCheckpoints();
  }
  StorageResult<std::unique_ptr<Checkpoint>> OpenCheckpoint(std::string_view id) const override {
    return store_->OpenCheckpoint(id);
  }

 private:
  const std::unique_ptr<Store> store_;
  std::unique_ptr<ReadView> view_;
  std::unique_ptr<Checkpoint> rows_;
  mutable std::optional<std::uint64_t> bytes_;
};

}  // namespace

std::unique_ptr<CopySource> MakeCopySource(std::unique_ptr<Store> store) {
  return std::make_unique<StoreToCopy>(std::move(store));
}

std::unique_ptr<Checkpoint> RowsOf(const Store& store, const ReadView* view) {
  return std::make_unique<RowsOfStore>(store, view);
}

}  // namespace stator
