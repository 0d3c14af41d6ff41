// Whether the files of a database are all there, and whole, before RocksDB sees them.
//
// RocksDB makes do with what it finds and then deletes what it does not know. So nothing is opened
// before this check, which changes nothing, finds the durable state complete.
#ifndef STATOR_STORAGE_ROCKSDB_DIRECTORY_CHECK_H_
#define STATOR_STORAGE_ROCKSDB_DIRECTORY_CHECK_H_

#include <rocksdb/file_system.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "storage/rocksdb/files.h"
#include "storage/rocksdb/ledger.h"
#include "storage/rocksdb/manifest.h"
#include "storage/store.h"

namespace stator {

struct DirectoryCheck {
  std::vector<std::string> problems;  // what is missing or damaged; empty: the state is complete
  std::vector<std::string> remarks;   // damage that loses nothing
  bool is_clean = false;              // it was closed in an orderly way
  bool has_ledger = false;
  bool has_tables = false;  // CURRENT and the manifest are whole, and the table files are there
  std::map<std::uint64_t, Manifest::Table> tables;  // that must be there, by number

  // The end of the logs. After an unclean stop the newest may have lost its end, if that was not yet
  // durable; nothing can tell whether there was one.
  std::uint64_t last_number = 0;    // of the newest commit that is there
  std::uint64_t dropped_bytes = 0;  // that follow it and are no whole commit
  bool drops_log_end = false;       // the logs do not go on where they end now
  std::string newest_log;           // its name; empty if there is none
  // Behind the last whole edit of the manifest there is a part of one that was never finished.
  struct Torn {
    std::string path;
    std::uint64_t sound_bytes = 0;
  };
  std::optional<Torn> torn_manifest;
  // The same of the newest log.
  std::optional<Torn> torn_log;

  Ledger ledger;  // what can be vouched for now, if there is no problem
};

// `directory` is the data directory, `database_path` its database. A directory must have a ledger
// unless it was made by a version without one, for which `sync` says how it was written.
DirectoryCheck CheckDirectory(rocksdb::FileSystem& files, const std::string& directory,
                              const std::string& database_path, bool must_have_ledger,
                              SyncMode sync);

// Writes the ledger of a database that has just been copied: what is there is all of it. An error if
// something is missing.
StorageResult<void> RecordAsComplete(const Files& files, const std::string& directory,
                                     const std::string& database_path);

// The problems, and what to do about them.
StorageError DamageError(const std::string& directory, const DirectoryCheck& check);

}  // namespace stator

#endif  // STATOR_STORAGE_ROCKSDB_DIRECTORY_CHECK_H_
