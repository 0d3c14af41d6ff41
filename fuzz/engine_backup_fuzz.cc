// Any bytes as a backup's catalog row: refused, or read and written back without a change of meaning.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "engine/history/backup.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view row(reinterpret_cast<const char*>(data), size);
  const std::optional<stator::Backup> backup = stator::DecodeBackup(row);
  if (!backup) return 0;
  const std::string written = stator::EncodeBackup(*backup);
  const std::optional<stator::Backup> again = stator::DecodeBackup(written);
  if (!again || stator::EncodeBackup(*again) != written) std::abort();
  return 0;
}
