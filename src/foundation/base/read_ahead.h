// ReadAhead: rows that are fetched for several requests at once, before they are carried out.
//
// Where a read waits for a network, a request is first tried on a thread that must not wait. It gets as
// far as the row that it needs, notes it (Want) and ends there. Whoever collects such requests fetches
// their rows together and tries the requests again with the rows at hand.
#ifndef STATOR_BASE_READ_AHEAD_H_
#define STATOR_BASE_READ_AHEAD_H_

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace stator {

// For one thread.
class ReadAhead {
 public:
  // By key; nullopt: there is no such row.
  using Rows = std::unordered_map<std::string_view, std::optional<std::string>>;

  // While it lives, the thread finds these rows. Null: they could not be fetched.
  explicit ReadAhead(const Rows* rows)
      : outer_(std::exchange(rows_, rows)), outer_failed_(std::exchange(has_failed_, !rows)) {}
  ~ReadAhead() {
    rows_ = outer_;
    has_failed_ = outer_failed_;
  }
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  // Null if the row was not fetched.
  static const std::optional<std::string>* Find(std::string_view key) {
    if (rows_ == nullptr) return nullptr;
    const auto found = rows_->find(key);
    return found == rows_->end() ? nullptr : &found->second;
  }

  // Whether there is no sense in trying to fetch rows again.
  static bool HasFailed() { return has_failed_; }

  // What the request that the thread has just tried needs.
  static void Want(std::string_view key) { wanted_.assign(key); }
  // Empty if it did not say.
  static std::string TakeWanted() { return std::exchange(wanted_, {}); }

 private:
  static inline thread_local const Rows* rows_ = nullptr;
  static inline thread_local bool has_failed_ = false;
  static inline thread_local std::string wanted_;

  const Rows* const outer_;
  const bool outer_failed_;
};

}  // namespace stator

#endif  // STATOR_BASE_READ_AHEAD_H_
