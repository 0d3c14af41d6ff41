// For tests: the fixture of the store contract, which runs every test on every kind of store.
#ifndef STATOR_STORAGE_TESTING_STORE_CONTRACT_H_
#define STATOR_STORAGE_TESTING_STORE_CONTRACT_H_

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "storage/store.h"
#include "storage/testing/postgres.h"
#include "storage/testing/test_directory.h"
#include "storage/testing/test_mutation.h"

namespace stator {

struct StoreKind {
  std::string name;
  // Opens a new store; the directory is its own.
  std::unique_ptr<Store> (*open)(const std::string& directory);
};

inline void PrintTo(const StoreKind& kind, std::ostream* out) { *out << kind.name; }

template <SyncMode kSync>
std::unique_ptr<Store> OpenRocksForTest(const std::string& directory) {
  auto store = OpenRocksStore({.directory = directory, .sync = kSync});
  EXPECT_TRUE(store) << store.error().message;
  return *std::move(store);
}

// PostgreSQL where there is one (testing/postgres.h).
inline std::vector<StoreKind> StoreKinds() {
  std::vector<StoreKind> kinds = {
      {"Memory", [](const std::string&) { return OpenMemoryStore(); }},
      {"RocksSynced", OpenRocksForTest<SyncMode::kAlways>},
      {"RocksUnsynced", OpenRocksForTest<SyncMode::kOff>},
  };
  if (TestPostgresUrl()) {
    kinds.push_back(
        {"Postgres", [](const std::string& directory) { return OpenPostgresForTest(directory); }});
  }
  if (TestPostgresUrl()) {
    kinds.push_back({"PostgresRowByRow", [](const std::string& directory) {
                       return OpenPostgresForTest(directory, {.locks_each_row = true});
                     }});
  }
  return kinds;
}

class StoreContract : public ::testing::TestWithParam<StoreKind> {
 protected:
  std::unique_ptr<Store> Open() { return GetParam().open(directory_.path()); }

 private:
  TestDirectory directory_;

 protected:
  std::unique_ptr<Store> store_ = Open();
};

}  // namespace stator

#endif  // STATOR_STORAGE_TESTING_STORE_CONTRACT_H_
