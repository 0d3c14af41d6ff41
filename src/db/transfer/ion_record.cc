#include "transfer/ion_record.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "base/try.h"
#include "value/number.h"

namespace stator::transfer {
namespace {

using Entries = std::vector<std::pair<std::string, AttributeValue>>;

// Of fields with one name the last counts, as it does in JSON.
const IonValue* Field(const IonValue& fields, std::string_view name) {
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
    return std::unexpected(
        fmt::format("{} stands before a value that is no list", list.annotation));
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
  const IonValue* fields = Field(record, name);
  if (!IsStruct(fields)) return std::unexpected(fmt::format("{} is not a struct", name));
  ASSIGN_OR_RETURN(const Entries entries, ConvertFields(*fields));
  return AcceptedItem(Item(entries));
}

std::expected<std::int64_t, std::string> WriteTimestamp(const IonValue& record) {
  const IonValue* metadata = Field(record, "Metadata");
  const IonValue* micros = IsStruct(metadata) ? Field(*metadata, "WriteTimestampMicros") : nullptr;
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
  if (Field(record, "NewImage") != nullptr) {
    ASSIGN_OR_RETURN(change.new_image, ConvertItem(record, "NewImage"));
  }
  if (Field(record, "OldImage") != nullptr) {
    ASSIGN_OR_RETURN(change.old_image, ConvertItem(record, "OldImage"));
  }
  return change;
}

}  // namespace

std::expected<Record, std::string> RecordFromIon(const IonValue& value) {
  if (!IsStruct(&value)) return std::unexpected("the value is not a struct");
  if (Field(value, "Item") != nullptr) return ConvertItem(value, "Item");
  if (const IonValue* record = Field(value, "Record"); IsStruct(record)) {
    return ConvertChange(*record);
  }
  if (Field(value, "Keys") != nullptr) return ConvertChange(value);
  return std::unexpected("the struct has no field Item");
}

}  // namespace stator::transfer
