// One file from its address into the output folder: downloaded, unwrapped, decrypted, compared.
#ifndef STATOR_SYSTEMS_DOWNLOADS_FETCH_H_
#define STATOR_SYSTEMS_DOWNLOADS_FETCH_H_

#include <expected>
#include <string>
#include <string_view>

#include "systems/downloads/key_pair.h"
#include "systems/downloads/manifest.h"
#include "systems/downloads/output_folder.h"

namespace stator::systems::downloads {

struct FetchError {
  std::string message;
  bool hopeless = false;  // trying again cannot help
};

enum class Fetched {
  kDownloaded,
  kWasThere,  // the folder had the file; if before the transfer, nothing was downloaded
};

std::expected<Fetched, FetchError> Fetch(const SourceFile& file, std::string_view claim,
                                         const KeyPair& keys, const OutputFolder& output);

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_FETCH_H_
