// What a manifest of RocksDB says: which files a database consists of.
//
// A manifest is a log (log_format.h) of edits; an edit is a sequence of tagged fields. Only what is
// needed to tell whether the files are there is read, and every length is checked.
#ifndef STATOR_STORAGE_ROCKSDB_MANIFEST_H_
#define STATOR_STORAGE_ROCKSDB_MANIFEST_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace stator {

struct Manifest {
  std::uint64_t first_log = 0;     // logs of smaller numbers are not needed any more
  std::uint64_t last_number = 0;   // of a commit, when the last edit was made
  std::uint64_t sound_bytes = 0;   // up to here there are whole edits
  bool edit_after_damage = false;  // and there is another behind the damage that follows
  struct Table {
    std::uint64_t bytes = 0;
    std::uint64_t last_number = 0;  // of a commit in it, or smaller
  };
  std::map<std::uint64_t, Table> tables;  // by number
};

// Nullopt if there is no edit, or one that cannot be understood.
std::optional<Manifest> ReadManifest(std::string_view bytes);

// "MANIFEST-000005", "000007.log", "000009.sst"
std::string ManifestName(std::uint64_t number);
std::string LogName(std::uint64_t number);
std::string TableName(std::uint64_t number);
// The number in such a name.
std::optional<std::uint64_t> ManifestNumber(std::string_view name);
std::optional<std::uint64_t> LogNumber(std::string_view name);

}  // namespace stator

#endif  // STATOR_STORAGE_ROCKSDB_MANIFEST_H_
