// Rows on their way from one store to another: slices of them, and whether both stores have the same.
#ifndef STATOR_DATABASE_COPY_COPIED_ROWS_H_
#define STATOR_DATABASE_COPY_COPIED_ROWS_H_

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "database/copy/copy.h"
#include "storage/store.h"

namespace stator {

// A commit of a copy holds about this much.
inline constexpr std::size_t kCopySliceBytes = std::size_t{4} << 20;

// Rows that are no part of what a database holds: the counts of its last close, and the row of an
// unfinished copy.
bool IsOfNoContent(std::string_view key);

struct CopiedRow {
  std::string key;
  std::string value;
};

struct RowSlice {
  std::vector<CopiedRow> rows;
  std::size_t bytes = 0;
  std::string end;       // the slice ends before this key; unused if it is the last one
  bool is_last = false;  // the range has no more rows
};
// The first rows of the range, without the row of an unfinished copy.
StorageResult<RowSlice> ReadRowSlice(const Checkpoint& rows, const KeyRange& range,
                                     std::size_t bytes_max);

// Rows to put, or to delete where there is no value.
using RowChanges = std::map<std::string, std::optional<std::string>, std::less<>>;

// What must change in `target` to make it like `source`, for the first rows of the range. Moves the begin
// of the range; false when nothing is left of it.
StorageResult<bool> NextDifference(const Checkpoint& source, const Checkpoint& target,
                                   KeyRange& range, RowChanges& changes, std::uint64_t& rows_read,
                                   std::uint64_t& bytes_read);

// The row counts and checksums of two stores, by key space.
class Comparison {
 public:
  explicit Comparison(KeyRange range = {});
  ~Comparison();
  Comparison(Comparison&&) noexcept;
  Comparison& operator=(Comparison&&) noexcept;

  // Compares the next rows; true while there are more.
  StorageResult<bool> Step(const Checkpoint& source, const Checkpoint& target);
  bool is_over() const { return is_over_; }
  // Rows before this key have been compared.
  const std::string& cursor() const { return range_.begin; }

  std::uint64_t rows() const { return rows_; }
  std::uint64_t bytes() const { return bytes_; }
  // "items and index entries: rows from 0200000001… on differ"; the first ones.
  const std::vector<std::string>& differences() const { return differences_; }
  std::vector<ComparedSpace> Spaces() const;

 private:
  struct Sums;
  KeyRange range_;
  bool is_over_ = false;
  std::uint64_t rows_ = 0;
  std::uint64_t bytes_ = 0;
  std::vector<std::string> differences_;
  std::unique_ptr<Sums> source_;
  std::unique_ptr<Sums> target_;
};

std::string HexText(std::string_view bytes);
std::optional<std::string> BytesOfHex(std::string_view hex);

}  // namespace stator

#endif  // STATOR_DATABASE_COPY_COPIED_ROWS_H_
