#include "systems/downloads/downloader.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "systems/program/items.h"
#include "systems/program/process.h"
#include "systems/program/text.h"

namespace stator::systems::downloads {
namespace {

constexpr std::size_t kMessageMax = 500;

}  // namespace

bool ByteBudget::Take(std::int64_t bytes) {
  std::int64_t left = left_;
  do {
    if (left < bytes) return false;
  } while (!left_.compare_exchange_weak(left, left - bytes));
  return true;
}

Downloader::Downloader(Entities& entities, const KeyPair& keys, const OutputFolder& output,
                       std::string name, DownloadOptions options)
    : entities_(entities),
      keys_(keys),
      output_(output),
      name_(std::move(name)),
      options_(std::move(options)) {}

Fallible<std::optional<Job>> Downloader::Claim(const FileName& name) {
  const std::string token = fmt::format("{}-{}", name_, Hex(RandomBytes(8)));
  const auto claimed = entities_.Move("FileJob", KeyOf(name), "claim",
                                      {.set = {{"ClaimedBy", token}}, .add = {{"Attempts", 1}}});
  if (claimed) return Job::Of(*claimed);
  const EntityError& error = claimed.error();
  if (error.kind == EntityErrorKind::kMissing) return std::nullopt;
  if (error.kind != EntityErrorKind::kConflict) return std::unexpected(error.message);
  // A claim whose answer was lost on the way is refused when it is sent again; the token tells.
  if (error.item && TextOf(*error.item, "ClaimedBy") == token) return Job::Of(*error.item);
  return std::nullopt;
}

Fallible<std::optional<Job>> Downloader::ClaimNext() {
  PageOptions options;
  do {
    const auto page = entities_.Query("available", {}, options);
    if (!page) return std::unexpected(page.error().message);
    for (const Item& item : page->items) {
      const SourceFile file = Job::Of(item).file;
      if (options_.budget != nullptr && !options_.budget->Take(file.size_bytes)) {
        ++report_.left_out;
        continue;
      }
      auto job = Claim(file.name);
      if (!job || *job) return job;
      if (options_.budget != nullptr) options_.budget->GiveBack(file.size_bytes);
    }
    // Others took the whole page.
    options.cursor = page->cursor;
  } while (!options.cursor.empty());
  return std::nullopt;
}

Fallible<bool> Downloader::End(const Job& job, std::string_view move, const Change& change,
                               std::string_view to) {
  const auto ended =
      entities_.Move("FileJob", KeyOf(job.file.name), move, change, to,
                     {.only_if = "ClaimedBy = $token", .parameters = {{"token", job.claimed_by}}});
  if (ended) return true;
  const EntityError& error = ended.error();
  if (error.kind == EntityErrorKind::kMissing) return false;
  if (error.kind != EntityErrorKind::kConflict) return std::unexpected(error.message);
  // As for claims: the first answer may have been lost.
  return error.item && TextOf(*error.item, "ClaimedBy") == job.claimed_by &&
         TextOf(*error.item, "Status") == to;
}

std::expected<Fetched, FetchError> Downloader::FetchFile(const Job& job) {
  FetchOptions options = options_.fetch;
  if (DownloadObserver* observer = options_.observer) {
    observer->Began(job);
    options.on_bytes = [observer, &job](std::int64_t bytes) { observer->Grew(job, bytes); };
  }
  return Fetch(job.file, job.claimed_by, keys_, output_, options);
}

void Downloader::Count(const Job& job, const std::expected<Fetched, FetchError>& fetched,
                       bool was_mine) {
  std::string outcome = "completed";
  if (!was_mine) {
    ++report_.lost;
    outcome = "taken away by another";
  } else if (!fetched) {
    ++report_.failed;
    outcome = (fetched.error().hopeless ? "error: " : "failed: ") + fetched.error().message;
    if (report_.problem.empty()) {
      report_.problem = fmt::format("{}: {}", job.file.name.id(), fetched.error().message);
    }
  } else {
    ++report_.completed;
    report_.was_there += *fetched == Fetched::kWasThere ? 1 : 0;
    if (*fetched == Fetched::kWasThere) outcome = "completed, it was there already";
  }
  if (options_.observer != nullptr) options_.observer->Ended(job, outcome);
}

Fallible<void> Downloader::Work(const Job& job) {
  const auto fetched = FetchFile(job);
  Fallible<bool> ended;
  if (fetched) {
    ended = End(job, "finish", {.remove = {"ErrorMessage"}}, "completed");
  } else {
    ended = End(job, "fail",
                {.set = {{"ErrorMessage", fetched.error().message.substr(0, kMessageMax)}}},
                fetched.error().hopeless ? "error" : "failed");
  }
  if (!ended) return std::unexpected(ended.error());
  Count(job, fetched, *ended);
  return {};
}

Fallible<void> Downloader::Drain() {
  while (true) {
    const auto job = ClaimNext();
    if (!job) return std::unexpected(job.error());
    if (!*job) return {};
    if (const auto worked = Work(**job); !worked) return worked;
  }
}

Fallible<DownloadReport> DrainWith(int workers, Entities& entities, const KeyPair& keys,
                                   const OutputFolder& output, const std::string& name,
                                   const DownloadOptions& options) {
  std::mutex mutex;
  Fallible<DownloadReport> sum;
  ForEach(static_cast<std::size_t>(workers), workers, [&](std::size_t i) {
    Downloader downloader(entities, keys, output, fmt::format("{}-{}", name, i), options);
    const auto drained = downloader.Drain();
    const std::scoped_lock lock(mutex);
    if (!drained) sum = std::unexpected(drained.error());
    if (!sum) return;
    sum->completed += downloader.report().completed;
    sum->failed += downloader.report().failed;
    sum->was_there += downloader.report().was_there;
    sum->lost += downloader.report().lost;
    sum->left_out = std::max(sum->left_out, downloader.report().left_out);
    if (sum->problem.empty()) sum->problem = downloader.report().problem;
  });
  return sum;
}

}  // namespace stator::systems::downloads
