// A database on a simulated disk: clients write items, alone, in batches and in transactions; indexes,
// tables and backups come and go; the power fails or calls do.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/simulation/life.h"
#include "tests/simulation/simulation.h"
#include "tests/simulation/table_checks.h"
#include "tests/simulation/table_client.h"

namespace stator::simulation {
namespace {

constexpr std::size_t kStepsMax = 400;  // of a client until it gives up waiting for a cut
constexpr std::size_t kStepsWithFaults = 25;
constexpr const char* kSideTable = "Side";
constexpr const char* kRestored = "Restored";

// Something that is there or not, and that requests make and remove.
struct Presence {
  bool is_there = false;
  bool is_known = true;  // false: a request for it was not acknowledged
};

class DatabaseLife final : public Life {
 public:
  DatabaseLife(std::uint64_t seed, bool has_faults, Tally& tally)
      : Life(seed, has_faults, tally),
        clients_{TableClient("a", random().Seed()), TableClient("b", random().Seed())} {}

 private:
  Problem Open() override {
    StorageResult<std::unique_ptr<Store>> store = OpenStore();
    if (!store) return store.error().message;
    Result<std::unique_ptr<OpenDatabase>> database = OpenDatabase::Open(*std::move(store));
    if (!database) return database.error().message();
    database_ = *std::move(database);
    return std::nullopt;
  }

  void Close() override { database_.reset(); }

  // Nothing if the disk is why an operation failed.
  Problem Failed(const std::string& operation, const Error& error) const {
    return MayFail(operation + ": " + error.message());
  }

  Problem CheckOpened() override {
    is_sound_ = false;
    RETURN_IF_PROBLEM(problem_);
    for (const TableClient& client : clients_) RETURN_IF_PROBLEM(client.problem());
    const auto tables = database_->Call(kListTables, {});
    if (!tables) return Failed("ListTables", tables.error());
    database_->WaitForBackgroundWork();
    RETURN_IF_PROBLEM(CheckMainTable(tables->table_names));
    if (!is_sound_) return std::nullopt;
    RETURN_IF_PROBLEM(CheckSideTable());
    RETURN_IF_PROBLEM(CheckBackup());
    return RemoveRestored();
  }

  Problem CheckMainTable(const std::vector<std::string>& tables) {
    const bool exists = std::ranges::find(tables, kTable) != tables.end();
    if (!exists) {
      if (main_.is_there && main_.is_known && KeepsAll()) return "the table is gone";
      return MakeMainTable();
    }
    main_ = {.is_there = true};
    bool has_late = false;
    RETURN_IF_PROBLEM(Describe(has_late));
    if (disk().is_off() || disk().failed_calls() > 0) return std::nullopt;
    Result<Items> items = ReadItems(*database_, kTable);
    if (!items) return Failed("Scan", items.error());
    for (const TableClient& client : clients_) {
      tally().acknowledged += client.acknowledged();
      RETURN_IF_PROBLEM(client.Judge(*items, KeepsAll()));
    }
    RETURN_IF_PROBLEM(CheckAll(*items, has_late));
    return SettleClients(*std::move(items), has_late);
  }

  Problem MakeMainTable() {
    main_ = {.is_there = true, .is_known = false};
    if (const auto created = CreateMainTable(*database_); !created) {
      return Failed("CreateTable", created.error());
    }
    database_->WaitForBackgroundWork();
    main_.is_known = true;
    late_ = {};
    for (TableClient& client : clients_) client.Settle({});
    is_sound_ = true;
    keeps_side_ = KeepsAll();
    Settled();
    return std::nullopt;
  }

  Problem Describe(bool& has_late) {
    const auto described = database_->Call(kDescribeTable, {.table_name = kTable});
    if (!described) return Failed("DescribeTable", described.error());
    for (const TableDescription::Index& index : described->table.global_secondary_indexes) {
      if (index.index_status != IndexStatus::kActive) {
        return MayFail(index.index_name + " is not ACTIVE when all work is done");
      }
      has_late = has_late || index.index_name == kLateIndex;
    }
    if (late_.is_known && KeepsAll() && has_late != late_.is_there) {
      return fmt::format("the index {} is {}there", kLateIndex, has_late ? "" : "not ");
    }
    late_ = {.is_there = has_late};
    return std::nullopt;
  }

  Problem CheckAll(const Items& items, bool has_late) {
    for (const Checked& checked :
         {CheckIndexes(*database_, items, has_late), CheckStream(*database_, items)}) {
      if (checked.problem) return checked.problem;
      if (!checked.is_read) return MayFail(checked.failure);
    }
    return std::nullopt;
  }

  Problem SettleClients(Items items, bool has_late) {
    bool was_resent = false;
    for (TableClient& client : clients_) {
      bool was_answered = true;
      if (KeepsAll() && client.has_pending()) {
        was_resent = true;
        RETURN_IF_PROBLEM(client.SendAgain(*database_, items, was_answered));
      }
      // Not settled: the next opening compares with the same history.
      if (!was_answered) return std::nullopt;
    }
    if (was_resent) RETURN_IF_PROBLEM(CheckAll(items, has_late));
    for (TableClient& client : clients_) tally().in_flight += client.Settle(items) ? 1U : 0U;
    is_sound_ = true;
    keeps_side_ = KeepsAll();
    Settled();
    return std::nullopt;
  }

