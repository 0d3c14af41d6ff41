#include "systems/downloads/manifest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "stator/item.h"
#include "systems/downloads/http.h"
#include "systems/program/json_line.h"

namespace stator::systems::downloads {
namespace {

constexpr std::size_t kAnswerMax = std::size_t{16} << 20;

std::string TextOf(ItemView item, std::string_view name) {
  const auto value = item.Find(name);
  return value && value->type() == Type::kS ? std::string(value->S()) : std::string();
}

std::expected<SourceFile, std::string> ReadFile(ItemView item, const std::string& date) {
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
    return std::unexpected(std::string("the manifest names a file that no file can be called"));
  }
  const auto wrong = [&](std::string_view what) {
    return std::unexpected(
        fmt::format("the manifest gives no usable {} of {}", what, file.name.entity));
  };
  if (file.url.empty() || file.url.size() > 500) return wrong("url");
  if (file.wrapped_key.empty() || file.wrapped_key.size() > 1024) return wrong("key");
  if (file.iv.empty() || file.iv.size() > 64) return wrong("iv");
  if (file.checksum.size() != 64) return wrong("sha256");
  if (file.size_bytes < 0 || file.size_bytes > kFileBytesMax) return wrong("size");
  return file;
}

}  // namespace

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

std::expected<std::vector<SourceFile>, std::string> ParseManifest(std::string_view json,
                                                                  const std::string& date) {
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
    if (entry.type() != Type::kM) return std::unexpected(std::string("a file is no object"));
    auto file = ReadFile(entry.Map(), date);
    if (!file) return std::unexpected(file.error());
    if (!seen.insert(file->name.entity).second) {
      return std::unexpected("the manifest names " + file->name.entity + " twice");
    }
    files.push_back(*std::move(file));
  }
  return files;
}

std::expected<std::vector<SourceFile>, std::string> FetchManifest(const std::string& source_url,
                                                                  const std::string& date) {
  const auto json = HttpText(fmt::format("{}/manifest?date={}", source_url, date), kAnswerMax);
  if (!json) return std::unexpected(json.error());
  return ParseManifest(*json, date);
}

std::expected<SourceFile, std::string> FetchLink(const std::string& source_url,
                                                 const FileName& name) {
  const auto json = HttpText(fmt::format("{}/link?file={}", source_url, name.id()), kAnswerMax);
  if (!json) return std::unexpected(json.error());
  const auto item = ItemOfJson(*json);
  if (!item) return std::unexpected("the link: " + item.error());
  auto file = ReadFile(item->view(), name.date);
  if (file && file->name != name)
    return std::unexpected("a link to another file than " + name.id());
  return file;
}

}  // namespace stator::systems::downloads
