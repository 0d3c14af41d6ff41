#include "systems/downloads/job.h"

#include <fmt/format.h>

#include <algorithm>

#include "systems/program/items.h"
#include "systems/program/text.h"

namespace stator::systems::downloads {
namespace {

constexpr std::size_t kDateBytes = 10;
constexpr std::size_t kEntityMax = 100;
constexpr std::size_t kExtensionMax = 20;

bool IsLetterOrDigit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

}  // namespace

bool IsEntityName(std::string_view text) {
  if (text.empty() || text.size() > kEntityMax || text.back() == ' ') return false;
  if (text[0] == ' ' || text[0] == '-' || text[0] == '.') return false;
  const bool is_clean = std::ranges::none_of(text, [](char c) {
    return (c >= 0 && c < ' ') || c == '\x7f' || c == '/' || c == '\\' || c == '~';
  });
  // JSON is UTF-8, and nothing else can be in a manifest.
  return is_clean && ItemOfJson(fmt::format(R"({{"name": {}}})", JsonText(text))).has_value();
}

bool IsExtension(std::string_view text) {
  return text.size() <= kExtensionMax && !text.starts_with('.') && !text.ends_with('.') &&
         std::ranges::all_of(text, [](char c) { return IsLetterOrDigit(c) || c == '.'; });
}

bool IsSha256(std::string_view text) {
  return text.size() == 64 && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

std::optional<FileName> ParseFileName(std::string_view id) {
  if (id.size() < kDateBytes + 2 || id[id.size() - kDateBytes - 1] != '-') return std::nullopt;
  FileName name{.entity = std::string(id.substr(0, id.size() - kDateBytes - 1)),
                .date = std::string(id.substr(id.size() - kDateBytes))};
  if (!IsEntityName(name.entity) || !IsDate(name.date)) return std::nullopt;
  return name;
}

Job Job::Of(const Item& item) {
  return {.file = {.name = {.entity = TextOf(item, "Entity"), .date = TextOf(item, "DownloadDate")},
                   .extension = item.Find("Extension") ? TextOf(item, "Extension") : "csv",
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
          .failed = SetOf(item, "FailedFiles"),
          .refused = SetOf(item, "RefusedFiles")};
}

Item KeyOf(const FileName& name) {
  return Item{{"Entity", name.entity}, {"DownloadDate", name.date}};
}

Item KeyOf(const Batch& batch) {
  return Item{{"PollingDate", batch.date}, {"RunID", batch.run_id}};
}

}  // namespace stator::systems::downloads