  Problem CheckSideTable() {
    const auto described = database_->Call(kDescribeTable, {.table_name = kSideTable});
    const bool exists = described.has_value();
    if (!exists && described.error().code() != ErrorCode::kResourceNotFound) {
      return Failed("DescribeTable", described.error());
    }
    if (side_.is_known && keeps_side_ && exists != side_.is_there) {
      return MayFail(exists ? "a deleted table is there" : "a table is gone");
    }
    side_ = {.is_there = exists};
    return std::nullopt;
  }

  Problem CheckBackup() {
    if (!backup_) return std::nullopt;
    const auto described = database_->Call(kDescribeBackup, {.backup_arn = backup_->arn});
    if (described) {
      if (described->backup.details.backup_status == BackupStatus::kAvailable) return std::nullopt;
      return MayFail("a backup is not AVAILABLE");
    }
    if (described.error().code() != ErrorCode::kBackupNotFound) {
      return Failed("DescribeBackup", described.error());
    }
    if (backup_->is_known && keeps_side_) return MayFail("a backup is gone");
    backup_.reset();
    return std::nullopt;
  }

  // A restore that was under way goes on by itself, and its table is not needed.
  Problem RemoveRestored() {
    if (!database_->Call(kDescribeTable, {.table_name = kRestored})) return std::nullopt;
    const auto answer = database_->Call(kDeleteTable, {.table_name = kRestored});
    if (!answer) return Failed("DeleteTable", answer.error());
    database_->WaitForBackgroundWork();
    return std::nullopt;
  }

  void Work() override {
    if (!is_sound_) return;
    const std::size_t steps = with_faults() ? kStepsWithFaults : kStepsMax;
    std::thread other([&] { Write(clients_[1], steps); });
    for (std::uint64_t count = random().Below(3); count > 0; --count) {
      Write(clients_[0], random().Below(6));
      if (clients_[0].has_pending()) break;
      Administer();
    }
    Write(clients_[0], steps);
    other.join();
  }

  void Write(TableClient& client, std::size_t steps) {
    for (std::size_t i = 0; i < steps && !client.has_pending(); ++i) {
      if (!client.Step(*database_)) return;
    }
  }

  void ChangeBackups() {
    if (!backup_) {
      const auto made =
          database_->Call(kCreateBackup, {.table_name = kTable, .backup_name = "simulated"});
      if (made) backup_ = {.arn = made->details.backup_arn, .items = clients_[0].newest()};
    } else if (random().Chance(50)) {
      backup_->is_known = false;
      if (database_->Call(kDeleteBackup, {.backup_arn = backup_->arn})) backup_.reset();
    } else {
      Restore();
    }
  }

  void Restore() {
    const auto answer = database_->Call(
        kRestoreTableFromBackup, {.target_table_name = kRestored, .backup_arn = backup_->arn});
    if (!answer) return;
    database_->WaitForBackgroundWork();
    const Result<Items> items = ReadItems(*database_, kRestored);
    if (items && clients_[0].OwnOf(*items) != backup_->items) {
      problem_ = "a restored table is not what was backed up";
    }
    if (database_->Call(kDeleteTable, {.table_name = kRestored}))
      database_->WaitForBackgroundWork();
  }

  // Adds or drops the late index, creates or deletes the other table, or does something with a backup.
  void Administer() {
    const std::uint64_t dice = random().Below(3);
    if (dice == 0) return ChangeBackups();
    if (dice == 1) {
      late_.is_known = false;
      const bool adds = !late_.is_there;
      if (!(adds ? AddLateIndex(*database_) : DropLateIndex(*database_))) return;
      database_->WaitForBackgroundWork();
      late_ = {.is_there = adds};
    } else {
      side_.is_known = false;
      const bool creates = !side_.is_there;
      const auto answer =
          creates ? database_->CallJson(kCreateTable, R"({"TableName": "Side", "KeySchema": [
              {"AttributeName": "pk", "KeyType": "HASH"}], "BillingMode": "PAY_PER_REQUEST",
              "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]})")
                  : database_->CallJson(kDeleteTable, R"({"TableName": "Side"})");
      if (!answer) return;
      database_->WaitForBackgroundWork();
      side_ = {.is_there = creates};
    }
  }

  Problem CheckRunning() override {
    RETURN_IF_PROBLEM(problem_);
    for (const TableClient& client : clients_) RETURN_IF_PROBLEM(client.problem());
    if (!is_sound_) return std::nullopt;
    // Reads fail with the disk, or are right.
    const Result<Items> items = ReadItems(*database_, kTable);
    if (!items) return std::nullopt;
    for (const TableClient& client : clients_) RETURN_IF_PROBLEM(client.Judge(*items, true));
    Checked checked = CheckIndexes(*database_, *items, false);
    if (checked.problem) return checked.problem;
    checked = CheckStream(*database_, *items);
    return checked.problem;
  }

  std::unique_ptr<OpenDatabase> database_;
  std::array<TableClient, 2> clients_;
  Presence main_;
  Presence late_;
  Presence side_;
  struct Backup {
    std::string arn;
    Items items;  // of the first client
    bool is_known = true;
  };
  std::optional<Backup> backup_;
  Problem problem_;
  bool is_sound_ = false;    // the table was read and is right
  bool keeps_side_ = false;  // what was acknowledged about the other table must be true
};

}  // namespace

Problem SimulateDatabase(std::uint64_t seed, std::uint64_t count, bool with_faults, Tally& tally) {
  DatabaseLife life(seed, with_faults, tally);
  return life.Rounds(count);
}

}  // namespace stator::simulation
