#include "transfer/json_lines.h"

#include <charconv>

#include "base/try.h"
#include "value/item_json.h"
#include "value/json_writer.h"

namespace stator::transfer {
namespace {

std::string_view Trimmed(std::string_view line) {
  const std::size_t first = line.find_first_not_of(kLineBlanks);
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(kLineBlanks) - first + 1);
}

std::expected<Item, std::string> ReadMember(JsonValue record, std::string_view name) {
  const std::optional<JsonValue> member = record.Member(name);
  if (!member || member->kind() != JsonKind::kObject) {
    return std::unexpected(std::string(name).append(" is not an object"));
  }
  Result<Item> item = ReadItem(*member, Wording::kCurrent);
  if (!item) return std::unexpected(item.error().message());
  return AcceptedItem(*std::move(item));
}

// The timestamp as {"N":"1"}, "1" or 1: the documentation and the service do not agree.
std::optional<std::int64_t> Timestamp(JsonValue value) {
  if (value.kind() == JsonKind::kInteger) return value.integer();
  if (value.kind() == JsonKind::kObject) {
    const std::optional<JsonValue> number = value.Member("N");
    if (!number) return std::nullopt;
    value = *number;
  }
  if (value.kind() != JsonKind::kString) return std::nullopt;
  const std::string_view text = value.string();
  std::int64_t micros = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), micros);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return micros;
}

std::expected<std::int64_t, std::string> WriteTimestamp(JsonValue record) {
  const std::optional<JsonValue> metadata = record.Member("Metadata");
  if (metadata && metadata->kind() == JsonKind::kObject) {
    const std::optional<JsonValue> value = metadata->Member("WriteTimestampMicros");
    const std::optional<std::int64_t> micros = value ? Timestamp(*value) : std::nullopt;
    if (micros) return *micros;
  }
  return std::unexpected("Metadata has no WriteTimestampMicros");
}

std::expected<Record, std::string> ReadChange(JsonValue record) {
  ChangeRecord change;
  ASSIGN_OR_RETURN(change.write_timestamp_us, WriteTimestamp(record));
  ASSIGN_OR_RETURN(change.keys, ReadMember(record, "Keys"));
  if (record.Member("NewImage")) {
    ASSIGN_OR_RETURN(change.new_image, ReadMember(record, "NewImage"));
  }
  if (record.Member("OldImage")) {
    ASSIGN_OR_RETURN(change.old_image, ReadMember(record, "OldImage"));
  }
  return change;
}

}  // namespace

void AppendJsonItem(std::string& out, ItemView item) {
  JsonWriter json(out);
  json.BeginObject();
  json.Key("Item");
  WriteItem(json, item);
  json.EndObject();
  out.push_back('\n');
}

void AppendJsonChange(std::string& out, const ChangeRecord& change, ExportView view) {
  JsonWriter json(out);
  json.BeginObject();
  json.Key("Metadata").BeginObject().Key("WriteTimestampMicros").BeginObject();
  json.Key("N").String(std::to_string(change.write_timestamp_us));
  json.EndObject().EndObject();
  json.Key("Keys");
  WriteItem(json, change.keys.view());
  if (change.old_image && view == ExportView::kNewAndOldImages) {
    json.Key("OldImage");
    WriteItem(json, change.old_image->view());
  }
  if (change.new_image) {
    json.Key("NewImage");
    WriteItem(json, change.new_image->view());
  }
  json.EndObject();
  out.push_back('\n');
}

TransferResult<std::size_t> JsonLinesReader::FindLine() {
  std::size_t searched = 0;
  for (;;) {
    const std::string_view unread = window_.unread();
    const std::size_t end = unread.find('\n', searched);
    if (end != std::string_view::npos) return end;
    if (window_.at_end()) return unread.size();
    searched = unread.size();
    RETURN_IF_ERROR(window_.ReadMore());
  }
}

TransferResult<std::optional<ReadRecord>> JsonLinesReader::Next() {
  const std::uint64_t start = window_.offset();
  for (;;) {
    RETURN_IF_ERROR(window_.CheckProgress(start));
    ASSIGN_OR_RETURN(const std::size_t length, FindLine());
    if (window_.at_end() && window_.unread().empty()) return std::nullopt;
    const RecordPlace begin = place();
    std::string_view line = window_.unread().substr(0, length);
    if (begin.offset == 0 && line.starts_with(kByteOrderMark)) {
      line.remove_prefix(kByteOrderMark.size());
    }
    line = Trimmed(line);
    const bool is_blank = line.empty();
    ReadRecord record{.place = begin, .content = Item()};
    if (!is_blank) record.content = ReadLine(line);
    window_.Consume(length + 1);
    if (!is_blank) return record;
  }
}

std::expected<Record, std::string> JsonLinesReader::ReadLine(std::string_view line) {
  if (!document_.ParsePadded(line)) return std::unexpected("the line is not valid JSON");
  const JsonValue root = document_.root();
  if (root.kind() != JsonKind::kObject) return std::unexpected("the line is not a JSON object");
  if (root.Member("Item")) return ReadMember(root, "Item");
  if (root.Member("Keys")) return ReadChange(root);
  return std::unexpected("the line has no member Item");
}

}  // namespace stator::transfer
