#include "systems/downloads/manifest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "systems/downloads/crypto.h"
#include "systems/program/http.h"
#include "systems/program/items.h"
#include "systems/program/text.h"

namespace stator::systems::downloads {
namespace {

constexpr std::size_t kAnswerMax = std::size_t{16} << 20;
constexpr std::size_t kPrintedNameMax = 60;

std::string Printable(std::string_view text) {
  if (text.empty()) return "(no name)";
  std::string printable(text.substr(0, kPrintedNameMax));
  for (char& c : printable) {
    if (c < ' ' || c > '~') c = '?';
  }
  return printable;
}

std::string UrlProblemOf(const SourceFile& file, const SourceAccess& source) {
  if (std::string problem = UrlProblem(file.url); !problem.empty()) return problem;
  if (source.url.starts_with("https://") && !file.url.starts_with("https://")) {
    return fmt::format("{}: a source that speaks https gives an address that does not",
                       WithoutQuery(file.url));
  }
  return {};
}

// What is wrong with a file; empty: nothing.
std::string ProblemOf(const SourceFile& file, const SourceAccess& source) {
  if (!IsEntityName(file.name.entity)) {
    return kNameRule;
  }
  if (!IsExtension(file.extension)) {
    return "its extension is not one: letters, digits and '.', at most 20";
  }
  if (std::string problem = UrlProblemOf(file, source); !problem.empty()) return problem;
  const auto wrapped = FromBase64(file.wrapped_key);
  if (!wrapped || wrapped->empty() || wrapped->size() > 1024) return "its key is not base64";
  const auto iv = FromBase64(file.iv);
  if (!iv || iv->size() != kAesIvBytes) return "its iv is not base64 of 16 bytes";
  if (!IsSha256(file.checksum)) {
    return "its sha256 is not 64 digits 0-9 and a-f";
  }
  if (file.size_bytes < 0) return "its size is not a number of bytes";
  if (file.size_bytes > source.limits.file_bytes) {
    return fmt::format("it has {} bytes, and a file may have {}", file.size_bytes,
                       source.limits.file_bytes);
  }
  return {};
}

SourceFile ReadFile(ItemView item, const std::string& date) {
  SourceFile file{.name = {.entity = TextOf(item, "entity"), .date = date},
                  .url = TextOf(item, "url"),
                  .wrapped_key = TextOf(item, "key"),
                  .iv = TextOf(item, "iv"),
                  .checksum = TextOf(item, "sha256"),
                  .size_bytes = -1};
  if (const auto size = item.Find("size"); size && size->type() == Type::kN) {
    file.size_bytes = size->AsInt64().value_or(-1);
  }
  if (item.Find("extension")) file.extension = TextOf(item, "extension");
  return file;
}

Fallible<std::string> Ask(const SourceAccess& source, const std::string& question) {
  // The last slash of an address is often typed and seldom meant.
  std::string_view base = source.url;
  while (base.ends_with('/')) base.remove_suffix(1);
  return HttpTextWithRetries({.url = fmt::format("{}{}", base, question),
                              .bytes_max = kAnswerMax,
                              .ca_file = source.ca_file},
                             source.retry);
}

}  // namespace

std::string FileJson(const SourceFile& file) {
  return fmt::format(
      R"({{"entity": {}, "extension": {}, "url": {}, "key": {}, "iv": {}, "sha256": {}, "size": {}}})",
      JsonText(file.name.entity), JsonText(file.extension), JsonText(file.url),
      JsonText(file.wrapped_key), JsonText(file.iv), JsonText(file.checksum), file.size_bytes);
}

std::string ManifestJson(const std::string& date, const std::vector<SourceFile>& files) {
  std::vector<std::string> texts;
  for (const SourceFile& file : files) texts.push_back(FileJson(file));
  return fmt::format("{{\"date\": {}, \"files\": [{}]}}\n", JsonText(date),
                     fmt::join(texts, ",\n  "));
}

Fallible<Manifest> ParseManifest(std::string_view json, const std::string& date,
                                 const SourceAccess& source) {
  const auto read = ItemOfJson(json);
  if (!read) return std::unexpected("the manifest: " + read.error());
  if (TextOf(read->view(), "date") != date) {
    return std::unexpected("the manifest is not that of " + date);
  }
  const auto list = read->Find("files");
  if (!list || list->type() != Type::kL) {
    return std::unexpected(std::string("the manifest has no list of files"));
  }
  Manifest manifest;
  std::set<std::string> seen;
  std::int64_t total = 0;
  for (const ValueView entry : list->List()) {
    if (entry.type() != Type::kM) {
      manifest.refused.push_back({.entity = Printable(""), .why = "it is not a JSON object"});
      continue;
    }
    SourceFile file = ReadFile(entry.Map(), date);
    std::string problem = ProblemOf(file, source);
    if (problem.empty() && !seen.insert(file.name.entity).second) {
      problem = "the manifest names it twice; the first one counts";
    }
    if (!problem.empty()) {
      manifest.refused.push_back({.entity = Printable(file.name.entity), .why = problem});
      continue;
    }
    total += file.size_bytes;
    if (total > source.limits.total_bytes) {
      return std::unexpected(
          fmt::format("the files of {} have more than {} bytes together; --max-total sets that",
                      date, source.limits.total_bytes));
    }
    manifest.files.push_back(std::move(file));
  }
  return manifest;
}

Fallible<Manifest> FetchManifest(const SourceAccess& source, const std::string& date) {
  TRY(const std::string json, Ask(source, "/manifest?date=" + date));
  return ParseManifest(json, date, source);
}

Fallible<SourceFile> FetchLink(const SourceAccess& source, const FileName& name) {
  TRY(const std::string json, Ask(source, "/link?file=" + UrlEscaped(name.id())));
  const auto item = ItemOfJson(json);
  if (!item) return std::unexpected("the link: " + item.error());
  SourceFile file = ReadFile(item->view(), name.date);
  if (file.name != name) return std::unexpected("a link to another file than " + name.id());
  if (std::string problem = ProblemOf(file, source); !problem.empty()) {
    return std::unexpected("the link: " + problem);
  }
  return file;
}

}  // namespace stator::systems::downloads
