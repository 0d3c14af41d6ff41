// One file from its address into the output folder: downloaded, decrypted, compared, published.
#ifndef STATOR_SYSTEMS_DOWNLOADS_FETCH_H_
#define STATOR_SYSTEMS_DOWNLOADS_FETCH_H_

#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <string_view>

#include "systems/downloads/crypto.h"
#include "systems/downloads/job.h"
#include "systems/downloads/output_folder.h"
#include "systems/downloads/retry.h"

namespace stator::systems::downloads {

struct FetchOptions {
  std::string ca_file = {};  // whom to trust; empty: the system's certificates
  std::int64_t bytes_max = SizeLimits().file_bytes;
  RetryOptions retry = {};
  // A transfer that gives next to nothing for so long is broken off.
  std::chrono::milliseconds silence_max = std::chrono::seconds(20);
  // Told how much of the file is there, whenever that changes.
  std::function<void(std::int64_t plain_bytes)> on_bytes = {};
};

struct FetchError {
  std::string message;
  bool hopeless = false;  // trying again cannot help
};

enum class Fetched {
  kDownloaded,
  kWasThere,  // the folder has the file; if it had it before, nothing was downloaded
};

// A transfer that breaks off is taken up again where it stopped, by this call or, after a failure or
// a kill, by the next one. What arrives must be as long as the manifest says and have its checksum.
std::expected<Fetched, FetchError> Fetch(const SourceFile& file, std::string_view claim,
                                         const KeyPair& keys, const OutputFolder& output,
                                         const FetchOptions& options = {});

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_FETCH_H_
