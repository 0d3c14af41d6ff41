#include "live/walk_checkpoint.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "value/item_json.h"
#include "value/json.h"
#include "value/json_writer.h"

namespace stator::live {
namespace {

constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{16} << 20;

std::optional<std::string> ReadFile(const std::string& path) {
  std::error_code failed;
  const std::uintmax_t bytes = std::filesystem::file_size(path, failed);
  if (failed || bytes > kMaxFileBytes) return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::optional<SegmentPosition> ReadSegment(JsonValue json) {
  if (json.kind() != JsonKind::kObject) return std::nullopt;
  const auto read = json.Member("read");
  const auto done = json.Member("done");
  if (!read || read->kind() != JsonKind::kInteger || !done || done->kind() != JsonKind::kBool) {
    return std::nullopt;
  }
  SegmentPosition segment{.read = read->integer(), .done = done->boolean(), .key = {}};
  if (const auto key = json.Member("key")) {
    auto item = ReadItem(*key, Wording::kCurrent);
    if (!item || item->problem() != nullptr) return std::nullopt;
    segment.key = *std::move(item);
  }
  return segment;
}

std::string CheckpointText(const std::string& fingerprint,
                           const std::vector<SegmentPosition>& segments) {
  std::string text;
  JsonWriter json(text);
  json.BeginObject();
  json.Key("work").String(fingerprint);
  json.Key("segments").BeginArray();
  for (const SegmentPosition& segment : segments) {
    json.BeginObject();
    json.Key("read").Integer(segment.read);
    json.Key("done").Bool(segment.done);
    if (segment.key) {
      json.Key("key");
      WriteItem(json, segment.key->view());
    }
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return text;
}

Error FileError(const std::string& path) {
  return Error::InternalServerError(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
}

}  // namespace

std::optional<std::vector<SegmentPosition>> LoadCheckpoint(const std::string& path,
                                                           const std::string& fingerprint,
                                                           std::size_t segments) {
  const std::optional<std::string> text = ReadFile(path);
  JsonDocument document;
  if (!text || !document.Parse(*text)) return std::nullopt;
  const JsonValue root = document.root();
  if (root.kind() != JsonKind::kObject) return std::nullopt;
  const auto work = root.Member("work");
  const auto list = root.Member("segments");
  if (!work || work->kind() != JsonKind::kString || work->string() != fingerprint || !list ||
      list->kind() != JsonKind::kArray) {
    return std::nullopt;
  }
  std::vector<SegmentPosition> positions;
  for (const JsonValue element : list->Elements()) {
    std::optional<SegmentPosition> segment = ReadSegment(element);
    if (!segment) return std::nullopt;
    positions.push_back(*std::move(segment));
  }
  if (positions.size() != segments) return std::nullopt;
  return positions;
}

Result<void> SaveCheckpoint(const std::string& path, const std::string& fingerprint,
                            const std::vector<SegmentPosition>& segments) {
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  const std::string text = CheckpointText(fingerprint, segments);
  const std::string fresh = path + ".new";
  const int file = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return std::unexpected(FileError(fresh));
  const bool written =
      ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
      ::fsync(file) == 0;
  if (::close(file) != 0 || !written) return std::unexpected(FileError(fresh));
  if (std::rename(fresh.c_str(), path.c_str()) != 0) return std::unexpected(FileError(path));
  return {};
}

void RemoveCheckpoint(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
}

}  // namespace stator::live
