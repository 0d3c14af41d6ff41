#include "stator/error.h"

#include <array>
#include <utility>

namespace stator {
namespace {

struct NamedCode {
  ErrorCode code;
  std::string_view name;
};

// In the order of the codes.
constexpr auto kErrorNames = std::to_array<NamedCode>({
    {ErrorCode::kValidation, "ValidationException"},
    {ErrorCode::kSerialization, "SerializationException"},
    {ErrorCode::kUnknownOperation, "UnknownOperationException"},
    {ErrorCode::kAccessDenied, "AccessDeniedException"},
    {ErrorCode::kMissingAuthenticationToken, "MissingAuthenticationTokenException"},
    {ErrorCode::kIncompleteSignature, "IncompleteSignatureException"},
    {ErrorCode::kInvalidSignature, "InvalidSignatureException"},
    {ErrorCode::kUnrecognizedClient, "UnrecognizedClientException"},
    {ErrorCode::kResourceNotFound, "ResourceNotFoundException"},
    {ErrorCode::kResourceInUse, "ResourceInUseException"},
    {ErrorCode::kLimitExceeded, "LimitExceededException"},
    {ErrorCode::kConditionalCheckFailed, "ConditionalCheckFailedException"},
    {ErrorCode::kDuplicateItem, "DuplicateItemException"},
    {ErrorCode::kTransactionCanceled, "TransactionCanceledException"},
    {ErrorCode::kTransactionConflict, "TransactionConflictException"},
    {ErrorCode::kTransactionInProgress, "TransactionInProgressException"},
    {ErrorCode::kIdempotentParameterMismatch, "IdempotentParameterMismatchException"},
    {ErrorCode::kItemCollectionSizeLimitExceeded, "ItemCollectionSizeLimitExceededException"},
    {ErrorCode::kProvisionedThroughputExceeded, "ProvisionedThroughputExceededException"},
    {ErrorCode::kRequestLimitExceeded, "RequestLimitExceeded"},
    {ErrorCode::kThrottling, "ThrottlingException"},
    {ErrorCode::kExpiredIterator, "ExpiredIteratorException"},
    {ErrorCode::kTrimmedDataAccess, "TrimmedDataAccessException"},
    {ErrorCode::kTableNotFound, "TableNotFoundException"},
    {ErrorCode::kTableAlreadyExists, "TableAlreadyExistsException"},
    {ErrorCode::kTableInUse, "TableInUseException"},
    {ErrorCode::kBackupNotFound, "BackupNotFoundException"},
    {ErrorCode::kBackupInUse, "BackupInUseException"},
    {ErrorCode::kPointInTimeRecoveryUnavailable, "PointInTimeRecoveryUnavailableException"},
    {ErrorCode::kInvalidRestoreTime, "InvalidRestoreTimeException"},
    {ErrorCode::kExportConflict, "ExportConflictException"},
    {ErrorCode::kExportNotFound, "ExportNotFoundException"},
    {ErrorCode::kInvalidExportTime, "InvalidExportTimeException"},
    {ErrorCode::kImportConflict, "ImportConflictException"},
    {ErrorCode::kImportNotFound, "ImportNotFoundException"},
    {ErrorCode::kInternalFailure, "InternalFailure"},
    {ErrorCode::kInternalServerError, "InternalServerError"},
    {ErrorCode::kNoAnswer, "NoAnswer"},
    {ErrorCode::kOther, "UnknownError"},
});
static_assert(kErrorNames.size() == static_cast<std::size_t>(ErrorCode::kOther) + 1);
static_assert([] {
  for (std::size_t i = 0; i < kErrorNames.size(); ++i) {
    if (kErrorNames[i].code != static_cast<ErrorCode>(i)) return false;
  }
  return true;
}());

}  // namespace

std::string_view ErrorName(ErrorCode code) {
  return kErrorNames[static_cast<std::size_t>(code)].name;
}

Error Error::Validation(std::string message) {
  return {ErrorCode::kValidation, std::move(message)};
}
Error Error::Serialization(std::string message) {
  return {ErrorCode::kSerialization, std::move(message)};
}
Error Error::UnknownOperation(std::string message) {
  return {ErrorCode::kUnknownOperation, std::move(message)};
}
Error Error::AccessDenied() { return {ErrorCode::kAccessDenied, "Access is denied"}; }
Error Error::MissingAuthenticationToken() {
  return {ErrorCode::kMissingAuthenticationToken, "Request is missing Authentication Token"};
}
Error Error::IncompleteSignature(std::string message) {
  return {ErrorCode::kIncompleteSignature, std::move(message)};
}
Error Error::InvalidSignature(std::string message) {
  return {ErrorCode::kInvalidSignature, std::move(message)};
}
Error Error::UnrecognizedClient() {
  return {ErrorCode::kUnrecognizedClient, "The security token included in the request is invalid."};
}
Error Error::ResourceNotFound(std::string message) {
  return {ErrorCode::kResourceNotFound, std::move(message)};
}
Error Error::ResourceInUse(std::string message) {
  return {ErrorCode::kResourceInUse, std::move(message)};
}
Error Error::LimitExceeded(std::string message) {
  return {ErrorCode::kLimitExceeded, std::move(message)};
}

Error::Error(ErrorCode code, std::string message, std::string item)
    : Error(code, std::move(message)) {
  if (!item.empty()) detail_ = std::make_shared<const Detail>(Detail{.item = std::move(item)});
}

Error Error::ConditionalCheckFailed(std::string existing_item) {
  return {ErrorCode::kConditionalCheckFailed, "The conditional request failed",
          std::move(existing_item)};
}
Error Error::DuplicateItem(std::string existing_item) {
  return {ErrorCode::kDuplicateItem, "Duplicate primary key exists in table",
          std::move(existing_item)};
}

Error Error::TransactionCanceled(std::vector<CancellationReason> reasons) {
  std::string message =
      "Transaction cancelled, please refer cancellation reasons for specific reasons [";
  for (const CancellationReason& reason : reasons) {
    if (&reason != reasons.data()) message += ", ";
    message += reason.code;
  }
  Error error(ErrorCode::kTransactionCanceled, message + "]");
  error.detail_ = std::make_shared<const Detail>(Detail{.reasons = std::move(reasons)});
  return error;
}

Error Error::TransactionConflict() {
  return {ErrorCode::kTransactionConflict, "Transaction is ongoing for the item"};
}
Error Error::TransactionInProgress() {
  return {ErrorCode::kTransactionInProgress,
          "Transaction from previous request is still in progress"};
}
Error Error::IdempotentParameterMismatch() {
  return {ErrorCode::kIdempotentParameterMismatch,
          "DynamoDB rejected the request because you retried a request with a different payload "
          "but with an idempotent token that was already used."};
}
Error Error::RequestLimitExceeded(std::string message) {
  return {ErrorCode::kRequestLimitExceeded, std::move(message)};
}
Error Error::Throttling(std::string message) {
  return {ErrorCode::kThrottling, std::move(message)};
}
Error Error::ExpiredIterator() {
  return {ErrorCode::kExpiredIterator,
          "The shard iterator has expired and can no longer be used to retrieve stream records. A "
          "shard iterator expires 15 minutes after it is retrieved using the GetShardIterator "
          "action."};
}
Error Error::TrimmedDataAccess() {
  return {ErrorCode::kTrimmedDataAccess, "The data you are trying to access has been trimmed"};
}
Error Error::TableNotFound(std::string_view table_name) {
  return {ErrorCode::kTableNotFound, "Table not found: " + std::string(table_name)};
}
Error Error::TableAlreadyExists(std::string_view table_name) {
  return {ErrorCode::kTableAlreadyExists, "Table already exists: " + std::string(table_name)};
}
Error Error::TableInUse(std::string message) {
  return {ErrorCode::kTableInUse, std::move(message)};
}
Error Error::BackupNotFound(std::string_view backup_arn) {
  return {ErrorCode::kBackupNotFound, "Backup not found: " + std::string(backup_arn)};
}
Error Error::BackupInUse(std::string_view backup_arn) {
  return {ErrorCode::kBackupInUse,
          "Backup is being used to restore table: " + std::string(backup_arn)};
}
Error Error::PointInTimeRecoveryUnavailable(std::string_view table_name) {
  return {ErrorCode::kPointInTimeRecoveryUnavailable,
          "Point in time recovery is not enabled for table '" + std::string(table_name) + "'"};
}
Error Error::InvalidRestoreTime(std::string message) {
  return {ErrorCode::kInvalidRestoreTime, std::move(message)};
}
Error Error::ExportConflict() {
  return {ErrorCode::kExportConflict,
          "Export conflict: Duplicate request detected with conflicting parameters"};
}
Error Error::ImportConflict() {
  return {ErrorCode::kImportConflict,
          "Import conflict: Duplicate request detected with conflicting parameters"};
}
Error Error::ExportNotFound(std::string_view export_arn) {
  return {ErrorCode::kExportNotFound, "Export not found: " + std::string(export_arn)};
}
Error Error::ImportNotFound(std::string_view import_arn) {
  return {ErrorCode::kImportNotFound, "Import not found: " + std::string(import_arn)};
}
Error Error::InvalidExportTime(std::string message) {
  return {ErrorCode::kInvalidExportTime, std::move(message)};
}
Error Error::InternalFailure() { return {ErrorCode::kInternalFailure, {}}; }
Error Error::InternalServerError(std::string message) {
  return {ErrorCode::kInternalServerError, std::move(message)};
}
Error Error::NoAnswer(std::string message) { return {ErrorCode::kNoAnswer, std::move(message)}; }

Error Error::FromWire(Wire wire) {
  ErrorCode code = ErrorCode::kOther;
  for (const NamedCode& named : kErrorNames) {
    if (named.code < ErrorCode::kNoAnswer && named.name == wire.name) code = named.code;
  }
  Error error(code, std::move(wire.message));
  if (code == ErrorCode::kOther || !wire.item.empty() || !wire.reasons.empty()) {
    error.detail_ = std::make_shared<const Detail>(
        Detail{.item = std::move(wire.item),
               .reasons = std::move(wire.reasons),
               .name = std::string(wire.name.empty() ? ErrorName(ErrorCode::kOther) : wire.name)});
  }
  return error;
}

std::string_view Error::name() const {
  return code_ == ErrorCode::kOther ? std::string_view(detail_->name) : ErrorName(code_);
}

const std::string& Error::item() const {
  static const std::string kNone;
  return detail_ ? detail_->item : kNone;
}

const std::vector<CancellationReason>& Error::cancellation_reasons() const {
  static const std::vector<CancellationReason> kNone;
  return detail_ ? detail_->reasons : kNone;
}

}  // namespace stator
