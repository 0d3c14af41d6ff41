// Several downloaders in one process.
#ifndef STATOR_SYSTEMS_DOWNLOADS_WORKERS_H_
#define STATOR_SYSTEMS_DOWNLOADS_WORKERS_H_

#include <expected>
#include <string>

#include "stator/entity.h"
#include "systems/downloads/downloader.h"

namespace stator::systems::downloads {

// So many downloaders drain what is available, each on a thread of its own. The report sums up.
std::expected<DownloadReport, std::string> DrainWith(int workers, Entities& entities,
                                                     const KeyPair& keys,
                                                     const OutputFolder& output,
                                                     const std::string& name);

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_WORKERS_H_
