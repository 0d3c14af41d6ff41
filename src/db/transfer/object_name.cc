#include "transfer/object_name.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/try.h"

namespace stator::transfer {
namespace {

constexpr std::size_t kBucketBytesMin = 3;
constexpr std::size_t kNameBytesMax = 255;  // of every file system in use

bool IsAlphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

std::unexpected<TransferError> BadName(std::string_view what, std::string_view name) {
  return Fail(TransferError::Kind::kBadName, fmt::format("{} is not allowed: {}", what, name));
}

bool IsFileName(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.size() <= kNameBytesMax &&
         !name.starts_with(kUploadPrefix);
}

}  // namespace

TransferResult<void> CheckBucket(std::string_view bucket) {
  const bool is_good = bucket.size() >= kBucketBytesMin && bucket.size() <= kNameBytesMax &&
                       IsAlphanumeric(bucket.front()) && IsAlphanumeric(bucket.back()) &&
                       std::ranges::all_of(bucket, [](char c) {
                         return IsAlphanumeric(c) || c == '.' || c == '-' || c == '_';
                       });
  if (is_good) return {};
  return Fail(TransferError::Kind::kBadName,
              fmt::format("the bucket is not allowed: {} (3 to 255 letters, digits, '.', '-', '_'; "
                          "a letter or digit first and last)",
                          bucket.substr(0, kNameBytesMax)));
}

TransferResult<SplitPrefix> SplitKeyPrefix(std::string_view prefix) {
  if (prefix.size() > kKeyBytesMax || prefix.find('\0') != std::string_view::npos) {
    return BadName("the key", prefix.substr(0, kKeyBytesMax));
  }
  SplitPrefix split;
  std::string_view rest = prefix;
  for (std::size_t slash = rest.find('/'); slash != std::string_view::npos;
       slash = rest.find('/')) {
    const std::string_view name = rest.substr(0, slash);
    if (!IsFileName(name)) return BadName("the key", prefix);
    split.folders.emplace_back(name);
    rest.remove_prefix(slash + 1);
  }
  split.name_start = rest;
  return split;
}

TransferResult<std::vector<std::string>> SplitKey(std::string_view key) {
  ASSIGN_OR_RETURN(SplitPrefix split, SplitKeyPrefix(key));
  if (!IsFileName(split.name_start)) return BadName("the key", key);
  split.folders.push_back(std::move(split.name_start));
  return std::move(split.folders);
}

std::string JoinKey(std::string_view prefix, std::string_view key) {
  std::string joined(prefix);
  if (!joined.empty() && !joined.ends_with('/')) joined.push_back('/');
  return joined.append(key);
}

}  // namespace stator::transfer
