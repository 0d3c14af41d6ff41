#include "api/enum_text.h"

#include <array>
#include <string>
#include <utility>

#include "base/check.h"

namespace stator {
namespace {

template <class E>
using Word = std::pair<E, std::string_view>;

// The words of one enumeration, in the order in which DynamoDB's messages list them.
template <class E>
struct Words;

template <>
struct Words<ReturnConsumedCapacity> {
  static constexpr std::array<Word<ReturnConsumedCapacity>, 3> kAll{{
      {ReturnConsumedCapacity::kIndexes, "INDEXES"},
      {ReturnConsumedCapacity::kTotal, "TOTAL"},
      {ReturnConsumedCapacity::kNone, "NONE"},
  }};
};

template <>
struct Words<ReturnItemCollectionMetrics> {
  static constexpr std::array<Word<ReturnItemCollectionMetrics>, 2> kAll{{
      {ReturnItemCollectionMetrics::kSize, "SIZE"},
      {ReturnItemCollectionMetrics::kNone, "NONE"},
  }};
};

template <>
struct Words<ReturnValues> {
  static constexpr std::array<Word<ReturnValues>, 5> kAll{{
      {ReturnValues::kAllNew, "ALL_NEW"},
      {ReturnValues::kUpdatedOld, "UPDATED_OLD"},
      {ReturnValues::kAllOld, "ALL_OLD"},
      {ReturnValues::kNone, "NONE"},
      {ReturnValues::kUpdatedNew, "UPDATED_NEW"},
  }};
};

template <>
struct Words<ReturnValuesOnConditionCheckFailure> {
  static constexpr std::array<Word<ReturnValuesOnConditionCheckFailure>, 2> kAll{{
      {ReturnValuesOnConditionCheckFailure::kAllOld, "ALL_OLD"},
      {ReturnValuesOnConditionCheckFailure::kNone, "NONE"},
  }};
};

template <>
struct Words<Select> {
  static constexpr std::array<Word<Select>, 4> kAll{{
      {Select::kSpecificAttributes, "SPECIFIC_ATTRIBUTES"},
      {Select::kCount, "COUNT"},
      {Select::kAllAttributes, "ALL_ATTRIBUTES"},
      {Select::kAllProjectedAttributes, "ALL_PROJECTED_ATTRIBUTES"},
  }};
};

template <>
struct Words<ConditionalOperator> {
  static constexpr std::array<Word<ConditionalOperator>, 2> kAll{{
      {ConditionalOperator::kOr, "OR"},
      {ConditionalOperator::kAnd, "AND"},
  }};
};

template <>
struct Words<ComparisonOperator> {
  static constexpr std::array<Word<ComparisonOperator>, 13> kAll{{
      {ComparisonOperator::kIn, "IN"},
      {ComparisonOperator::kNull, "NULL"},
      {ComparisonOperator::kBetween, "BETWEEN"},
      {ComparisonOperator::kLt, "LT"},
      {ComparisonOperator::kNotContains, "NOT_CONTAINS"},
      {ComparisonOperator::kEq, "EQ"},
      {ComparisonOperator::kGt, "GT"},
      {ComparisonOperator::kNotNull, "NOT_NULL"},
      {ComparisonOperator::kNe, "NE"},
      {ComparisonOperator::kLe, "LE"},
      {ComparisonOperator::kBeginsWith, "BEGINS_WITH"},
      {ComparisonOperator::kGe, "GE"},
      {ComparisonOperator::kContains, "CONTAINS"},
  }};
};

template <>
struct Words<AttributeAction> {
  static constexpr std::array<Word<AttributeAction>, 3> kAll{{
      {AttributeAction::kAdd, "ADD"},
      {AttributeAction::kPut, "PUT"},
      {AttributeAction::kDelete, "DELETE"},
  }};
};

template <>
struct Words<ScalarType> {
  static constexpr std::array<Word<ScalarType>, 3> kAll{{
      {ScalarType::kB, "B"},
      {ScalarType::kN, "N"},
      {ScalarType::kS, "S"},
  }};
};

template <>
struct Words<KeyType> {
  static constexpr std::array<Word<KeyType>, 2> kAll{{
      {KeyType::kHash, "HASH"},
      {KeyType::kRange, "RANGE"},
  }};
};

template <>
struct Words<ProjectionType> {
  static constexpr std::array<Word<ProjectionType>, 3> kAll{{
      {ProjectionType::kAll, "ALL"},
      {ProjectionType::kInclude, "INCLUDE"},
      {ProjectionType::kKeysOnly, "KEYS_ONLY"},
  }};
};

template <>
struct Words<BillingMode> {
  static constexpr std::array<Word<BillingMode>, 2> kAll{{
      {BillingMode::kProvisioned, "PROVISIONED"},
      {BillingMode::kPayPerRequest, "PAY_PER_REQUEST"},
  }};
};

template <>
struct Words<TableClass> {
  static constexpr std::array<Word<TableClass>, 2> kAll{{
      {TableClass::kStandard, "STANDARD"},
      {TableClass::kStandardInfrequentAccess, "STANDARD_INFREQUENT_ACCESS"},
  }};
};

template <>
struct Words<TableStatus> {
  static constexpr std::array<Word<TableStatus>, 4> kAll{{
      {TableStatus::kCreating, "CREATING"},
      {TableStatus::kUpdating, "UPDATING"},
      {TableStatus::kDeleting, "DELETING"},
      {TableStatus::kActive, "ACTIVE"},
  }};
};

template <>
struct Words<IndexStatus> {
  static constexpr std::array<Word<IndexStatus>, 4> kAll{{
      {IndexStatus::kCreating, "CREATING"},
      {IndexStatus::kUpdating, "UPDATING"},
      {IndexStatus::kDeleting, "DELETING"},
      {IndexStatus::kActive, "ACTIVE"},
  }};
};

template <>
struct Words<StreamViewType> {
  static constexpr std::array<Word<StreamViewType>, 4> kAll{{
      {StreamViewType::kOldImage, "OLD_IMAGE"},
      {StreamViewType::kKeysOnly, "KEYS_ONLY"},
      {StreamViewType::kNewAndOldImages, "NEW_AND_OLD_IMAGES"},
      {StreamViewType::kNewImage, "NEW_IMAGE"},
  }};
};

template <>
struct Words<SseType> {
  static constexpr std::array<Word<SseType>, 2> kAll{{
      {SseType::kAes256, "AES256"},
      {SseType::kKms, "KMS"},
  }};
};

template <>
struct Words<StreamStatus> {
  static constexpr std::array<Word<StreamStatus>, 4> kAll{{
      {StreamStatus::kEnabling, "ENABLING"},
      {StreamStatus::kEnabled, "ENABLED"},
      {StreamStatus::kDisabling, "DISABLING"},
      {StreamStatus::kDisabled, "DISABLED"},
  }};
};

template <>
struct Words<BackupType> {
  static constexpr std::array<Word<BackupType>, 3> kAll{{
      {BackupType::kUser, "USER"},
      {BackupType::kSystem, "SYSTEM"},
      {BackupType::kAwsBackup, "AWS_BACKUP"},
  }};
};

template <>
struct Words<StreamEvent> {
  static constexpr std::array<Word<StreamEvent>, 3> kAll{{
      {StreamEvent::kInsert, "INSERT"},
      {StreamEvent::kModify, "MODIFY"},
      {StreamEvent::kRemove, "REMOVE"},
  }};
};

template <>
struct Words<BackupTypeFilter> {
  static constexpr std::array<Word<BackupTypeFilter>, 4> kAll{{
      {BackupTypeFilter::kUser, "USER"},
      {BackupTypeFilter::kSystem, "SYSTEM"},
      {BackupTypeFilter::kAwsBackup, "AWS_BACKUP"},
      {BackupTypeFilter::kAll, "ALL"},
  }};
};

template <>
struct Words<ShardFilterType> {
  static constexpr std::array<Word<ShardFilterType>, 1> kAll{{
      {ShardFilterType::kChildShards, "CHILD_SHARDS"},
  }};
};

template <>
struct Words<ShardIteratorType> {
  static constexpr std::array<Word<ShardIteratorType>, 4> kAll{{
      {ShardIteratorType::kAfterSequenceNumber, "AFTER_SEQUENCE_NUMBER"},
      {ShardIteratorType::kLatest, "LATEST"},
      {ShardIteratorType::kAtSequenceNumber, "AT_SEQUENCE_NUMBER"},
      {ShardIteratorType::kTrimHorizon, "TRIM_HORIZON"},
  }};
};

template <>
struct Words<BackupStatus> {
  static constexpr std::array<Word<BackupStatus>, 3> kAll{{
      {BackupStatus::kCreating, "CREATING"},
      {BackupStatus::kDeleted, "DELETED"},
      {BackupStatus::kAvailable, "AVAILABLE"},
  }};
};

template <>
struct Words<ExportFormat> {
  static constexpr std::array<Word<ExportFormat>, 2> kAll{{
      {ExportFormat::kDynamoDbJson, "DYNAMODB_JSON"},
      {ExportFormat::kIon, "ION"},
  }};
};

template <>
struct Words<ExportType> {
  static constexpr std::array<Word<ExportType>, 2> kAll{{
      {ExportType::kFullExport, "FULL_EXPORT"},
      {ExportType::kIncrementalExport, "INCREMENTAL_EXPORT"},
  }};
};

template <>
struct Words<ExportViewType> {
  static constexpr std::array<Word<ExportViewType>, 2> kAll{{
      {ExportViewType::kNewImage, "NEW_IMAGE"},
      {ExportViewType::kNewAndOldImages, "NEW_AND_OLD_IMAGES"},
  }};
};

template <>
struct Words<ExportStatus> {
  static constexpr std::array<Word<ExportStatus>, 3> kAll{{
      {ExportStatus::kInProgress, "IN_PROGRESS"},
      {ExportStatus::kCompleted, "COMPLETED"},
      {ExportStatus::kFailed, "FAILED"},
  }};
};

template <>
struct Words<S3SseAlgorithm> {
  static constexpr std::array<Word<S3SseAlgorithm>, 2> kAll{{
      {S3SseAlgorithm::kAes256, "AES256"},
      {S3SseAlgorithm::kKms, "KMS"},
  }};
};

template <>
struct Words<InputFormat> {
  static constexpr std::array<Word<InputFormat>, 3> kAll{{
      {InputFormat::kDynamoDbJson, "DYNAMODB_JSON"},
      {InputFormat::kIon, "ION"},
      {InputFormat::kCsv, "CSV"},
  }};
};

template <>
struct Words<InputCompressionType> {
  static constexpr std::array<Word<InputCompressionType>, 3> kAll{{
      {InputCompressionType::kGzip, "GZIP"},
      {InputCompressionType::kZstd, "ZSTD"},
      {InputCompressionType::kNone, "NONE"},
  }};
};

template <>
struct Words<ImportStatus> {
  static constexpr std::array<Word<ImportStatus>, 5> kAll{{
      {ImportStatus::kInProgress, "IN_PROGRESS"},
      {ImportStatus::kCompleted, "COMPLETED"},
      {ImportStatus::kCancelling, "CANCELLING"},
      {ImportStatus::kCancelled, "CANCELLED"},
      {ImportStatus::kFailed, "FAILED"},
  }};
};

template <>
struct Words<BulkOutputType> {
  static constexpr std::array<Word<BulkOutputType>, 2> kAll{{
      {BulkOutputType::kError, "ERROR"},
      {BulkOutputType::kConditionCheckFailure, "CONDITION_CHECK_FAILURE"},
  }};
};

template <>
struct Words<PerformanceTier> {
  static constexpr std::array<Word<PerformanceTier>, 2> kAll{{
      {PerformanceTier::kStandard, "STANDARD"},
      {PerformanceTier::kAccelerated, "ACCELERATED"},
  }};
};

template <>
struct Words<BulkOperationStatus> {
  static constexpr std::array<Word<BulkOperationStatus>, 6> kAll{{
      {BulkOperationStatus::kInProgress, "IN_PROGRESS"},
      {BulkOperationStatus::kCompleted, "COMPLETED"},
      {BulkOperationStatus::kCompletedWithErrors, "COMPLETED_WITH_ERRORS"},
      {BulkOperationStatus::kCancelling, "CANCELLING"},
      {BulkOperationStatus::kCancelled, "CANCELLED"},
      {BulkOperationStatus::kFailed, "FAILED"},
  }};
};

template <class E>
std::string SpelledSet() {
  std::string set = "[";
  for (const auto& [value, text] : Words<E>::kAll) {
    if (set.size() > 1) set += ", ";
    set += text;
  }
  return set + "]";
}

}  // namespace

template <class E>
std::optional<E> EnumFromText(std::string_view text) {
  for (const auto& [value, word] : Words<E>::kAll) {
    if (word == text) return value;
  }
  return std::nullopt;
}

template <class E>
std::string_view EnumText(E value) {
  for (const auto& [known, word] : Words<E>::kAll) {
    if (known == value) return word;
  }
  STATOR_CHECK(false && "an enumerator without a word");
}

template <class E>
std::string_view EnumSet() {
  static const std::string kSet = SpelledSet<E>();
  return kSet;
}

#define STATOR_ENUM_TEXT(E)                                    \
  template std::optional<E> EnumFromText<E>(std::string_view); \
  template std::string_view EnumText<E>(E);                    \
  template std::string_view EnumSet<E>()

STATOR_ENUM_TEXT(ReturnConsumedCapacity);
STATOR_ENUM_TEXT(ReturnItemCollectionMetrics);
STATOR_ENUM_TEXT(ReturnValues);
STATOR_ENUM_TEXT(ReturnValuesOnConditionCheckFailure);
STATOR_ENUM_TEXT(Select);
STATOR_ENUM_TEXT(ConditionalOperator);
STATOR_ENUM_TEXT(ComparisonOperator);
STATOR_ENUM_TEXT(AttributeAction);
STATOR_ENUM_TEXT(ScalarType);
STATOR_ENUM_TEXT(KeyType);
STATOR_ENUM_TEXT(ProjectionType);
STATOR_ENUM_TEXT(BillingMode);
STATOR_ENUM_TEXT(TableClass);
STATOR_ENUM_TEXT(TableStatus);
STATOR_ENUM_TEXT(IndexStatus);
STATOR_ENUM_TEXT(StreamViewType);
STATOR_ENUM_TEXT(SseType);
STATOR_ENUM_TEXT(StreamStatus);
STATOR_ENUM_TEXT(StreamEvent);
STATOR_ENUM_TEXT(ShardFilterType);
STATOR_ENUM_TEXT(ShardIteratorType);
STATOR_ENUM_TEXT(BackupType);
STATOR_ENUM_TEXT(BackupTypeFilter);
STATOR_ENUM_TEXT(BackupStatus);
STATOR_ENUM_TEXT(ExportFormat);
STATOR_ENUM_TEXT(ExportType);
STATOR_ENUM_TEXT(ExportViewType);
STATOR_ENUM_TEXT(ExportStatus);
STATOR_ENUM_TEXT(S3SseAlgorithm);
STATOR_ENUM_TEXT(InputFormat);
STATOR_ENUM_TEXT(InputCompressionType);
STATOR_ENUM_TEXT(ImportStatus);
STATOR_ENUM_TEXT(BulkOutputType);
STATOR_ENUM_TEXT(PerformanceTier);
STATOR_ENUM_TEXT(BulkOperationStatus);

}  // namespace stator
