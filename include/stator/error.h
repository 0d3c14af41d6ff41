// What a client sees when an operation fails.
//
// An Error is a value: code, message and, for a few codes, typed detail. It is made only by the
// named factories below, so that every place that raises an error says which one. Nothing ever
// looks at the message to decide anything.
#ifndef STATOR_ERROR_H_
#define STATOR_ERROR_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace stator {

enum class ErrorCode : std::uint8_t {
  kValidation,
  kSerialization,
  kUnknownOperation,
  kAccessDenied,
  kMissingAuthenticationToken,
  kIncompleteSignature,
  kInvalidSignature,
  kUnrecognizedClient,
  kResourceNotFound,
  kResourceInUse,
  kLimitExceeded,
  kConditionalCheckFailed,
  kDuplicateItem,
  kTransactionCanceled,
  kTransactionConflict,
  kTransactionInProgress,
  kIdempotentParameterMismatch,
  kItemCollectionSizeLimitExceeded,
  kProvisionedThroughputExceeded,
  kRequestLimitExceeded,
  kThrottling,
  kExpiredIterator,
  kTrimmedDataAccess,
  kTableNotFound,
  kTableAlreadyExists,
  kTableInUse,
  kBackupNotFound,
  kBackupInUse,
  kPointInTimeRecoveryUnavailable,
  kInvalidRestoreTime,
  kExportConflict,
  kExportNotFound,
  kInvalidExportTime,
  kImportConflict,
  kImportNotFound,
  kInternalFailure,  // HTTP 500 with an empty message, as DynamoDB answers for some odd requests
  kInternalServerError,  // HTTP 500: the store failed
  kNoAnswer,             // of a Client: no answer came, or none that can be read
  kOther,                // of a Client: an error that Stator has no code for; name() says which
};

// The type's name without its prefix, e.g. "ValidationException".
std::string_view ErrorName(ErrorCode code);

// Why one action of a cancelled transaction stopped it. `item` is an encoded item, empty when
// absent.
struct CancellationReason {
  std::string code = "None";
  std::string message;
  std::string item;
};

class Error {
 public:
  static Error Validation(std::string message);
  static Error Serialization(std::string message = {});
  // DynamoDB sends no message; there is one for an operation that DynamoDB has and Stator has not.
  static Error UnknownOperation(std::string message = {});
  static Error AccessDenied();
  static Error MissingAuthenticationToken();
  static Error IncompleteSignature(std::string message);
  static Error InvalidSignature(std::string message);
  static Error UnrecognizedClient();
  static Error ResourceNotFound(std::string message = "Requested resource not found");
  static Error ResourceInUse(std::string message);
  static Error LimitExceeded(std::string message);
  // `existing_item` is the encoded stored item; empty when none existed or none was asked for.
  static Error ConditionalCheckFailed(std::string existing_item = {});
  // An INSERT of an item that exists.
  static Error DuplicateItem(std::string existing_item = {});
  static Error TransactionCanceled(std::vector<CancellationReason> reasons);
  static Error TransactionConflict();
  static Error TransactionInProgress();
  static Error IdempotentParameterMismatch();
  // The request asked for more work than one request may.
  static Error RequestLimitExceeded(std::string message);
  // The server has too much to do; the same request may succeed a moment later.
  static Error Throttling(std::string message);
  static Error ExpiredIterator();
  static Error TrimmedDataAccess();
  // Backups, restores and exports have names of their own for what happens to tables.
  static Error TableNotFound(std::string_view table_name);
  static Error TableAlreadyExists(std::string_view table_name);
  static Error TableInUse(std::string message);
  static Error BackupNotFound(std::string_view backup_arn);
  static Error BackupInUse(std::string_view backup_arn);
  static Error PointInTimeRecoveryUnavailable(std::string_view table_name);
  static Error InvalidRestoreTime(std::string message);
  // A ClientToken was used before with other parameters.
  static Error ExportConflict();
  static Error ImportConflict();
  static Error ExportNotFound(std::string_view export_arn);
  static Error ImportNotFound(std::string_view import_arn);
  static Error InvalidExportTime(std::string message);
  static Error InternalFailure();
  static Error InternalServerError(std::string message);
  // What was asked for may have happened or not.
  static Error NoAnswer(std::string message);
  // As another endpoint sent it; `name` is that of the type, without its prefix.
  struct Wire {
    std::string_view name;
    std::string message;
    std::string item;  // encoded; empty: none
    std::vector<CancellationReason> reasons;
  };
  static Error FromWire(Wire wire);

  ErrorCode code() const { return code_; }
  const std::string& message() const { return message_; }
  // ErrorName(code()), or the name that an error of code kOther came with.
  std::string_view name() const;

  // The encoded item carried by ConditionalCheckFailed or DuplicateItem; empty when there is none.
  const std::string& item() const;
  const std::vector<CancellationReason>& cancellation_reasons() const;

 private:
  struct Detail {
    std::string item;
    std::vector<CancellationReason> reasons;
    std::string name;  // of kOther
  };
  Error(ErrorCode code, std::string message) : code_(code), message_(std::move(message)) {}
  Error(ErrorCode code, std::string message, std::string item);

  ErrorCode code_;
  std::string message_;
  std::shared_ptr<const Detail> detail_;  // shared, so that an Error stays cheap to copy
};

}  // namespace stator

#endif  // STATOR_ERROR_H_
