// A downloader: claims the oldest available file, fetches it and says what came of it. Any number of
// them may run, in one process or in many; a file has one owner at a time.
#ifndef STATOR_SYSTEMS_DOWNLOADS_DOWNLOADER_H_
#define STATOR_SYSTEMS_DOWNLOADS_DOWNLOADER_H_

#include <cstdint>
#include <expected>
#include <optional>
#include <string>

#include "stator/entity.h"
#include "systems/downloads/job.h"
#include "systems/downloads/key_pair.h"
#include "systems/downloads/output_folder.h"

namespace stator::systems::downloads {

struct DownloadReport {
  std::int64_t completed = 0;
  std::int64_t failed = 0;
  std::int64_t was_there = 0;  // of the completed: another claim had published the file
  std::int64_t lost = 0;       // claims that somebody took away meanwhile
  std::string problem = {};    // why the first of the failed did
};

class Downloader {
 public:
  // All must outlive this. `name` tells downloaders apart for people.
  Downloader(Entities& entities, const KeyPair& keys, const OutputFolder& output, std::string name);

  // Takes the job if it is available; nullopt: somebody else was faster.
  std::expected<std::optional<Job>, std::string> Claim(const FileName& name);
  // The oldest available job that nobody else takes first; nullopt: none is left.
  std::expected<std::optional<Job>, std::string> ClaimNext();
  // Fetches the file of a claimed job, and finishes or fails the job.
  std::expected<void, std::string> Work(const Job& job);
  // Until nothing is available.
  std::expected<void, std::string> Drain();

  const DownloadReport& report() const { return report_; }

 private:
  // Ends a job that is still this claim's. False: it is not.
  std::expected<bool, std::string> End(const Job& job, std::string_view move, const Change& change,
                                       std::string_view to);

  Entities& entities_;
  const KeyPair& keys_;
  const OutputFolder& output_;
  const std::string name_;
  DownloadReport report_;
};

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_DOWNLOADER_H_
