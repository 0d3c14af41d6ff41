// CopySource: a store that is copied to another, read as it is at one moment after the other.
//
//   source->Renew();                          rows() is the newest state, number() its last commit
//   … copy rows() …
//   source->Changes(source->number(), …)      what was committed since then
#ifndef STATOR_STORAGE_COPY_SOURCE_H_
#define STATOR_STORAGE_COPY_SOURCE_H_

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/round.h"
#include "storage/store.h"

namespace stator {

// Not thread-safe, except that rows() may be read by any thread until the next Renew.
class CopySource {
 public:
  virtual ~CopySource() = default;

  // Makes rows() the newest state. REQUIRES: called before what follows.
  virtual StorageResult<void> Renew() = 0;
  virtual const Checkpoint& rows() const = 0;
  // The number of the last commit in rows(); 0 if the store does not number its commits, and nothing is
  // known about its changes.
  virtual std::uint64_t number() const = 0;
  // Roughly how much of rows() lies before the key, when the rows before it have so many bytes: 0 to 1.
  virtual double PartBefore(const std::string& key, std::uint64_t bytes) const = 0;

  // Tries to keep everybody from writing to the source. Once true, always true.
  virtual StorageResult<bool> TryToOwn() = 0;

  // Visits the writes of one commit, and its number. Return false to stop after this commit.
  using VisitCommit =
      std::function<bool(std::uint64_t last_number, const std::vector<Write>& writes)>;
  // Visits the commits with numbers above `after` and up to `to` that have been made so far, in order.
  // Returns the number of the last one, or `after`; nullopt if some of them cannot be read any more.
  static constexpr std::uint64_t kNewest = std::numeric_limits<std::uint64_t>::max();
  virtual StorageResult<std::optional<std::uint64_t>> Changes(std::uint64_t after, std::uint64_t to,
                                                              const VisitCommit& visit) = 0;

  // As those of Store.
  virtual StorageResult<std::vector<std::string>> ListCheckpoints() const = 0;
  virtual StorageResult<std::unique_ptr<Checkpoint>> OpenCheckpoint(std::string_view id) const = 0;
};

// A data directory, in which nothing is written.
enum class CopyAccess : std::uint8_t {
  kAlone,  // refused (kLocked) if another process has it open
  kWatch,  // as another process may have it open and write to it
};
StorageResult<std::unique_ptr<CopySource>> OpenDirectoryToCopy(const std::string& directory,
                                                               CopyAccess access);

// Any store. What changes in it is not known.
std::unique_ptr<CopySource> MakeCopySource(std::unique_ptr<Store> store);

// The rows of a store, those of a view or the newest. REQUIRES: the store and the view outlive it.
std::unique_ptr<Checkpoint> RowsOf(const Store& store, const ReadView* view);

}  // namespace stator

#endif  // STATOR_STORAGE_COPY_SOURCE_H_
