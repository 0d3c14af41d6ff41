// What the cases run against: a fresh database, called directly or over HTTP.
#ifndef STATOR_TESTS_CASES_RUNNER_TARGET_H_
#define STATOR_TESTS_CASES_RUNNER_TARGET_H_

#include <chrono>
#include <expected>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "stator/database.h"

namespace stator::cases {

struct TargetOptions {
  bool http = false;
  bool classic_wording = false;
  ClockSetting clock;
  std::filesystem::path directory;  // empty: in memory
  std::string store;                // instead of a directory: DatabaseOptions::store
  std::filesystem::path buckets;    // empty: none
};

class Target {
 public:
  // The error is for people.
  static std::expected<std::unique_ptr<Target>, std::string> Open(const TargetOptions& options);
  virtual ~Target() = default;

  virtual Database::Answer Call(std::string_view operation, std::string_view body) = 0;
  // Turns the clock. The error is for people.
  virtual std::expected<void, std::string> Advance(std::chrono::milliseconds by) = 0;
  void WaitForBackgroundWork() { database_->WaitForBackgroundWork(); }

 protected:
  explicit Target(std::unique_ptr<Database> database) : database_(std::move(database)) {}
  Database& database() { return *database_; }

 private:
  std::unique_ptr<Database> database_;
};

}  // namespace stator::cases

#endif  // STATOR_TESTS_CASES_RUNNER_TARGET_H_
