#include "transfer/ion/reader.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "base/try.h"
#include "transfer/ion/value.h"
#include "value/number.h"

namespace stator::transfer {
namespace {

using Entries = std::vector<std::pair<std::string, AttributeValue>>;

// Of several fields with the same name the last counts, as in JSON.
const IonValue* LastField(const IonValue& fields, std::string_view name) {
  const IonValue* found = nullptr;
  for (const IonValue& field : fields.elements) {
    if (field.name == name) found = &field;
  }
  return found;
}

bool IsStruct(const IonValue* value) {
  return value != nullptr && value->type == IonType::kStruct && !value->is_null;
}

std::optional<Type> SetType(std::string_view annotation) {
  if (annotation == "$dynamodb_SS") return Type::kSS;
  if (annotation == "$dynamodb_NS") return Type::kNS;
  if (annotation == "$dynamodb_BS") return Type::kBS;
  return std::nullopt;
}

bool IsNumber(IonType type) {
  return type == IonType::kInt || type == IonType::kDecimal || type == IonType::kFloat;
}

bool IsMember(Type set, const IonValue& value) {
  if (value.is_null) return false;
  if (set == Type::kSS) return value.type == IonType::kString || value.type == IonType::kSymbol;
  if (set == Type::kNS) return IsNumber(value.type);
  return value.type == IonType::kBlob;
}

std::expected<AttributeValue, std::string> ConvertSet(Type type, const IonValue& list) {
  if (list.type != IonType::kList || list.is_null) {
    return std::unexpected(fmt::format("{} annotates a value that is not a list", list.annotation));
  }
  std::vector<std::string> members;
  members.reserve(list.elements.size());
  for (const IonValue& element : list.elements) {
    if (!IsMember(type, element)) {
      return std::unexpected(
          fmt::format("{} has a member of type {}", list.annotation, IonTypeName(element.type)));
    }
    members.push_back(element.text);
  }
  if (type == Type::kSS) return AttributeValue::StringSet(members);
  if (type == Type::kNS) return AttributeValue::NumberSet(members);
  return AttributeValue::BinarySet(members);
}

std::expected<AttributeValue, std::string> Convert(const IonValue& value);

std::expected<Entries, std::string> ConvertFields(const IonValue& fields) {
  Entries entries;
  entries.reserve(fields.elements.size());
  for (const IonValue& field : fields.elements) {
    ASSIGN_OR_RETURN(AttributeValue value, Convert(field));
    entries.emplace_back(field.name, std::move(value));
  }
  return entries;
}

std::expected<AttributeValue, std::string> ConvertList(const IonValue& list) {
  std::vector<AttributeValue> elements;
  elements.reserve(list.elements.size());
  for (const IonValue& element : list.elements) {
    ASSIGN_OR_RETURN(AttributeValue value, Convert(element));
    elements.push_back(std::move(value));
  }
  return AttributeValue::List(elements);
}

std::expected<AttributeValue, std::string> Convert(const IonValue& value) {
  if (const std::optional<Type> set = SetType(value.annotation)) return ConvertSet(*set, value);
  if (value.is_null) return AttributeValue::Null();
  switch (value.type) {
    case IonType::kNull:
      return AttributeValue::Null();
    case IonType::kBool:
      return AttributeValue::Bool(value.boolean);
    case IonType::kInt:
    case IonType::kFloat:
    case IonType::kDecimal:
      return AttributeValue::Number(value.text);
    case IonType::kString:
    case IonType::kSymbol:
      return AttributeValue::String(value.text);
    case IonType::kBlob:
      return AttributeValue::Binary(value.text);
    case IonType::kList:
      return ConvertList(value);
    case IonType::kStruct: {
      ASSIGN_OR_RETURN(const Entries entries, ConvertFields(value));
      return AttributeValue::Map(entries);
    }
    case IonType::kTimestamp:
    case IonType::kClob:
    case IonType::kSexp:
      break;
  }
  return std::unexpected(
      fmt::format("DynamoDB has no type for an Ion {}", IonTypeName(value.type)));
}

std::expected<Item, std::string> ConvertItem(const IonValue& record, std::string_view name) {
  const IonValue* fields = LastField(record, name);
  if (!IsStruct(fields)) return std::unexpected(fmt::format("{} is not a struct", name));
  ASSIGN_OR_RETURN(const Entries entries, ConvertFields(*fields));
  return AcceptedItem(Item(entries));
}

std::expected<std::int64_t, std::string> WriteTimestamp(const IonValue& record) {
  const IonValue* metadata = LastField(record, "Metadata");
  const IonValue* micros =
      IsStruct(metadata) ? LastField(*metadata, "WriteTimestampMicros") : nullptr;
  if (micros != nullptr && !micros->is_null &&
      (IsNumber(micros->type) || micros->type == IonType::kString)) {
    const auto number = Number::Parse(micros->text);
    const std::optional<std::int64_t> value = number ? number->AsInt64() : std::nullopt;
    if (value) return *value;
  }
  return std::unexpected("Metadata has no WriteTimestampMicros");
}

std::expected<Record, std::string> ConvertChange(const IonValue& record) {
  ChangeRecord change;
  ASSIGN_OR_RETURN(change.write_timestamp_us, WriteTimestamp(record));
  ASSIGN_OR_RETURN(change.keys, ConvertItem(record, "Keys"));
  if (LastField(record, "NewImage") != nullptr) {
    ASSIGN_OR_RETURN(change.new_image, ConvertItem(record, "NewImage"));
  }
  if (LastField(record, "OldImage") != nullptr) {
    ASSIGN_OR_RETURN(change.old_image, ConvertItem(record, "OldImage"));
  }
  return change;
}

// {Item:{…}}; or for a change {Record:{Keys:{…},…}}, also without the Record around it.
std::expected<Record, std::string> RecordFromIon(const IonValue& value) {
  if (!IsStruct(&value)) return std::unexpected("the value is not a struct");
  if (LastField(value, "Item") != nullptr) return ConvertItem(value, "Item");
  if (const IonValue* record = LastField(value, "Record"); IsStruct(record)) {
    return ConvertChange(*record);
  }
  if (LastField(value, "Keys") != nullptr) return ConvertChange(value);
  return std::unexpected("the struct has no field Item");
}

constexpr int kListType = 11;

bool IsVersionMarker(const IonValue& value) {
  const std::string_view text = value.text;
  return value.is_bare_symbol && value.annotation.empty() && text.size() > 5 &&
         text.starts_with("$ion_") && text[5] >= '0' && text[5] <= '9';
}

}  // namespace

RecordPlace IonReader::place() const {
  const bool has_lines = encoding_ != Encoding::kBinary;
  return {has_lines ? window_.line() : 0, window_.offset()};
}

TransferResult<bool> IonReader::Fill(std::size_t count) {
  while (window_.unread().size() < count && !window_.at_end()) {
    RETURN_IF_ERROR(window_.ReadMore());
  }
  return window_.unread().size() >= count;
}

TransferResult<void> IonReader::Detect() {
  RETURN_IF_ERROR(Fill(kIonVersionMarker.size()));
  const bool is_binary = window_.unread().starts_with(kIonVersionMarker);
  encoding_ = is_binary ? Encoding::kBinary : Encoding::kText;
  if (window_.unread().starts_with(kByteOrderMark)) window_.Consume(kByteOrderMark.size());
  return {};
}

TransferResult<std::optional<ReadRecord>> IonReader::Next() {
  if (encoding_ == Encoding::kUnknown) RETURN_IF_ERROR(Detect());
  const std::uint64_t start = window_.offset();
  bool more = true;
  while (more) {
    RETURN_IF_ERROR(window_.CheckProgress(start));
    ASSIGN_OR_RETURN(std::optional<ReadRecord> record,
                     encoding_ == Encoding::kBinary ? StepBinary(more) : StepText(more));
    if (record) return record;
  }
  return std::nullopt;
}

TransferResult<std::optional<ReadRecord>> IonReader::Classify(RecordPlace begin,
                                                              const IonValue& value) {
  if (IsVersionMarker(value)) {
    if (value.text != "$ion_1_0") return Corrupt("the version of Ion is not 1.0");
    symbols_.Reset();
    return std::nullopt;
  }
  if (IonSymbols::IsTable(value)) {
    // Without its symbols nothing that follows can be understood.
    const IonResult<void> taken = symbols_.Take(value);
    if (!taken) return Corrupt(taken.error());
    return std::nullopt;
  }
  return ReadRecord{.place = begin, .content = RecordFromIon(value)};
}

bool IonReader::PassSeparators(IonTextParser& parser) {
  while (parser.SkipBlanks()) {
    if (in_list_ && parser.Take(',')) continue;
    if (in_list_ && parser.Take(']')) {
      in_list_ = false;
    } else if (!in_list_ && parser.Take('[')) {
      in_list_ = true;
    } else {
      return true;
    }
  }
  return false;
}

TransferResult<std::optional<ReadRecord>> IonReader::StepText(bool& more) {
  // Separators are passed for good; then a value is parsed until it ends inside the window.
  for (;;) {
    IonTextParser parser(window_.unread(), symbols_);
    const bool was_in_list = in_list_;
    const bool found = PassSeparators(parser);
    // Half a comment looks like the beginning of a value.
    if (parser.touched_end() && !window_.at_end()) {
      in_list_ = was_in_list;
      RETURN_IF_ERROR(window_.ReadMore());
      continue;
    }
    if (!found && parser.at() != window_.unread().size()) {
      return Corrupt("a comment does not end");
    }
    window_.Consume(parser.at());
    more = found;
    if (!found) return std::nullopt;
    break;
  }
  const RecordPlace begin = place();
  for (;;) {
    IonTextParser parser(window_.unread(), symbols_);
    const IonResult<IonValue> value = parser.Value();
    if (parser.touched_end() && !window_.at_end()) {
      RETURN_IF_ERROR(window_.ReadMore());
      continue;
    }
    if (!value) {
      RETURN_IF_ERROR(PassMalformed(parser.at()));
      return ReadRecord{.place = begin, .content = std::unexpected(value.error())};
    }
    window_.Consume(parser.at());
    return Classify(begin, *value);
  }
}

TransferResult<void> IonReader::PassMalformed(std::size_t read) {
  const std::uint64_t start = window_.offset();
  window_.Consume(read);
  for (;;) {
    RETURN_IF_ERROR(window_.CheckProgress(start));
    const std::string_view unread = window_.unread();
    const std::size_t line_end = unread.find('\n');
    const std::size_t next = line_end == std::string_view::npos
                                 ? std::string_view::npos
                                 : unread.find_first_not_of(kLineBlanks, line_end + 1);
    if (next != std::string_view::npos) {
      window_.Consume(line_end + 1);
      if (unread[next] == '$') in_list_ = false;
      if (unread[next] == '$' || unread[next] == '{') return {};
    } else if (window_.at_end()) {
      window_.Consume(unread.size());
      return {};
    } else {
      // Bytes without a line end are not needed again.
      if (line_end == std::string_view::npos) window_.Consume(unread.size());
      RETURN_IF_ERROR(window_.ReadMore());
    }
  }
}

TransferResult<std::optional<ReadRecord>> IonReader::StepBinary(bool& more) {
  RETURN_IF_ERROR(Fill(kIonHeadBytesMax));
  const RecordPlace begin = place();
  const std::string_view unread = window_.unread();
  more = !unread.empty();
  if (!more) return std::nullopt;
  if (unread.front() == kIonVersionMarker.front()) {
    if (!unread.starts_with(kIonVersionMarker)) return Corrupt("the version of Ion is not 1.0");
    symbols_.Reset();
    window_.Consume(kIonVersionMarker.size());
    return std::nullopt;
  }
  IonHead head;
  const IonHeadStatus status = ReadIonHead(unread, head);
  if (status == IonHeadStatus::kTooShort) return Corrupt("the last value does not end");
  if (status == IonHeadStatus::kMalformed) return Corrupt("no Ion value begins here");
  if (head.type == kListType && !head.is_null()) {
    // Its elements follow as if they stood alone.
    window_.Consume(head.head_bytes);
    return std::nullopt;
  }
  if (head.body_bytes > kRecordBytesMax) return Corrupt("a value is too long");
  const std::size_t length = head.head_bytes + static_cast<std::size_t>(head.body_bytes);
  ASSIGN_OR_RETURN(const bool is_whole, Fill(length));
  if (!is_whole) return Corrupt("the last value does not end");
  if (head.is_padding()) {
    window_.Consume(length);
    return std::nullopt;
  }
  const IonResult<IonValue> value = ParseIonBinary(window_.unread().substr(0, length), symbols_);
  window_.Consume(length);
  if (!value) return ReadRecord{.place = begin, .content = std::unexpected(value.error())};
  return Classify(begin, *value);
}

}  // namespace stator::transfer
