#include "wire/enum_text.h"

#include <string>

#include "base/check.h"

namespace stator {
namespace {

template <class E>
struct EnumWord {
  E value;
  std::string_view text;
};

template <class E>
struct EnumWords;

template <class E>
std::string SpelledSet() {
  std::string set = "[";
  for (const auto& [value, text] : EnumWords<E>::kWords) {
    if (set.size() > 1) set += ", ";
    set += text;
  }
  return set + "]";
}

}  // namespace

template <class E>
std::optional<E> EnumFromText(std::string_view text) {
  for (const auto& [value, word] : EnumWords<E>::kWords) {
    if (word == text) return value;
  }
  return std::nullopt;
}

template <class E>
std::string_view EnumText(E value) {
  for (const auto& [known, word] : EnumWords<E>::kWords) {
    if (known == value) return word;
  }
  STATOR_CHECK(false && "an enumerator without a word");
}

template <class E>
std::string_view EnumSet() {
  static const std::string kSet = SpelledSet<E>();
  return kSet;
}

// The words of one enumeration, in the order in which DynamoDB's messages list them.
#define STATOR_WORDS(E, ...)                                   \
  namespace {                                                  \
  template <>                                                  \
  struct EnumWords<E> {                                        \
    using enum E;                                              \
    static constexpr EnumWord<E> kWords[] = {__VA_ARGS__};     \
  };                                                           \
  }                                                            \
  template std::optional<E> EnumFromText<E>(std::string_view); \
  template std::string_view EnumText<E>(E);                    \
  template std::string_view EnumSet<E>()

// Stored rows hold these words, too: they stay as they are.
STATOR_WORDS(ReturnConsumedCapacity, {kIndexes, "INDEXES"}, {kTotal, "TOTAL"}, {kNone, "NONE"});
STATOR_WORDS(ReturnItemCollectionMetrics, {kSize, "SIZE"}, {kNone, "NONE"});
STATOR_WORDS(ReturnValues, {kAllNew, "ALL_NEW"}, {kUpdatedOld, "UPDATED_OLD"}, {kAllOld, "ALL_OLD"},
             {kNone, "NONE"}, {kUpdatedNew, "UPDATED_NEW"});
STATOR_WORDS(ReturnValuesOnConditionCheckFailure, {kAllOld, "ALL_OLD"}, {kNone, "NONE"});
STATOR_WORDS(Select, {kSpecificAttributes, "SPECIFIC_ATTRIBUTES"}, {kCount, "COUNT"},
             {kAllAttributes, "ALL_ATTRIBUTES"},
             {kAllProjectedAttributes, "ALL_PROJECTED_ATTRIBUTES"});
STATOR_WORDS(ConditionalOperator, {kOr, "OR"}, {kAnd, "AND"});
STATOR_WORDS(ComparisonOperator, {kIn, "IN"}, {kNull, "NULL"}, {kBetween, "BETWEEN"}, {kLt, "LT"},
             {kNotContains, "NOT_CONTAINS"}, {kEq, "EQ"}, {kGt, "GT"}, {kNotNull, "NOT_NULL"},
             {kNe, "NE"}, {kLe, "LE"}, {kBeginsWith, "BEGINS_WITH"}, {kGe, "GE"},
             {kContains, "CONTAINS"});
STATOR_WORDS(AttributeAction, {kAdd, "ADD"}, {kPut, "PUT"}, {kDelete, "DELETE"});
STATOR_WORDS(ScalarType, {kB, "B"}, {kN, "N"}, {kS, "S"});
STATOR_WORDS(KeyType, {kHash, "HASH"}, {kRange, "RANGE"});
STATOR_WORDS(ProjectionType, {kAll, "ALL"}, {kInclude, "INCLUDE"}, {kKeysOnly, "KEYS_ONLY"});
STATOR_WORDS(BillingMode, {kProvisioned, "PROVISIONED"}, {kPayPerRequest, "PAY_PER_REQUEST"});
STATOR_WORDS(TableClass, {kStandard, "STANDARD"},
             {kStandardInfrequentAccess, "STANDARD_INFREQUENT_ACCESS"});
STATOR_WORDS(TableStatus, {kCreating, "CREATING"}, {kUpdating, "UPDATING"}, {kDeleting, "DELETING"},
             {kActive, "ACTIVE"});
STATOR_WORDS(IndexStatus, {kCreating, "CREATING"}, {kUpdating, "UPDATING"}, {kDeleting, "DELETING"},
             {kActive, "ACTIVE"});
STATOR_WORDS(StreamViewType, {kOldImage, "OLD_IMAGE"}, {kKeysOnly, "KEYS_ONLY"},
             {kNewAndOldImages, "NEW_AND_OLD_IMAGES"}, {kNewImage, "NEW_IMAGE"});
STATOR_WORDS(SseType, {kAes256, "AES256"}, {kKms, "KMS"});
STATOR_WORDS(TimeToLiveStatus, {kEnabling, "ENABLING"}, {kEnabled, "ENABLED"},
             {kDisabling, "DISABLING"}, {kDisabled, "DISABLED"});
STATOR_WORDS(StreamStatus, {kEnabling, "ENABLING"}, {kEnabled, "ENABLED"},
             {kDisabling, "DISABLING"}, {kDisabled, "DISABLED"});
STATOR_WORDS(BackupType, {kUser, "USER"}, {kSystem, "SYSTEM"}, {kAwsBackup, "AWS_BACKUP"});
STATOR_WORDS(StreamEvent, {kInsert, "INSERT"}, {kModify, "MODIFY"}, {kRemove, "REMOVE"});
STATOR_WORDS(BackupTypeFilter, {kUser, "USER"}, {kSystem, "SYSTEM"}, {kAwsBackup, "AWS_BACKUP"},
             {kAll, "ALL"});
STATOR_WORDS(ShardFilterType, {kChildShards, "CHILD_SHARDS"});
STATOR_WORDS(ShardIteratorType, {kAfterSequenceNumber, "AFTER_SEQUENCE_NUMBER"},
             {kLatest, "LATEST"}, {kAtSequenceNumber, "AT_SEQUENCE_NUMBER"},
             {kTrimHorizon, "TRIM_HORIZON"});
STATOR_WORDS(BackupStatus, {kCreating, "CREATING"}, {kDeleted, "DELETED"},
             {kAvailable, "AVAILABLE"});
STATOR_WORDS(ExportFormat, {kDynamoDbJson, "DYNAMODB_JSON"}, {kIon, "ION"});
STATOR_WORDS(ExportType, {kFullExport, "FULL_EXPORT"}, {kIncrementalExport, "INCREMENTAL_EXPORT"});
STATOR_WORDS(ExportViewType, {kNewImage, "NEW_IMAGE"}, {kNewAndOldImages, "NEW_AND_OLD_IMAGES"});
STATOR_WORDS(ExportStatus, {kInProgress, "IN_PROGRESS"}, {kCompleted, "COMPLETED"},
             {kFailed, "FAILED"});
STATOR_WORDS(S3SseAlgorithm, {kAes256, "AES256"}, {kKms, "KMS"});
STATOR_WORDS(InputFormat, {kDynamoDbJson, "DYNAMODB_JSON"}, {kIon, "ION"}, {kCsv, "CSV"});
STATOR_WORDS(InputCompressionType, {kGzip, "GZIP"}, {kZstd, "ZSTD"}, {kNone, "NONE"});
STATOR_WORDS(ImportStatus, {kInProgress, "IN_PROGRESS"}, {kCompleted, "COMPLETED"},
             {kCancelling, "CANCELLING"}, {kCancelled, "CANCELLED"}, {kFailed, "FAILED"});
STATOR_WORDS(BulkOutputType, {kError, "ERROR"},
             {kConditionCheckFailure, "CONDITION_CHECK_FAILURE"});
STATOR_WORDS(PerformanceTier, {kStandard, "STANDARD"}, {kAccelerated, "ACCELERATED"});
STATOR_WORDS(BulkOperationStatus, {kInProgress, "IN_PROGRESS"}, {kCompleted, "COMPLETED"},
             {kCompletedWithErrors, "COMPLETED_WITH_ERRORS"}, {kCancelling, "CANCELLING"},
             {kCancelled, "CANCELLED"}, {kFailed, "FAILED"});

#undef STATOR_WORDS

}  // namespace stator
