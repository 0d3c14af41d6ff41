// A downloader claims the oldest available file, fetches it and records the result. Any number of
// downloaders may run, in one process or in many; a file has one owner at a time.
#ifndef STATOR_SYSTEMS_DOWNLOADS_DOWNLOADER_H_
#define STATOR_SYSTEMS_DOWNLOADS_DOWNLOADER_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "stator/entity.h"
#include "systems/downloads/crypto.h"
#include "systems/downloads/fetch.h"
#include "systems/downloads/job.h"

namespace stator::systems::downloads {

// What is left of the bytes that may be downloaded in total. Thread-safe.
class ByteBudget {
 public:
  explicit ByteBudget(std::int64_t bytes) : left_(bytes) {}
  // False, and nothing is taken, if there is not that much.
  bool Take(std::int64_t bytes);
  void GiveBack(std::int64_t bytes) { left_ += bytes; }

 private:
  std::atomic<std::int64_t> left_;
};

struct DownloadReport {
  std::int64_t completed = 0;
  std::int64_t failed = 0;
  std::int64_t was_there = 0;  // of the completed: another claim had published the file
  std::int64_t lost = 0;       // claims that somebody took away meanwhile
  std::int64_t left_out = 0;   // looks at files that the budget is too small for
  std::string problem = {};    // why the first one failed
};

// Is told how downloads go, by several threads at once.
class DownloadObserver {
 public:
  virtual ~DownloadObserver() = default;
  virtual void Began(const Job& job) = 0;
  // How much of the file is there.
  virtual void Grew(const Job& job, std::int64_t plain_bytes) = 0;
  // `outcome` is for people: "completed", "failed: the source answers 404"
  virtual void Ended(const Job& job, std::string_view outcome) = 0;
};

struct DownloadOptions {
  FetchOptions fetch = {};
  // Both may be null, and outlive the downloaders otherwise.
  ByteBudget* budget = nullptr;
  DownloadObserver* observer = nullptr;
};

class Downloader {
 public:
  // All must outlive this. People tell downloaders apart by `name`.
  Downloader(Entities& entities, const KeyPair& keys, const OutputFolder& output, std::string name,
             DownloadOptions options = {});

  // Takes the job if it is available; nullopt if somebody else was faster.
  Fallible<std::optional<Job>> Claim(const FileName& name);
  // The oldest available job that nobody else takes first and that the budget allows; nullopt if
  // none is left.
  Fallible<std::optional<Job>> ClaimNext();
  // Fetches the file of a claimed job, and finishes or fails the job.
  Fallible<void> Work(const Job& job);
  // Claims and works until nothing is available.
  Fallible<void> Drain();

  const DownloadReport& report() const { return report_; }

 private:
  std::expected<Fetched, FetchError> FetchFile(const Job& job);
  void Count(const Job& job, const std::expected<Fetched, FetchError>& fetched, bool was_mine);
  // Ends a job that still belongs to this claim; false if it does not.
  Fallible<bool> End(const Job& job, std::string_view move, const Change& change,
                     std::string_view to);

  Entities& entities_;
  const KeyPair& keys_;
  const OutputFolder& output_;
  const std::string name_;
  const DownloadOptions options_;
  DownloadReport report_;
};

// Drains what is available with several downloaders, each on a thread of its own. The report is
// their sum.
Fallible<DownloadReport> DrainWith(int workers, Entities& entities, const KeyPair& keys,
                                   const OutputFolder& output, const std::string& name,
                                   const DownloadOptions& options = {});

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_DOWNLOADER_H_
