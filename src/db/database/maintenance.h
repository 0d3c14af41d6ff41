// What can be done with a data directory that no database has open: check it, and save what can be
// saved of it. Neither changes the directory.
#ifndef STATOR_DATABASE_MAINTENANCE_H_
#define STATOR_DATABASE_MAINTENANCE_H_

#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <vector>

namespace stator {

struct VerifyReport {
  std::vector<std::string> problems;  // the first ones; all are counted
  std::uint64_t problem_count = 0;
  std::vector<std::string> remarks;
  bool was_closed = false;  // by an orderly stop
  bool rows_were_read = false;
  std::uint64_t last_commit = 0;
  std::uint64_t dropped_bytes = 0;
  std::uint64_t table_files = 0;
  std::uint64_t table_bytes = 0;
  std::uint64_t rows = 0;
  std::uint64_t tables = 0;
  std::uint64_t items = 0;
  std::uint64_t entries = 0;
  std::uint64_t records = 0;
  bool is_sound() const { return problem_count == 0; }
};

struct RepairReport {
  VerifyReport before;            // of the damaged directory's files
  std::vector<std::string> lost;  // the first ones; all are counted
  std::uint64_t lost_count = 0;
  VerifyReport after;  // of the new directory
};

// What is being done, how much of it is done, and of how much (0: nobody knows).
using MaintenanceProgress =
    std::function<void(const char* doing, std::uint64_t done, std::uint64_t total)>;

// Reads everything in a data directory: every block of every file, every row, every index against
// its table, every log. The error says why it cannot be read at all.
std::expected<VerifyReport, std::string> VerifyDirectory(const std::string& directory,
                                                         const MaintenanceProgress& progress);

// Makes a new data directory of what can be read in a damaged one. REQUIRES: `to` does not exist, or
// is empty.
std::expected<RepairReport, std::string> RepairDirectory(const std::string& from,
                                                         const std::string& to,
                                                         const MaintenanceProgress& progress);

}  // namespace stator

#endif  // STATOR_DATABASE_MAINTENANCE_H_
