// For tests: stores on a real PostgreSQL, whose address is in STATOR_TEST_POSTGRES. Without it the tests
// that need one do not run; tests/cluster/postgres.py starts one and sets it.
#ifndef STATOR_STORAGE_TESTING_POSTGRES_H_
#define STATOR_STORAGE_TESTING_POSTGRES_H_

#include <libpq-fe.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/check.h"
#include "storage/store.h"

namespace stator {

inline std::optional<std::string> TestPostgresUrl() {
  const char* url = std::getenv("STATOR_TEST_POSTGRES");
  return url == nullptr ? std::nullopt : std::optional<std::string>(url);
}

// A schema of its own in that database. `name` is unique, and the same for the same place.
class TestPostgresSchema {
 public:
  explicit TestPostgresSchema(const std::string& name)
      : schema_("t" + std::to_string(std::hash<std::string>()(name))) {
    Run("CREATE SCHEMA IF NOT EXISTS " + schema_);
  }
  std::string url() const {
    const std::string base = TestPostgresUrl().value();
    const char joint = base.find('?') == std::string::npos ? '?' : '&';
    return base + joint + "options=-csearch_path%3D" + schema_;
  }
  void Drop() { Run("DROP SCHEMA IF EXISTS " + schema_ + " CASCADE"); }

 private:
  static void Run(const std::string& sql) {
    PGconn* connection = PQconnectdb(TestPostgresUrl().value().c_str());
    STATOR_CHECK(PQstatus(connection) == CONNECTION_OK);
    PQsetNoticeProcessor(connection, [](void*, const char*) {}, nullptr);
    PQclear(PQexec(connection, sql.c_str()));
    PQfinish(connection);
  }
  const std::string schema_;
};

inline std::unique_ptr<Store> OpenPostgresForTest(const std::string& name,
                                                  PostgresOptions options = {}) {
  options.url = TestPostgresSchema(name).url();
  auto store = OpenPostgresStore(options);
  STATOR_CHECK(store.has_value());
  return *std::move(store);
}

}  // namespace stator

#endif  // STATOR_STORAGE_TESTING_POSTGRES_H_
