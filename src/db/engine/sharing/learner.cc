#include "engine/sharing/learner.h"

#include <utility>

#include "base/try.h"

namespace stator {

StorageResult<std::shared_ptr<Learner>> Learner::Start(const Store& store) {
  std::shared_ptr<Learner> learner(new Learner(store));
  RETURN_IF_ERROR(store.sharing()->StartLearning(
      [learner](std::span<const std::string> keys) { return learner->Learn(keys); }));
  return learner;
}

StorageResult<void> Learner::Open(std::vector<Part> parts, std::function<void()> learnt) {
  const std::scoped_lock lock(mutex_);
  parts_ = std::move(parts);
  RETURN_IF_ERROR(Publish(std::exchange(missed_, {})));
  learnt_ = std::move(learnt);
  is_open_ = true;
  return {};
}

void Learner::Wake() {
  const std::scoped_lock lock(mutex_);
  if (learnt_) learnt_();
}

void Learner::Close() {
  const std::scoped_lock lock(mutex_);
  is_closed_ = true;
  parts_.clear();
  learnt_ = {};
}

StorageResult<void> Learner::Learn(std::span<const std::string> keys) {
  const std::scoped_lock lock(mutex_);
  if (is_closed_) {
    return std::unexpected(
        StorageError{StorageError::Kind::kClosed, "the database is being closed"});
  }
  if (!is_open_) {
    missed_.insert(missed_.end(), keys.begin(), keys.end());
    return {};
  }
  RETURN_IF_ERROR(Publish(keys));
  learnt_();
  return {};
}

StorageResult<void> Learner::Publish(std::span<const std::string> keys) {
  if (keys.empty()) return {};
  ASSIGN_OR_RETURN(const std::vector<std::optional<std::string>> values, store_.MultiGet(keys));
  std::vector<bool> is_learnt(keys.size());
  for (const Part& part : parts_) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (is_learnt[i]) continue;
      std::optional<std::string_view> value;
      if (values[i]) value = *values[i];
      ASSIGN_OR_RETURN(is_learnt[i], part(keys[i], value));
    }
  }
  return {};
}

}  // namespace stator
