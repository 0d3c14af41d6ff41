#include "tests/oracle/test_store.h"

#include <cstdlib>
#include <random>
#include <utility>

#include "tests/oracle/schema.h"

namespace stator::oracle {
namespace {

std::string RandomName() { return std::to_string(std::random_device()()); }

}  // namespace

TestStore::TestStore(const std::string& kind, bool strict_conflicts)
    : strict_conflicts_(strict_conflicts) {
  if (kind == "rocksdb") {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "stator-oracle-XXXXXX").string();
    if (!mkdtemp(pattern.data())) {
      problem_ = "cannot make a temporary directory";
      return;
    }
    directory_ = pattern;
  } else if (kind == "postgres" && TestPostgresUrl()) {
    schema_.emplace(RandomName());
  } else if (kind != "memory") {
    problem_ = "no such store: " + kind;
    return;
  }
  Open();
}

TestStore::~TestStore() {
  database_.reset();
  std::error_code ignored;
  if (!directory_.empty()) std::filesystem::remove_all(directory_, ignored);
  if (schema_) schema_->Drop();
}

void TestStore::Open() {
  Result<std::unique_ptr<Database>> opened =
      Database::Open({.directory = directory_.string(),
                      .store = schema_ ? schema_->url() : std::string(),
                      .durability = Durability::kOff,
                      .strict_conflicts = strict_conflicts_});
  if (opened) {
    database_ = *std::move(opened);
  } else {
    problem_ = opened.error().message();
  }
}

bool TestStore::Reopen() {
  database_.reset();
  Open();
  return database_ != nullptr;
}

std::string CreateTestTable(Database& database) {
  const Result<CreateTableResponse> created = database.CreateTable(Schema().CreateRequest());
  if (!created) return "CreateTable: " + created.error().message();
  database.WaitForBackgroundWork();
  const Result<DescribeTableResponse> described =
      database.DescribeTable({.table_name = kTableName});
  if (!described) return "DescribeTable: " + described.error().message();
  return described->table.table_status == TableStatus::kActive ? "" : "the table is not ACTIVE";
}

}  // namespace stator::oracle
