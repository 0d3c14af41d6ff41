// Reads a data directory that may be damaged, and changes nothing in it: for `stator verify` and
// `stator repair`.
#ifndef STATOR_STORAGE_DIRECTORY_READER_H_
#define STATOR_STORAGE_DIRECTORY_READER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "storage/store.h"

namespace stator {

// What the files of a directory say, before a row is read.
struct DirectoryReport {
  std::vector<std::string> problems;  // what is missing or damaged
  std::vector<std::string> remarks;   // what is damaged, or unusual, but loses nothing
  bool has_ledger = false;
  bool was_closed = false;          // by an orderly stop
  std::uint64_t last_commit = 0;    // the newest commit that is there
  std::uint64_t dropped_bytes = 0;  // at the end of the logs that are no whole commit
  std::uint64_t table_files = 0;
  std::uint64_t table_bytes = 0;
};

// The newest rows. A scan goes on behind blocks that cannot be read.
class ReadableRows : public Checkpoint {
 public:
  // What had to be skipped so far: "between … and …: why".
  virtual std::vector<std::string> Skipped() const = 0;
};

struct OpenedDirectory {
  DirectoryReport report;
  std::unique_ptr<ReadableRows> rows;  // null if none can be read
};

// How many bytes have been read, of how many.
using BytesProgress = std::function<void(std::uint64_t done, std::uint64_t total)>;

// Compares the directory with its ledger, and reads every block of every table file. An error if this
// is not a data directory, or another process has it open.
StorageResult<OpenedDirectory> VerifyFiles(const std::string& directory,
                                           const BytesProgress& progress);

// The same, and all that can still be read, whatever is missing. Uses `scratch`, a new directory that
// the caller removes afterwards, if the table files that are there are not those that must be there.
StorageResult<OpenedDirectory> SalvageFiles(const std::string& directory,
                                            const std::string& scratch,
                                            const BytesProgress& progress);

}  // namespace stator

#endif  // STATOR_STORAGE_DIRECTORY_READER_H_
