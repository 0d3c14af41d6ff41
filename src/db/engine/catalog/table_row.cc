#include "engine/catalog/table_row.h"

#include <array>

#include "base/check.h"
#include "engine/catalog/table_features.h"
#include "stator/recovery.h"
#include "stator/transfer_operations.h"
#include "value/base64.h"

namespace stator::table_row {
namespace {

// Words are part of the stored format: they stay as they are, whatever happens to the enumerators.
template <class E>
struct Words;

template <>
struct Words<ScalarType> {
  static constexpr std::array<std::pair<ScalarType, std::string_view>, 3> kAll{{
      {ScalarType::kS, "S"},
      {ScalarType::kN, "N"},
      {ScalarType::kB, "B"},
  }};
};

template <>
struct Words<ProjectionType> {
  static constexpr std::array<std::pair<ProjectionType, std::string_view>, 3> kAll{{
      {ProjectionType::kAll, "ALL"},
      {ProjectionType::kKeysOnly, "KEYS_ONLY"},
      {ProjectionType::kInclude, "INCLUDE"},
  }};
};

template <>
struct Words<BillingMode> {
  static constexpr std::array<std::pair<BillingMode, std::string_view>, 2> kAll{{
      {BillingMode::kProvisioned, "PROVISIONED"},
      {BillingMode::kPayPerRequest, "PAY_PER_REQUEST"},
  }};
};

template <>
struct Words<TableClass> {
  static constexpr std::array<std::pair<TableClass, std::string_view>, 2> kAll{{
      {TableClass::kStandard, "STANDARD"},
      {TableClass::kStandardInfrequentAccess, "STANDARD_INFREQUENT_ACCESS"},
  }};
};

template <>
struct Words<TableStatus> {
  static constexpr std::array<std::pair<TableStatus, std::string_view>, 4> kAll{{
      {TableStatus::kCreating, "CREATING"},
      {TableStatus::kUpdating, "UPDATING"},
      {TableStatus::kDeleting, "DELETING"},
      {TableStatus::kActive, "ACTIVE"},
  }};
};

template <>
struct Words<IndexStatus> {
  static constexpr std::array<std::pair<IndexStatus, std::string_view>, 4> kAll{{
      {IndexStatus::kCreating, "CREATING"},
      {IndexStatus::kUpdating, "UPDATING"},
      {IndexStatus::kDeleting, "DELETING"},
      {IndexStatus::kActive, "ACTIVE"},
  }};
};

template <>
struct Words<StreamViewType> {
  static constexpr std::array<std::pair<StreamViewType, std::string_view>, 4> kAll{{
      {StreamViewType::kKeysOnly, "KEYS_ONLY"},
      {StreamViewType::kNewImage, "NEW_IMAGE"},
      {StreamViewType::kOldImage, "OLD_IMAGE"},
      {StreamViewType::kNewAndOldImages, "NEW_AND_OLD_IMAGES"},
  }};
};

template <>
struct Words<TimeToLiveStatus> {
  static constexpr std::array<std::pair<TimeToLiveStatus, std::string_view>, 3> kAll{{
      {TimeToLiveStatus::kEnabling, "ENABLING"},
      {TimeToLiveStatus::kEnabled, "ENABLED"},
      {TimeToLiveStatus::kDisabling, "DISABLING"},
  }};
};

template <>
struct Words<BackupType> {
  static constexpr std::array<std::pair<BackupType, std::string_view>, 3> kAll{{
      {BackupType::kUser, "USER"},
      {BackupType::kSystem, "SYSTEM"},
      {BackupType::kAwsBackup, "AWS_BACKUP"},
  }};
};

template <>
struct Words<ExportFormat> {
  static constexpr std::array<std::pair<ExportFormat, std::string_view>, 2> kAll{{
      {ExportFormat::kDynamoDbJson, "DYNAMODB_JSON"},
      {ExportFormat::kIon, "ION"},
  }};
};

template <>
struct Words<ExportType> {
  static constexpr std::array<std::pair<ExportType, std::string_view>, 2> kAll{{
      {ExportType::kFullExport, "FULL_EXPORT"},
      {ExportType::kIncrementalExport, "INCREMENTAL_EXPORT"},
  }};
};

template <>
struct Words<ExportViewType> {
  static constexpr std::array<std::pair<ExportViewType, std::string_view>, 2> kAll{{
      {ExportViewType::kNewImage, "NEW_IMAGE"},
      {ExportViewType::kNewAndOldImages, "NEW_AND_OLD_IMAGES"},
  }};
};

template <>
struct Words<ExportStatus> {
  static constexpr std::array<std::pair<ExportStatus, std::string_view>, 3> kAll{{
      {ExportStatus::kInProgress, "IN_PROGRESS"},
      {ExportStatus::kCompleted, "COMPLETED"},
      {ExportStatus::kFailed, "FAILED"},
  }};
};

template <>
struct Words<S3SseAlgorithm> {
  static constexpr std::array<std::pair<S3SseAlgorithm, std::string_view>, 2> kAll{{
      {S3SseAlgorithm::kAes256, "AES256"},
      {S3SseAlgorithm::kKms, "KMS"},
  }};
};

template <>
struct Words<InputFormat> {
  static constexpr std::array<std::pair<InputFormat, std::string_view>, 3> kAll{{
      {InputFormat::kDynamoDbJson, "DYNAMODB_JSON"},
      {InputFormat::kIon, "ION"},
      {InputFormat::kCsv, "CSV"},
  }};
};

template <>
struct Words<InputCompressionType> {
  static constexpr std::array<std::pair<InputCompressionType, std::string_view>, 3> kAll{{
      {InputCompressionType::kGzip, "GZIP"},
      {InputCompressionType::kZstd, "ZSTD"},
      {InputCompressionType::kNone, "NONE"},
  }};
};

template <>
struct Words<ImportStatus> {
  static constexpr std::array<std::pair<ImportStatus, std::string_view>, 5> kAll{{
      {ImportStatus::kInProgress, "IN_PROGRESS"},
      {ImportStatus::kCompleted, "COMPLETED"},
      {ImportStatus::kCancelling, "CANCELLING"},
      {ImportStatus::kCancelled, "CANCELLED"},
      {ImportStatus::kFailed, "FAILED"},
  }};
};

template <>
struct Words<BulkOutputType> {
  static constexpr std::array<std::pair<BulkOutputType, std::string_view>, 2> kAll{{
      {BulkOutputType::kError, "ERROR"},
      {BulkOutputType::kConditionCheckFailure, "CONDITION_CHECK_FAILURE"},
  }};
};

template <>
struct Words<PerformanceTier> {
  static constexpr std::array<std::pair<PerformanceTier, std::string_view>, 2> kAll{{
      {PerformanceTier::kStandard, "STANDARD"},
      {PerformanceTier::kAccelerated, "ACCELERATED"},
  }};
};

template <>
struct Words<BulkOperationStatus> {
  static constexpr std::array<std::pair<BulkOperationStatus, std::string_view>, 6> kAll{{
      {BulkOperationStatus::kInProgress, "IN_PROGRESS"},
      {BulkOperationStatus::kCompleted, "COMPLETED"},
      {BulkOperationStatus::kCompletedWithErrors, "COMPLETED_WITH_ERRORS"},
      {BulkOperationStatus::kCancelling, "CANCELLING"},
      {BulkOperationStatus::kCancelled, "CANCELLED"},
      {BulkOperationStatus::kFailed, "FAILED"},
  }};
};

// The two texts of an element that is a pair.
std::optional<std::pair<std::string_view, std::string_view>> Pair(JsonValue json) {
  if (json.kind() != JsonKind::kArray) return std::nullopt;
  const std::vector<JsonValue> elements = json.Elements();
  if (elements.size() != 2) return std::nullopt;
  for (const JsonValue& element : elements) {
    if (element.kind() != JsonKind::kString) return std::nullopt;
  }
  return std::pair(elements[0].string(), elements[1].string());
}

}  // namespace

template <class E>
std::string_view Word(E value) {
  for (const auto& [known, word] : Words<E>::kAll) {
    if (known == value) return word;
  }
  STATOR_CHECK(false && "an enumerator without a word");
}

template <class E>
std::optional<E> FromWord(std::string_view word) {
  for (const auto& [value, known] : Words<E>::kAll) {
    if (known == word) return value;
  }
  return std::nullopt;
}

#define STATOR_ROW_WORDS(E)             \
  template std::string_view Word<E>(E); \
  template std::optional<E> FromWord<E>(std::string_view)

STATOR_ROW_WORDS(ScalarType);
STATOR_ROW_WORDS(ProjectionType);
STATOR_ROW_WORDS(BillingMode);
STATOR_ROW_WORDS(TableClass);
STATOR_ROW_WORDS(TableStatus);
STATOR_ROW_WORDS(IndexStatus);
STATOR_ROW_WORDS(StreamViewType);
STATOR_ROW_WORDS(TimeToLiveStatus);
STATOR_ROW_WORDS(BackupType);
STATOR_ROW_WORDS(ExportFormat);
STATOR_ROW_WORDS(ExportType);
STATOR_ROW_WORDS(ExportViewType);
STATOR_ROW_WORDS(ExportStatus);
STATOR_ROW_WORDS(S3SseAlgorithm);
STATOR_ROW_WORDS(InputFormat);
STATOR_ROW_WORDS(InputCompressionType);
STATOR_ROW_WORDS(ImportStatus);
STATOR_ROW_WORDS(BulkOutputType);
STATOR_ROW_WORDS(PerformanceTier);
STATOR_ROW_WORDS(BulkOperationStatus);

std::optional<JsonValue> Reader::Find(std::string_view key, JsonKind kind) {
  if (!ok_) return std::nullopt;
  std::optional<JsonValue> json = object_.Member(key);
  Require(json && json->kind() == kind);
  return ok_ ? json : std::nullopt;
}

std::vector<JsonValue> Reader::Elements(std::string_view key) {
  const std::optional<JsonValue> json = Find(key, JsonKind::kArray);
  return json ? json->Elements() : std::vector<JsonValue>();
}

std::string Reader::String(std::string_view key) {
  const std::optional<JsonValue> json = Find(key, JsonKind::kString);
  return json ? std::string(json->string()) : std::string();
}

std::string Reader::Bytes(std::string_view key) {
  std::string bytes;
  Require(AppendBase64Decoded(bytes, String(key)) == Base64Status::kOk);
  return bytes;
}

bool Reader::Bool(std::string_view key) {
  const std::optional<JsonValue> json = Find(key, JsonKind::kBool);
  return json && json->boolean();
}

std::int64_t Reader::Integer(std::string_view key) {
  const std::optional<JsonValue> json = Find(key, JsonKind::kInteger);
  return json ? json->integer() : 0;
}

std::optional<std::int64_t> Reader::OptionalInteger(std::string_view key) {
  if (!Has(key)) return std::nullopt;
  return Integer(key);
}

std::vector<std::string> Reader::Strings(std::string_view key) {
  std::vector<std::string> strings;
  for (const JsonValue& element : Elements(key)) {
    Require(element.kind() == JsonKind::kString);
    if (!ok_) return {};
    strings.emplace_back(element.string());
  }
  return strings;
}

std::vector<std::int64_t> Reader::Integers(std::string_view key) {
  std::vector<std::int64_t> integers;
  for (const JsonValue& element : Elements(key)) {
    Require(element.kind() == JsonKind::kInteger);
    if (!ok_) return {};
    integers.push_back(element.integer());
  }
  return integers;
}

std::vector<std::pair<std::string, std::string>> Reader::StringPairs(std::string_view key) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const JsonValue& element : Elements(key)) {
    const auto pair = Pair(element);
    Require(pair.has_value());
    if (!ok_) return {};
    pairs.emplace_back(pair->first, pair->second);
  }
  return pairs;
}

std::vector<std::pair<std::string, ScalarType>> Reader::Definitions(std::string_view key) {
  std::vector<std::pair<std::string, ScalarType>> definitions;
  for (auto& [name, word] : StringPairs(key)) {
    const std::optional<ScalarType> type = FromWord<ScalarType>(word);
    Require(type.has_value());
    if (!ok_) return {};
    definitions.emplace_back(std::move(name), *type);
  }
  return definitions;
}

}  // namespace stator::table_row
