#include "api/error_body.h"

#include <string_view>

#include "stator/item.h"
#include "value/item_json.h"
#include "value/json_writer.h"

namespace stator {
namespace {

// The namespace in front of the type's name; clients look only at what follows the '#'.
std::string_view Prefix(ErrorCode code) {
  switch (code) {
    case ErrorCode::kValidation:
      return "com.amazon.coral.validate#";
    case ErrorCode::kSerialization:
    case ErrorCode::kUnknownOperation:
    case ErrorCode::kAccessDenied:
    case ErrorCode::kMissingAuthenticationToken:
    case ErrorCode::kIncompleteSignature:
    case ErrorCode::kInvalidSignature:
    case ErrorCode::kUnrecognizedClient:
    case ErrorCode::kThrottling:
    case ErrorCode::kInternalFailure:
      return "com.amazon.coral.service#";
    default:
      return "com.amazonaws.dynamodb.v20120810#";
  }
}

std::string_view MessageKey(ErrorCode code) {
  switch (code) {
    case ErrorCode::kSerialization:
    case ErrorCode::kTransactionCanceled:
    case ErrorCode::kAccessDenied:
      return "Message";
    default:
      return "message";
  }
}

void WriteReasons(JsonWriter& out, const Error& error) {
  out.Key("CancellationReasons").BeginArray();
  for (const CancellationReason& reason : error.cancellation_reasons()) {
    out.BeginObject().Key("Code").String(reason.code);
    if (!reason.message.empty()) out.Key("Message").String(reason.message);
    if (!reason.item.empty()) {
      out.Key("Item");
      WriteItem(out, ItemView(reason.item));
    }
    out.EndObject();
  }
  out.EndArray();
}

}  // namespace

int HttpStatus(const Error& error) {
  const bool ours = error.code() == ErrorCode::kInternalFailure ||
                    error.code() == ErrorCode::kInternalServerError;
  return ours ? 500 : 400;
}

std::string ErrorBody(const Error& error) {
  std::string body;
  JsonWriter out(body);
  out.BeginObject();
  out.Key("__type").String(std::string(Prefix(error.code())).append(error.name()));
  const bool silent = error.message().empty() && (error.code() == ErrorCode::kSerialization ||
                                                  error.code() == ErrorCode::kUnknownOperation);
  if (!silent) out.Key(MessageKey(error.code())).String(error.message());
  if (!error.item().empty()) {
    out.Key("Item");
    WriteItem(out, ItemView(error.item()));
  }
  if (error.code() == ErrorCode::kTransactionCanceled) WriteReasons(out, error);
  out.EndObject();
  return body;
}

}  // namespace stator
