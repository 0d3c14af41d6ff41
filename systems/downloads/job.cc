#include "systems/downloads/job.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "systems/program/http.h"
#include "systems/program/items.h"
#include "systems/program/text.h"

namespace stator::systems::downloads {
namespace {

constexpr std::size_t kDateBytes = 10;
constexpr std::size_t kEntityMax = 40;
constexpr std::size_t kAnswerMax = std::size_t{16} << 20;

Fallible<SourceFile> ReadFile(ItemView item, const std::string& date) {
  SourceFile file{.name = {.entity = TextOf(item, "entity"), .date = date},
                  .url = TextOf(item, "url"),
                  .wrapped_key = TextOf(item, "key"),
                  .iv = TextOf(item, "iv"),
                  .checksum = TextOf(item, "sha256"),
                  .size_bytes = -1};
  if (const auto size = item.Find("size"); size && size->type() == Type::kN) {
    file.size_bytes = size->AsInt64().value_or(-1);
  }
  if (!IsEntityName(file.name.entity)) {
    return std::unexpected(std::string("the manifest has a name that a file cannot have"));
  }
  const auto wrong = [&](std::string_view what) {
    return std::unexpected(
        fmt::format("the manifest gives no usable {} for {}", what, file.name.entity));
  };
  if (file.url.empty() || file.url.size() > 500) return wrong("url");
  if (file.wrapped_key.empty() || file.wrapped_key.size() > 1024) return wrong("key");
  if (file.iv.empty() || file.iv.size() > 64) return wrong("iv");
  if (file.checksum.size() != 64) return wrong("sha256");
  if (file.size_bytes < 0 || file.size_bytes > kFileBytesMax) return wrong("size");
  return file;
}

}  // namespace

bool IsEntityName(std::string_view text) {
  return !text.empty() && text.size() <= kEntityMax && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::optional<FileName> ParseFileName(std::string_view id) {
  if (id.size() < kDateBytes + 2 || id[id.size() - kDateBytes - 1] != '-') return std::nullopt;
  FileName name{.entity = std::string(id.substr(0, id.size() - kDateBytes - 1)),
                .date = std::string(id.substr(id.size() - kDateBytes))};
  if (!IsEntityName(name.entity) || !IsDate(name.date)) return std::nullopt;
  return name;
}

std::string FileJson(const SourceFile& file) {
  return fmt::format(
      R"({{"entity": {}, "url": {}, "key": {}, "iv": {}, "sha256": {}, "size": {}}})",
      JsonText(file.name.entity), JsonText(file.url), JsonText(file.wrapped_key), JsonText(file.iv),
      JsonText(file.checksum), file.size_bytes);
}

std::string ManifestJson(const std::string& date, const std::vector<SourceFile>& files) {
  std::vector<std::string> texts;
  for (const SourceFile& file : files) texts.push_back(FileJson(file));
  return fmt::format("{{\"date\": {}, \"files\": [{}]}}\n", JsonText(date),
                     fmt::join(texts, ",\n  "));
}

Fallible<std::vector<SourceFile>> ParseManifest(std::string_view json, const std::string& date) {
  const auto manifest = ItemOfJson(json);
  if (!manifest) return std::unexpected("the manifest: " + manifest.error());
  if (TextOf(manifest->view(), "date") != date) {
    return std::unexpected("the manifest is not that of " + date);
  }
  const auto list = manifest->Find("files");
  if (!list || list->type() != Type::kL) {
    return std::unexpected(std::string("the manifest has no list of files"));
  }
  std::vector<SourceFile> files;
  std::set<std::string> seen;
  for (const ValueView entry : list->List()) {
    if (entry.type() != Type::kM) return std::unexpected(std::string("a file is not an object"));
    auto file = ReadFile(entry.Map(), date);
    if (!file) return std::unexpected(file.error());
    if (!seen.insert(file->name.entity).second) {
      return std::unexpected("the manifest names " + file->name.entity + " twice");
    }
    files.push_back(*std::move(file));
  }
  return files;
}

Fallible<std::vector<SourceFile>> FetchManifest(const std::string& source_url,
                                                const std::string& date) {
  const auto json = HttpText(fmt::format("{}/manifest?date={}", source_url, date), kAnswerMax);
  if (!json) return std::unexpected(json.error());
  return ParseManifest(*json, date);
}

Fallible<SourceFile> FetchLink(const std::string& source_url, const FileName& name) {
  const auto json = HttpText(fmt::format("{}/link?file={}", source_url, name.id()), kAnswerMax);
  if (!json) return std::unexpected(json.error());
  const auto item = ItemOfJson(*json);
  if (!item) return std::unexpected("the link: " + item.error());
  auto file = ReadFile(item->view(), name.date);
  if (file && file->name != name)
    return std::unexpected("a link to another file than " + name.id());
  return file;
}

Job Job::Of(const Item& item) {
  return {.file = {.name = {.entity = TextOf(item, "Entity"), .date = TextOf(item, "DownloadDate")},
                   .url = TextOf(item, "PresignedURL"),
                   .wrapped_key = TextOf(item, "EncryptedAESKey"),
                   .iv = TextOf(item, "EncodedAESIV"),
                   .checksum = TextOf(item, "Checksum"),
                   .size_bytes = NumberOf(item, "SizeBytes")},
          .batch_id = TextOf(item, "BatchID"),
          .status = TextOf(item, "Status"),
          .claimed_by = TextOf(item, "ClaimedBy"),
          .attempts = NumberOf(item, "Attempts"),
          .status_updated_at_ms = NumberOf(item, "StatusUpdatedAt")};
}

Batch Batch::Of(const Item& item) {
  return {.date = TextOf(item, "PollingDate"),
          .run_id = TextOf(item, "RunID"),
          .status = TextOf(item, "Status"),
          .start_time = TextOf(item, "StartTime"),
          .expected = SetOf(item, "ExpectedFiles"),
          .completed = SetOf(item, "CompletedFiles"),
          .failed = SetOf(item, "FailedFiles")};
}

Item KeyOf(const FileName& name) {
  return Item{{"Entity", name.entity}, {"DownloadDate", name.date}};
}

Item KeyOf(const Batch& batch) {
  return Item{{"PollingDate", batch.date}, {"RunID", batch.run_id}};
}

}  // namespace stator::systems::downloads
