// The store in memory: a copy-on-write tree. Readers work on the copy that the last commit published.
#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/try.h"
#include "storage/memory/cow_tree.h"
#include "storage/store.h"
#include "storage/writer.h"

namespace stator {
namespace {

// A caller commits at most this many rounds before the writer's own thread takes over.
constexpr int kRoundsOnCaller = 4;

class MemoryView final : public ReadView {
 public:
  explicit MemoryView(CowTree tree) : tree_(std::move(tree)) {}
  const CowTree& tree() const { return tree_; }

 private:
  const CowTree tree_;
};

class MemoryCheckpoint final : public Checkpoint {
 public:
  explicit MemoryCheckpoint(CowTree tree) : tree_(std::move(tree)) {}

  StorageResult<bool> Get(std::string_view key, std::string& value) const override {
    const std::optional<std::string_view> found = tree_.Find(key);
    value.assign(found.value_or(""));
    return found.has_value();
  }
  StorageResult<void> Scan(const KeyRange& range, Direction direction,
                           const Visitor& visit) const override {
    tree_.Visit(range, direction, visit);
    return {};
  }

 private:
  const CowTree tree_;
};

class MemoryStore final : public Store {
 public:
  explicit MemoryStore(const WriteLimits& limits)
      : writer_(
            *this, [this](std::span<const Write> writes) { return Commit(writes); },
            kRoundsOnCaller, limits) {}
  ~MemoryStore() override { writer_.Close(); }

  void Mutate(std::unique_ptr<Mutation> mutation) override { writer_.Mutate(std::move(mutation)); }

  StorageResult<bool> Get(std::string_view key, std::string& value) const override {
    value.clear();
    const CowTree tree = Published();
    const std::optional<std::string_view> found = tree.Find(key);
    if (found) value.assign(*found);
    return found.has_value();
  }

  StorageResult<std::vector<std::optional<std::string>>> MultiGet(
      std::span<const std::string> keys) const override {
    const CowTree tree = Published();
    std::vector<std::optional<std::string>> values;
    values.reserve(keys.size());
    for (const std::string& key : keys) values.emplace_back(tree.Find(key));
    return values;
  }

  std::unique_ptr<ReadView> Snapshot() const override {
    return std::make_unique<MemoryView>(Published());
  }

  StorageResult<void> Scan(const KeyRange& range, Direction direction, const Visitor& visit,
                           const ReadView* view, std::int64_t) const override {
    const CowTree tree =
        view == nullptr ? Published() : static_cast<const MemoryView*>(view)->tree();
    tree.Visit(range, direction, visit);
    return {};
  }

  std::uint64_t ApproximateBytes(const KeyRange& range) const override {
    std::uint64_t bytes = 0;
    Published().Visit(range, Direction::kForward,
                      [&](std::string_view key, std::string_view value) {
                        bytes += key.size() + value.size();
                        return true;
                      });
    return bytes;
  }

  StorageResult<void> MakeCheckpoint(std::string_view id, std::span<const KeyRange>) override {
    const std::scoped_lock lock(published_mutex_);
    checkpoints_.insert_or_assign(std::string(id), published_);
    return {};
  }

  StorageResult<void> ImportCheckpoint(std::string_view id, const RowsToVisit& rows) override {
    CowTree tree;
    RETURN_IF_ERROR(rows([&](std::string_view key, std::string_view value) {
      tree.Put(key, value);
      return true;
    }));
    const std::scoped_lock lock(published_mutex_);
    checkpoints_.insert_or_assign(std::string(id), tree.FrozenCopy());
    return {};
  }

  StorageResult<std::unique_ptr<Checkpoint>> OpenCheckpoint(std::string_view id) const override {
    const std::scoped_lock lock(published_mutex_);
    const auto found = checkpoints_.find(id);
    if (found != checkpoints_.end()) return std::make_unique<MemoryCheckpoint>(found->second);
    return std::unexpected(
        StorageError{StorageError::Kind::kCorrupt, "there is no checkpoint " + std::string(id)});
  }

  StorageResult<void> DeleteCheckpoint(std::string_view id) override {
    decltype(checkpoints_)::node_type freed_outside_the_lock;
    const std::scoped_lock lock(published_mutex_);
    const auto found = checkpoints_.find(id);
    if (found != checkpoints_.end()) freed_outside_the_lock = checkpoints_.extract(found);
    return {};
  }

  StorageResult<std::vector<std::string>> ListCheckpoints() const override {
    const std::scoped_lock lock(published_mutex_);
    std::vector<std::string> ids;
    ids.reserve(checkpoints_.size());
    for (const auto& [id, tree] : checkpoints_) ids.push_back(id);
    return ids;
  }

  Stats GetStats() const override {
    const Writer::Counts counts = writer_.GetCounts();
    return {.commits = counts.commits,
            .mutations = counts.mutations,
            .cache_bytes = Published().ByteCount()};
  }

 private:
  CowTree Published() const {
    const std::scoped_lock lock(published_mutex_);
    return published_;
  }

  StorageResult<void> Commit(std::span<const Write> writes) {
    for (const Write& write : writes) {
      switch (write.kind) {
        case Write::Kind::kPut:
          newest_.Put(write.key, write.value);
          break;
        case Write::Kind::kDelete:
          newest_.Erase(write.key);
          break;
        case Write::Kind::kDeleteRange:
          EraseRange({std::string(write.key), std::string(write.value)});
          break;
      }
    }
    CowTree replaced = newest_.FrozenCopy();
    const std::scoped_lock lock(published_mutex_);
    std::swap(published_, replaced);
    return {};
  }

  void EraseRange(const KeyRange& range) {
    std::vector<std::string> keys;
    newest_.Visit(range, Direction::kForward, [&](std::string_view key, std::string_view) {
      keys.emplace_back(key);
      return true;
    });
    for (const std::string& key : keys) newest_.Erase(key);
  }

  CowTree newest_;  // only the writer uses it
  mutable std::mutex published_mutex_;
  CowTree published_;                                        // guarded by published_mutex_
  std::map<std::string, CowTree, std::less<>> checkpoints_;  // guarded by published_mutex_
  Writer writer_;
};

}  // namespace

std::unique_ptr<Store> OpenMemoryStore(const WriteLimits& limits) {
  return std::make_unique<MemoryStore>(limits);
}

}  // namespace stator
