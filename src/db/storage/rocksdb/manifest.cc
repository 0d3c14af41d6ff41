#include "storage/rocksdb/manifest.h"

#include <fmt/format.h>

#include <charconv>

#include "storage/rocksdb/log_format.h"

namespace stator {
namespace {

// The tags of an edit's fields.
enum : std::uint64_t {
  kComparator = 1,
  kLogNumber = 2,
  kNextFileNumber = 3,
  kLastSequence = 4,
  kCompactCursor = 5,
  kDeletedFile = 6,
  kPrevLogNumber = 9,
  kMinLogNumberToKeep = 10,
  kNewFile = 103,
  kColumnFamily = 200,
  kColumnFamilyAdd = 201,
  kMaxColumnFamily = 203,
  kInAtomicGroup = 300,
  kSkippable = 1 << 13,  // bit of tags whose field says its own length
};
constexpr std::uint64_t kLastOfNewFile = 1;

// Reads the fields of an edit; after the first that does not fit every read gives 0 or nothing.
class EditReader {
 public:
  explicit EditReader(std::string_view edit) : rest_(edit) {}

  bool ok() const { return ok_; }
  bool AtEnd() const { return rest_.empty(); }

  std::uint64_t Number() {
    std::uint64_t number = 0;
    for (int shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      number |= std::uint64_t{byte & 0x7fU} << shift;
      if ((byte & 0x80U) == 0) return number;
    }
    ok_ = false;
    return 0;
  }
  void SkipBytes() {
    const std::uint64_t size = Number();
    ok_ = ok_ && size <= rest_.size();
    rest_.remove_prefix(ok_ ? size : rest_.size());
  }
  void SkipNumber() { static_cast<void>(Number()); }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

void ReadNewFile(EditReader& edit, Manifest& manifest) {
  edit.SkipNumber();  // level
  const std::uint64_t number = edit.Number();
  Manifest::Table& table = manifest.tables[number];
  table.bytes = edit.Number();
  edit.SkipBytes();  // smallest and largest key
  edit.SkipBytes();
  edit.SkipNumber();  // smallest number of a change
  table.last_number = edit.Number();
  while (edit.ok() && edit.Number() != kLastOfNewFile) edit.SkipBytes();
}

bool ApplyEdit(EditReader edit, Manifest& manifest) {
  while (edit.ok() && !edit.AtEnd()) {
    const std::uint64_t tag = edit.Number();
    switch (tag) {
      case kLogNumber:
        manifest.first_log = edit.Number();
        break;
      case kLastSequence:
        manifest.last_number = edit.Number();
        break;
      case kNextFileNumber:
      case kPrevLogNumber:
      case kMinLogNumberToKeep:
      case kColumnFamily:
      case kMaxColumnFamily:
      case kInAtomicGroup:
        edit.SkipNumber();
        break;
      case kComparator:
      case kColumnFamilyAdd:
        edit.SkipBytes();
        break;
      case kCompactCursor:
        edit.SkipNumber();
        edit.SkipBytes();
        break;
      case kDeletedFile:
        edit.SkipNumber();
        manifest.tables.erase(edit.Number());
        break;
      case kNewFile:
        ReadNewFile(edit, manifest);
        break;
      default:
        if ((tag & kSkippable) == 0) return false;
        edit.SkipBytes();
    }
  }
  return edit.ok();
}

std::optional<std::uint64_t> NumberIn(std::string_view digits) {
  std::uint64_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

constexpr std::string_view kManifestPrefix = "MANIFEST-";
constexpr std::string_view kLogSuffix = ".log";

}  // namespace

std::optional<Manifest> ReadManifest(std::string_view bytes) {
  Manifest manifest;
  bool is_understood = true;
  const LogReading reading = ReadLog(bytes, [&](std::string_view edit) {
    is_understood = is_understood && ApplyEdit(EditReader(edit), manifest);
  });
  if (!is_understood || reading.sound_bytes == 0) return std::nullopt;
  manifest.sound_bytes = reading.sound_bytes;
  manifest.edit_after_damage = reading.record_after_damage.has_value();
  return manifest;
}

std::string ManifestName(std::uint64_t number) {
  return fmt::format("{}{:06}", kManifestPrefix, number);
}
std::string LogName(std::uint64_t number) { return fmt::format("{:06}{}", number, kLogSuffix); }
std::string TableName(std::uint64_t number) { return fmt::format("{:06}.sst", number); }

std::optional<std::uint64_t> ManifestNumber(std::string_view name) {
  if (!name.starts_with(kManifestPrefix)) return std::nullopt;
  return NumberIn(name.substr(kManifestPrefix.size()));
}

std::optional<std::uint64_t> LogNumber(std::string_view name) {
  if (!name.ends_with(kLogSuffix)) return std::nullopt;
  return NumberIn(name.substr(0, name.size() - kLogSuffix.size()));
}

}  // namespace stator
