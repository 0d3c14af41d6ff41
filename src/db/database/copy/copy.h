// Copies a database from one store to another: a data directory, or a PostgreSQL database.
//
// While a copy is unfinished the target has the row 0x01 "copy" (copy_target.h), and no engine opens it.
// A copy that was interrupted goes on where it stopped.
#ifndef STATOR_DATABASE_COPY_COPY_H_
#define STATOR_DATABASE_COPY_COPY_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace stator {

struct CopyOptions {
  std::string from;  // a data directory, or postgres://…
  std::string to;
  // Keeps copying what changes until nobody writes to the source any more. A directory may be in use by
  // a server meanwhile.
  bool follow = false;
  // With follow: until there was no change for this long.
  std::optional<std::chrono::milliseconds> until_quiet;
  // With follow: until this is true.
  const std::atomic<bool>* stop = nullptr;
};

struct CopyProgress {
  const char* doing = "";
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  std::optional<double> part;           // of all that is to do in this step; absent: nobody knows
  std::optional<std::uint64_t> behind;  // changes that are read but not yet copied
};
using CopyProgressCallback = std::function<void(const CopyProgress&)>;

// What both sides hold of a kind of rows, and whether that is the same.
struct ComparedSpace {
  std::string name;  // "items and index entries"
  struct Side {
    std::uint64_t rows = 0;
    std::uint64_t bytes = 0;
    std::string checksum;  // of keys and values, in order: 32 hexadecimal digits
    bool operator==(const Side&) const = default;
  };
  Side source;
  Side target;
};

struct CopyReport {
  bool was_resumed = false;
  std::uint64_t rows = 0;  // written, changes included
  std::uint64_t bytes = 0;
  std::uint64_t changes = 0;  // of the source that were copied while it was followed
  std::uint64_t backups = 0;
  // When the source was followed, rows were compared at different times, so only the fact that they are
  // equal counts: no sums.
  std::vector<ComparedSpace> spaces;
  std::uint64_t compared_rows = 0;
  bool source_is_still = false;  // nobody can write to the source as long as the program runs
  std::optional<double> seconds_since_stop;  // from the moment the source was still to the end
  std::vector<std::string> differences;      // what is not equal; empty: all is
};

// The error says what to do.
std::expected<CopyReport, std::string> CopyDatabase(const CopyOptions& options,
                                                    const CopyProgressCallback& progress);
// Compares, and writes nothing.
std::expected<CopyReport, std::string> CompareDatabases(const CopyOptions& options,
                                                        const CopyProgressCallback& progress);

}  // namespace stator

#endif  // STATOR_DATABASE_COPY_COPY_H_
