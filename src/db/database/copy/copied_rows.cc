#include "database/copy/copied_rows.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <utility>

#include "base/big_endian.h"
#include "base/try.h"
#include "engine/catalog/row_key.h"
#include "engine/check/stored_catalog.h"
#include "engine/store_access.h"

namespace stator {
namespace {

constexpr std::size_t kComparedBytes = std::size_t{16} << 20;  // in one step
constexpr std::size_t kDifferencesKept = 20;
constexpr std::size_t kRowOverheadBytes = 64;  // so that slices of tiny rows stay small

const char* SpaceName(unsigned char space) {
  switch (static_cast<char>(space)) {
    case kCatalogSpace:
      return "catalog";
    case kRowSpace:
      return "items and index entries";
    case kStreamSpace:
      return "stream records";
    case kExpirySpace:
      return "expiry";
    case kHistorySpace:
      return "history";
    case kTokenSpace:
      return "transaction tokens";
    default:
      return "other rows";
  }
}

bool IsBefore(std::string_view key, const std::string& end, bool is_unbounded) {
  return is_unbounded || key < end;
}

}  // namespace

bool IsOfNoContent(std::string_view key) { return key == kCopyRow || key == kCountsRow; }

StorageResult<RowSlice> ReadRowSlice(const Checkpoint& rows, const KeyRange& range,
                                     std::size_t bytes_max) {
  RowSlice slice{.end = range.end, .is_last = true};
  std::size_t weight = 0;
  RETURN_IF_ERROR(
      rows.Scan(range, Direction::kForward, [&](std::string_view key, std::string_view value) {
        if (key == kCopyRow) return true;
        if (weight >= bytes_max) {
          slice.end = key;
          slice.is_last = false;
          return false;
        }
        slice.rows.push_back({std::string(key), std::string(value)});
        slice.bytes += key.size() + value.size();
        weight += key.size() + value.size() + kRowOverheadBytes;
        return true;
      }));
  return slice;
}

StorageResult<bool> NextDifference(const Checkpoint& source, const Checkpoint& target,
                                   KeyRange& range, RowChanges& changes, std::uint64_t& rows_read,
                                   std::uint64_t& bytes_read) {
  ASSIGN_OR_RETURN(const RowSlice wanted, ReadRowSlice(source, range, kCopySliceBytes));
  ASSIGN_OR_RETURN(const RowSlice present, ReadRowSlice(target, range, kCopySliceBytes));
  // Up to the end of the shorter slice.
  const bool is_last = wanted.is_last && present.is_last;
  std::string end = wanted.end;
  if (wanted.is_last || (!present.is_last && present.end < wanted.end)) end = present.end;
  auto have = present.rows.begin();
  const auto delete_before = [&](std::string_view key, bool is_unbounded) {
    for (; have != present.rows.end() && (is_unbounded || have->key < key); ++have) {
      if (!IsBefore(have->key, end, is_last)) return;
      changes[have->key] = std::nullopt;
    }
  };
  for (const CopiedRow& row : wanted.rows) {
    if (!IsBefore(row.key, end, is_last)) break;
    ++rows_read;
    bytes_read += row.key.size() + row.value.size();
    delete_before(row.key, false);
    const bool is_there = have != present.rows.end() && have->key == row.key;
    if (!is_there || have->value != row.value) changes[row.key] = row.value;
    if (is_there) ++have;
  }
  delete_before({}, true);
  range.begin = end;
  return !is_last;
}

struct Comparison::Sums {
  struct Space {
    std::uint64_t rows = 0;
    std::uint64_t bytes = 0;
    XXH3_state_t* state = nullptr;
  };
  std::map<unsigned char, Space> spaces;
  // Of the rows of the current step.
  std::map<unsigned char, std::uint64_t> step;

  Sums() = default;
  Sums(const Sums&) = delete;
  Sums& operator=(const Sums&) = delete;
  ~Sums() {
    for (auto& [byte, space] : spaces) XXH3_freeState(space.state);
  }

