// Names of buckets and keys that may become paths of files.
#ifndef STATOR_TRANSFER_OBJECT_NAME_H_
#define STATOR_TRANSFER_OBJECT_NAME_H_

#include <string>
#include <string_view>
#include <vector>

#include "transfer/transfer_error.h"

namespace stator::transfer {

inline constexpr std::size_t kKeyBytesMax = 1024;

// Files that are being written have this prefix; they are not objects.
inline constexpr std::string_view kUploadPrefix = ".stator-upload-";

// 3 to 255 letters, digits, points, hyphens and underscores; the first and last a letter or digit.
TransferResult<void> CheckBucket(std::string_view bucket);

// The folders of a key and its file: at least one, none of them empty, "." or "..", without NUL.
TransferResult<std::vector<std::string>> SplitKey(std::string_view key);

// A prefix of keys: the whole folders in it, and the beginning of a name behind them.
struct SplitPrefix {
  std::vector<std::string> folders;
  std::string name_start;
};
TransferResult<SplitPrefix> SplitKeyPrefix(std::string_view prefix);

// "a", "a/" and "" with "b" give "a/b", "a/b" and "b".
std::string JoinKey(std::string_view prefix, std::string_view key);

}  // namespace stator::transfer

#endif  // STATOR_TRANSFER_OBJECT_NAME_H_
