// A downloader claims the oldest available file, fetches it and records the result. Any number of
// downloaders may run, in one process or in many; a file has one owner at a time.
#ifndef STATOR_SYSTEMS_DOWNLOADS_DOWNLOADER_H_
#define STATOR_SYSTEMS_DOWNLOADS_DOWNLOADER_H_

#include <cstdint>
#include <optional>
#include <string>

#include "stator/entity.h"
#include "systems/downloads/crypto.h"
#include "systems/downloads/fetch.h"
#include "systems/downloads/job.h"

namespace stator::systems::downloads {

struct DownloadReport {
  std::int64_t completed = 0;
  std::int64_t failed = 0;
  std::int64_t was_there = 0;  // of the completed: another claim had published the file
  std::int64_t lost = 0;       // claims that somebody took away meanwhile
  std::string problem = {};    // why the first one failed
};

class Downloader {
 public:
  // All must outlive this. People tell downloaders apart by `name`.
  Downloader(Entities& entities, const KeyPair& keys, const OutputFolder& output, std::string name);

  // Takes the job if it is available; nullopt if somebody else was faster.
  Fallible<std::optional<Job>> Claim(const FileName& name);
  // The oldest available job that nobody else takes first; nullopt if none is left.
  Fallible<std::optional<Job>> ClaimNext();
  // Fetches the file of a claimed job, and finishes or fails the job.
  Fallible<void> Work(const Job& job);
  // Claims and works until nothing is available.
  Fallible<void> Drain();

  const DownloadReport& report() const { return report_; }

 private:
  // Ends a job that still belongs to this claim; false if it does not.
  Fallible<bool> End(const Job& job, std::string_view move, const Change& change,
                     std::string_view to);

  Entities& entities_;
  const KeyPair& keys_;
  const OutputFolder& output_;
  const std::string name_;
  DownloadReport report_;
};

// Drains what is available with several downloaders, each on a thread of its own. The report is
// their sum.
Fallible<DownloadReport> DrainWith(int workers, Entities& entities, const KeyPair& keys,
                                   const OutputFolder& output, const std::string& name);

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_DOWNLOADER_H_
