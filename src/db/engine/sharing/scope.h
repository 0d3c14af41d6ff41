// What a thread is about on a store that several processes share (Sharing in storage/store.h): an
// operation that rests on what it found in the catalog, or work that only the keeper does.
//
// Both are remembered per thread, so that the writes below them (engine/store_access.h) need not be
// told. On a store of one process there are no scopes.
#ifndef STATOR_ENGINE_SHARING_SCOPE_H_
#define STATOR_ENGINE_SHARING_SCOPE_H_

#include <cstdint>
#include <optional>
#include <utility>

#include "stator/error.h"
#include "stator/result.h"
#include "storage/store.h"

namespace stator {

// An operation looks at the catalog (is the name free? is the table ACTIVE?) and then changes it. Its
// first change must be committed by the edition that it looked at. If another process has changed the
// catalog in between, the scope is stale, and the operation has to begin again.
class OperationScope {
 public:
  explicit OperationScope(const Sharing& sharing) : edition_(sharing.Edition()), outer_(current_) {
    current_ = this;
  }
  ~OperationScope() { current_ = outer_; }
  OperationScope(const OperationScope&) = delete;
  OperationScope& operator=(const OperationScope&) = delete;

  bool is_stale() const { return is_stale_; }

  // The edition that the next change must be committed by: until there was one, that of the operation.
  static std::optional<std::uint64_t> RequiredEdition() {
    if (current_ == nullptr || current_->has_changed_) return std::nullopt;
    return current_->edition_;
  }
  static void NoteChange() {
    if (current_ != nullptr) current_->has_changed_ = true;
  }
  static void NoteStale() {
    if (current_ != nullptr) current_->is_stale_ = true;
  }
  static bool IsStale() { return current_ != nullptr && current_->is_stale_; }

 private:
  static constinit thread_local OperationScope* current_;

  const std::uint64_t edition_;
  OperationScope* const outer_;
  bool has_changed_ = false;
  bool is_stale_ = false;
};

// Work of the keeper: what it writes is abandoned when another process has become the keeper.
class KeeperScope {
 public:
  KeeperScope() : outer_(std::exchange(is_active_, true)) {}
  ~KeeperScope() { is_active_ = outer_; }
  KeeperScope(const KeeperScope&) = delete;
  KeeperScope& operator=(const KeeperScope&) = delete;

  static bool IsActive() { return is_active_; }

 private:
  static constinit thread_local bool is_active_;
  const bool outer_;
};

// The others came first too often.
Error CatalogIsContended();

// Learns what others have changed.
Result<void> CatchUp(Sharing& sharing);

// Runs an operation that changes the catalog: on the newest edition, and again when that was not the
// newest any more as it came to its first change.
template <class Run>
auto RunOnNewestCatalog(Sharing& sharing, const Run& run) -> decltype(run()) {
  constexpr int kTries = 20;
  for (int i = 0; i < kTries; ++i) {
    if (Result<void> learnt = CatchUp(sharing); !learnt) {
      return std::unexpected(std::move(learnt).error());
    }
    const OperationScope scope(sharing);
    auto result = run();
    if (!scope.is_stale()) return result;
  }
  return std::unexpected(CatalogIsContended());
}

}  // namespace stator

#endif  // STATOR_ENGINE_SHARING_SCOPE_H_
