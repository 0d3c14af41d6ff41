#include "systems/downloads/downloader.h"

#include <fmt/format.h>

#include <mutex>

#include "systems/program/items.h"
#include "systems/program/process.h"
#include "systems/program/text.h"

namespace stator::systems::downloads {
namespace {

constexpr std::size_t kMessageMax = 500;

}  // namespace

Downloader::Downloader(Entities& entities, const KeyPair& keys, const OutputFolder& output,
                       std::string name)
    : entities_(entities), keys_(keys), output_(output), name_(std::move(name)) {}

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
      auto job = Claim(Job::Of(item).file.name);
      if (!job || *job) return job;
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

Fallible<void> Downloader::Work(const Job& job) {
  const auto fetched = Fetch(job.file, job.claimed_by, keys_, output_);
  Fallible<bool> ended;
  if (fetched) {
    ended = End(job, "finish", {.remove = {"ErrorMessage"}}, "completed");
  } else {
    ended = End(job, "fail",
                {.set = {{"ErrorMessage", fetched.error().message.substr(0, kMessageMax)}}},
                fetched.error().hopeless ? "error" : "failed");
  }
  if (!ended) return std::unexpected(ended.error());
  if (!*ended) {
    ++report_.lost;
  } else if (!fetched) {
    ++report_.failed;
    if (report_.problem.empty()) {
      report_.problem = fmt::format("{}: {}", job.file.name.id(), fetched.error().message);
    }
  } else {
    ++report_.completed;
    report_.was_there += *fetched == Fetched::kWasThere ? 1 : 0;
  }
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
                                   const OutputFolder& output, const std::string& name) {
  std::mutex mutex;
  Fallible<DownloadReport> sum;
  ForEach(static_cast<std::size_t>(workers), workers, [&](std::size_t i) {
    Downloader downloader(entities, keys, output, fmt::format("{}-{}", name, i));
    const auto drained = downloader.Drain();
    const std::scoped_lock lock(mutex);
    if (!drained) sum = std::unexpected(drained.error());
    if (!sum) return;
    sum->completed += downloader.report().completed;
    sum->failed += downloader.report().failed;
    sum->was_there += downloader.report().was_there;
    sum->lost += downloader.report().lost;
    if (sum->problem.empty()) sum->problem = downloader.report().problem;
  });
  return sum;
}

}  // namespace stator::systems::downloads
