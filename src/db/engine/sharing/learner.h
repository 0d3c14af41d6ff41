// Learner: brings what the engine keeps in memory of the catalog up to date, when a process that shares
// the store has changed it (Sharing::Learn in storage/store.h).
#ifndef STATOR_ENGINE_SHARING_LEARNER_H_
#define STATOR_ENGINE_SHARING_LEARNER_H_

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/store.h"

namespace stator {

// Thread-safe. The rows that change while an engine is being opened are remembered, and learnt when all
// of its parts are there to learn: by then it may have read some before and some after the change.
class Learner {
 public:
  // Publishes a row (nullopt: it is gone); true if it was this part's.
  using Part =
      std::function<StorageResult<bool>(std::string_view key, std::optional<std::string_view>)>;

  // Begins to listen. REQUIRES: the store is shared, and outlives the learner's last change.
  static StorageResult<std::shared_ptr<Learner>> Start(const Store& store);

  // From now on the parts learn, each row the first part that it belongs to, all rows of a part before
  // those of the next. `learnt` is called after that.
  StorageResult<void> Open(std::vector<Part> parts, std::function<void()> learnt);
  // Calls `learnt`, if it is open: there may be something else to do now.
  void Wake();
  // From now on nothing can be learnt, nor decided by what would have to be.
  void Close();

 private:
  explicit Learner(const Store& store) : store_(store) {}
  StorageResult<void> Learn(std::span<const std::string> keys);
  StorageResult<void> Publish(std::span<const std::string> keys);

  const Store& store_;
  std::mutex mutex_;
  bool is_open_ = false;  // guarded by mutex_, as is all that follows
  bool is_closed_ = false;
  std::vector<std::string> missed_;  // before it was open
  std::vector<Part> parts_;
  std::function<void()> learnt_;
};

}  // namespace stator

#endif  // STATOR_ENGINE_SHARING_LEARNER_H_
