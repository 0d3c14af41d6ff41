// A database to test: in memory, or on disk in a directory that goes with it.
#ifndef STATOR_TESTS_ORACLE_TEST_STORE_H_
#define STATOR_TESTS_ORACLE_TEST_STORE_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "stator/database.h"
#include "storage/testing/postgres.h"

namespace stator::oracle {

class TestStore {
 public:
  // `kind` is "memory", "rocksdb" or "postgres". On failure database() is null and problem() says why.
  explicit TestStore(const std::string& kind, bool strict_conflicts = false);
  ~TestStore();
  TestStore(const TestStore&) = delete;
  TestStore& operator=(const TestStore&) = delete;

  Database* database() { return database_.get(); }
  const std::string& problem() const { return problem_; }
  // Closes the database and opens it again. REQUIRES: it is on disk.
  bool Reopen();
  bool is_on_disk() const { return !directory_.empty() || schema_; }

 private:
  void Open();

  const bool strict_conflicts_;
  std::filesystem::path directory_;
  std::optional<TestPostgresSchema> schema_;
  std::unique_ptr<Database> database_;
  std::string problem_;
};

// Creates the table of the schema and waits until it can be used. What went wrong, or nothing.
std::string CreateTestTable(Database& database);

}  // namespace stator::oracle

#endif  // STATOR_TESTS_ORACLE_TEST_STORE_H_
