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

// The bytes that JSON needs for a byte of a string, at most.
std::size_t BytesInJson(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (byte < 0x20 || byte == 0x7f) return 6;  // \u001f
  return c == '"' || c == '\\' || c == '/' ? 2 : 1;
}

// The texts of one error, within their bound together.
class TextBudget {
 public:
  // The text, or its beginning and "…". Cuts between characters.
  std::string Fit(std::string_view text) {
    constexpr std::string_view kMark = "…";
    std::size_t used = 0;
    std::size_t cut = 0;  // the last place at which the mark still fits
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool begins_character = (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80;
      if (begins_character && used + kMark.size() <= left_) cut = i;
      used += BytesInJson(text[i]);
      if (used > left_) {
        left_ = 0;
        return std::string(text.substr(0, cut)).append(kMark);
      }
    }
    left_ -= used;
    return std::string(text);
  }

 private:
  std::size_t left_ = kErrorTextBytesMax;
};

void WriteReasons(JsonWriter& out, const Error& error, TextBudget& texts) {
  out.Key("CancellationReasons").BeginArray();
  for (const CancellationReason& reason : error.cancellation_reasons()) {
    out.BeginObject().Key("Code").String(reason.code);
    if (!reason.message.empty()) out.Key("Message").String(texts.Fit(reason.message));
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
  TextBudget texts;
  if (!silent) out.Key(MessageKey(error.code())).String(texts.Fit(error.message()));
  if (!error.item().empty()) {
    out.Key("Item");
    WriteItem(out, ItemView(error.item()));
  }
  if (error.code() == ErrorCode::kTransactionCanceled) WriteReasons(out, error, texts);
  out.EndObject();
  return body;
}

}  // namespace stator