  void Add(std::string_view key, std::string_view value) {
    const auto byte = static_cast<unsigned char>(key.empty() ? 0 : key[0]);
    Space& space = spaces[byte];
    if (space.state == nullptr) {
      space.state = XXH3_createState();
      XXH3_128bits_reset(space.state);
    }
    // The sizes keep a key and its value apart.
    const std::string sizes = BigEndian(key.size(), 4) + BigEndian(value.size(), 4);
    XXH3_128bits_update(space.state, sizes.data(), sizes.size());
    XXH3_128bits_update(space.state, key.data(), key.size());
    XXH3_128bits_update(space.state, value.data(), value.size());
    std::uint64_t& sum = step[byte];
    sum = XXH3_64bits_withSeed(key.data(), key.size(), sum + 1);
    sum = XXH3_64bits_withSeed(value.data(), value.size(), sum);
    ++space.rows;
    space.bytes += key.size() + value.size();
  }

  ComparedSpace::Side SideOf(unsigned char byte) const {
    const auto found = spaces.find(byte);
    if (found == spaces.end()) return {};
    const XXH128_hash_t digest = XXH3_128bits_digest(found->second.state);
    return {found->second.rows, found->second.bytes,
            fmt::format("{:016x}{:016x}", digest.high64, digest.low64)};
  }
};

Comparison::Comparison(KeyRange range)
    : range_(std::move(range)),
      source_(std::make_unique<Sums>()),
      target_(std::make_unique<Sums>()) {}
Comparison::~Comparison() = default;
Comparison::Comparison(Comparison&&) noexcept = default;
Comparison& Comparison::operator=(Comparison&&) noexcept = default;

StorageResult<bool> Comparison::Step(const Checkpoint& source, const Checkpoint& target) {
  if (is_over_) return false;
  source_->step.clear();
  target_->step.clear();
  std::size_t bytes = 0;
  std::string end = range_.end;
  bool is_last = true;
  RETURN_IF_ERROR(
      source.Scan(range_, Direction::kForward, [&](std::string_view key, std::string_view value) {
        if (IsOfNoContent(key)) return true;
        if (bytes >= kComparedBytes) {
          end = key;
          is_last = false;
          return false;
        }
        bytes += key.size() + value.size() + kRowOverheadBytes;
        ++rows_;
        bytes_ += key.size() + value.size();
        source_->Add(key, value);
        return true;
      }));
  RETURN_IF_ERROR(target.Scan({range_.begin, end}, Direction::kForward,
                              [&](std::string_view key, std::string_view value) {
                                if (!IsOfNoContent(key)) target_->Add(key, value);
                                return true;
                              }));
  for (const auto* side : {source_.get(), target_.get()}) {
    for (const auto& [byte, sum] : side->step) {
      const auto& other = (side == source_.get() ? target_ : source_)->step;
      const auto found = other.find(byte);
      const bool is_same = found != other.end() && found->second == sum;
      // A difference that both sides see is named once.
      if (is_same || (side == target_.get() && found != other.end())) continue;
      if (differences_.size() < kDifferencesKept) {
        differences_.push_back(fmt::format("{}: rows from {} on differ", SpaceName(byte),
                                           HexText(range_.begin.substr(0, 24))));
      }
    }
  }
  range_.begin = std::move(end);
  is_over_ = is_last;
  return !is_last;
}

std::vector<ComparedSpace> Comparison::Spaces() const {
  std::map<unsigned char, bool> bytes;
  for (const auto& [byte, space] : source_->spaces) bytes[byte] = true;
  for (const auto& [byte, space] : target_->spaces) bytes[byte] = true;
  std::vector<ComparedSpace> spaces;
  for (const auto& [byte, ignored] : bytes) {
    spaces.push_back({SpaceName(byte), source_->SideOf(byte), target_->SideOf(byte)});
  }
  return spaces;
}

std::string HexText(std::string_view bytes) {
  std::string hex;
  hex.reserve(2 * bytes.size());
  for (const char c : bytes) hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return hex;
}

std::optional<std::string> BytesOfHex(std::string_view hex) {
  if (hex.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
  };
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const int high = digit(hex[i]);
    const int low = digit(hex[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(high * 16 + low));
  }
  return bytes;
}

}  // namespace stator
