#include "server/router.h"

#include <llhttp.h>

#include <algorithm>
#include <array>
#include <utility>

#include "server/options.h"

namespace stator::server {
namespace {

constexpr std::string_view kNotFoundBody = "<UnknownOperationException/>\n";
constexpr std::string_view kUnknownOperation = "unknown";

// nullopt: not a type that an operation accepts.
std::optional<ContentType> ContentTypeOf(const RequestHead& head) {
  const std::string_view value = head.Find("Content-Type").value_or("");
  const std::string_view type = http::TrimBlanks(value.substr(0, value.find(';')));
  if (http::SameHeaderName(type, "application/x-amz-json-1.0")) return ContentType::kAmzJson;
  if (http::SameHeaderName(type, "application/json")) return ContentType::kJson;
  return std::nullopt;
}

// Only what cannot end a header line early.
bool IsPrintable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7f; });
}

// Operations whose answers may be much larger than their requests. Workers make few of them at a time; one
// is counted when it is there.
constexpr std::array<std::string_view, 8> kLongAnswers = {"Query",
                                                          "Scan",
                                                          "BatchGetItem",
                                                          "TransactGetItems",
                                                          "GetRecords",
                                                          "ExecuteStatement",
                                                          "BatchExecuteStatement",
                                                          "ExecuteTransaction"};
constexpr std::array<std::string_view, 6> kRepeatableReads = {
    "GetItem", "BatchGetItem", "Query", "Scan", "TransactGetItems", "GetRecords"};

Error NamedError(std::string_view name, std::string message) {
  return Error::FromWire({.name = name, .message = std::move(message), .item = {}, .reasons = {}});
}

RequestHandler::Answer NotFoundAnswer() {
  return {.http_status = HTTP_STATUS_NOT_FOUND,
          .body = std::string(kNotFoundBody),
          .error_name = OutcomeName(HTTP_STATUS_NOT_FOUND)};
}

void AppendHeader(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ").append(value).append("\r\n");
}

}  // namespace

void Router::Route(std::unique_ptr<Exchange> exchange) {
  // Before CORS: no other origin may use these paths, whatever else it may use.
  if (Admin::Owns(exchange->head.path())) return RouteAdmin(std::move(exchange));
  exchange->operation = kUnknownOperation;
  if (std::optional<std::string> why = parts_.access.WhyRefused(exchange->head)) {
    RequestHandler::Answer answer = ForbiddenAnswer(*exchange, *std::move(why));
    return Answer(std::move(exchange), std::move(answer));
  }
  const bool origin_allowed = AllowOrigin(*exchange);
  switch (exchange->method) {
    case HTTP_POST:
      return RoutePost(std::move(exchange));
    case HTTP_GET:
      return RouteGet(std::move(exchange));
    case HTTP_OPTIONS:
      if (origin_allowed) return RoutePreflight(std::move(exchange));
      [[fallthrough]];
    default:
      return AnswerNotFound(std::move(exchange));
  }
}

void Router::CountAsUnknown(Exchange& exchange) {
  exchange.operation = kUnknownOperation;
  exchange.metrics = &parts_.metrics.ForOperation(kUnknownOperation);
}

// A server that knows its clients may stand behind a proxy that lets the whole world in, under any
// name of this machine: then the address of the sender proves nothing.
void Router::RouteAdmin(std::unique_ptr<Exchange> exchange) {
  const Result<void> allowed = parts_.admin_is_signed ? Authenticate(*exchange) : Result<void>();
  admin_.Answer(*exchange, allowed);
  parts_.queue->Deliver(std::move(exchange));
}

void Router::RouteGet(std::unique_ptr<Exchange> exchange) {
  const std::string_view path = exchange->head.path();
  if (path == "/") {
    exchange->operation = "health";
    const Database::Health health = parts_.handler.GetHealth();
    if (!health.is_writable()) {
      return Answer(std::move(exchange),
                    {.http_status = HTTP_STATUS_SERVICE_UNAVAILABLE,
                     .body = (health.reason == "unreachable" ? "unavailable: " : "read-only: ") +
                             health.message + "\n",
                     .error_name = OutcomeName(HTTP_STATUS_SERVICE_UNAVAILABLE)});
    }
    std::string body = "healthy: dynamodb." + parts_.handler.region() + ".amazonaws.com ";
    return Answer(std::move(exchange), {.http_status = 200, .body = std::move(body)});
  }
  if (path == "/metrics") {
    exchange->operation = "metrics";
    exchange->content_type = ContentType::kMetrics;
    return Answer(std::move(exchange), {.http_status = 200, .body = parts_.metrics_page()});
  }
  AnswerNotFound(std::move(exchange));
}

void Router::RoutePreflight(std::unique_ptr<Exchange> exchange) {
  std::string& out = exchange->extra_headers;
  AppendHeader(out, "Access-Control-Max-Age", "172800");
  const auto echo = [&](std::string_view asked, std::string_view allowed) {
    const auto value = exchange->head.Find(asked);
    if (value && IsPrintable(*value)) AppendHeader(out, allowed, *value);
  };
  echo("Access-Control-Request-Headers", "Access-Control-Allow-Headers");
  echo("Access-Control-Request-Method", "Access-Control-Allow-Methods");
  Answer(std::move(exchange), {.http_status = 200});
}

void Router::RoutePost(std::unique_ptr<Exchange> exchange) {
  Exchange& x = *exchange;
  const std::optional<ContentType> content_type = ContentTypeOf(x.head);
  if (x.head.path() != "/" || (!content_type && x.body.size() > 0)) {
    return AnswerNotFound(std::move(exchange));
  }
  x.content_type = content_type.value_or(ContentType::kJson);

  const std::string_view operation = x.head.Operation();
  const bool known = !operation.empty() && parts_.handler.Knows(operation);
  if (known) x.operation = operation;
  x.metrics = &parts_.metrics.ForOperation(x.operation);

  // What is signed is the body as it was sent.
  const Result<void> allowed =
      known ? Authenticate(x) : Result<void>(std::unexpected(parts_.handler.Unknown(operation)));
  // A stranger's body is not worth the work of unpacking it to see whether it is JSON.
  if (!allowed && x.is_packed) {
    return Answer(std::move(exchange), parts_.handler.ErrorAnswer(allowed.error()));
  }
  if (std::optional<RequestHandler::Answer> refused = Unpack(x)) {
    return Answer(std::move(exchange), *std::move(refused));
  }
  if (std::optional<Error> error = Check(x, allowed)) {
    return Answer(std::move(exchange), parts_.handler.ErrorAnswer(*error));
  }
  const std::string_view json = x.body.Padded();
  parts_.handler.Handle(operation, json, PendingAnswer(parts_.queue, std::move(exchange)),
                        x.unwanted);
}

// In the order of the checks of whole requests, but for the text, which is not there yet.
std::optional<RequestHandler::Answer> Router::RefuseHead(Exchange& exchange) {
  const RequestHead& head = exchange.head;
  if (!Admin::Owns(head.path())) {
    if (std::optional<std::string> why = parts_.access.WhyRefused(head)) {
      return ForbiddenAnswer(exchange, *std::move(why));
    }
    const std::optional<ContentType> content_type = ContentTypeOf(head);
    if (exchange.method != HTTP_POST || head.path() != "/" || !content_type) {
      return NotFoundAnswer();
    }
    exchange.content_type = *content_type;
    const std::string_view operation = exchange.head.Operation();
    if (operation.empty() || !parts_.handler.Knows(operation)) {
      return parts_.handler.ErrorAnswer(parts_.handler.Unknown(operation));
    }
  } else if (!parts_.admin_is_signed) {
    return std::nullopt;
  }
  const Result<void> allowed = parts_.authenticator.CheckHead(SignedPart(exchange));
  if (allowed) return std::nullopt;
  return parts_.handler.ErrorAnswer(allowed.error());
}

RequestHandler::Answer Router::BusyAnswer(Exchange& exchange) const {
  exchange.content_type = ContentTypeOf(exchange.head).value_or(ContentType::kJson);
  RequestHandler::Answer answer = parts_.handler.ErrorAnswer(NamedError(
      "ServiceUnavailable",
      "Requests and answers of your address take all the memory that one address may take. Try "
      "again "
      "later, read answers sooner, or start the server with a larger --memory-per-peer."));
  answer.http_status = HTTP_STATUS_SERVICE_UNAVAILABLE;
  answer.error_name = OutcomeName(HTTP_STATUS_SERVICE_UNAVAILABLE);
  return answer;
}

bool Router::MayAnswerAtLength(std::string_view operation) {
  return std::ranges::find(kLongAnswers, operation) != kLongAnswers.end();
}

bool Router::MayBeDropped(const Exchange& exchange) const {
  return exchange.answer.http_status == HTTP_STATUS_OK &&
         std::ranges::find(kRepeatableReads, exchange.head.Operation()) != kRepeatableReads.end();
}

std::optional<RequestHandler::Answer> Router::Unpack(Exchange& exchange) {
  const auto encoding = exchange.head.Find("Content-Encoding");
  if (!encoding || exchange.body.size() == 0) return std::nullopt;
  const std::optional<Coding> coding = CodingFromName(*encoding);
  if (!coding) {
    return parts_.handler.ErrorAnswer(Error::InternalServerError(
        "The Content-Encoding of the request is unknown: send gzip, deflate or none"));
  }
  if (*coding == Coding::kIdentity) return std::nullopt;
  auto unpacked = parts_.gzip.Decompress(exchange.body.Padded(), kBodyBytesMax, *coding);
  if (unpacked) {
    exchange.body = *std::move(unpacked);
    return std::nullopt;
  }
  if (unpacked.error() == Gzip::Problem::kTooLarge) {
    exchange.keep_alive = false;
    return RequestHandler::Answer{.http_status = HTTP_STATUS_PAYLOAD_TOO_LARGE,
                                  .error_name = OutcomeName(HTTP_STATUS_PAYLOAD_TOO_LARGE)};
  }
  return parts_.handler.ErrorAnswer(Error::InternalServerError(
      "The body of the request is not in the form that its Content-Encoding names"));
}

SignedRequest Router::SignedPart(Exchange& exchange) {
  return {.method = llhttp_method_name(static_cast<llhttp_method_t>(exchange.method)),
          .path = exchange.head.path(),
          .query = exchange.head.query(),
          .headers = exchange.head.headers(),
          .body = {}};
}

Result<void> Router::Authenticate(Exchange& exchange) const {
  SignedRequest request = SignedPart(exchange);
  request.body = exchange.body.Padded();
  return parts_.authenticator.Check(request);
}

std::optional<Error> Router::Check(Exchange& exchange, const Result<void>& allowed) {
  if (!allowed) return UnlessNotJson(exchange, allowed.error());
  if (exchange.body.size() == 0) return Error::Serialization();
  return std::nullopt;  // the operation itself finds out whether the body is JSON
}

Error Router::UnlessNotJson(Exchange& exchange, Error error) {
  const bool is_json = exchange.body.size() == 0 || document_.ParsePadded(exchange.body.Padded());
  if (exchange.body.size() > kBodyReserveBytesMax) document_ = JsonDocument();  // it takes a lot
  return is_json ? error : Error::Serialization();
}

bool Router::AllowOrigin(Exchange& exchange) {
  const auto origin = exchange.head.Find("Origin");
  if (!origin || !parts_.access.AllowsOrigin(*origin)) return false;
  const std::string_view allowed = parts_.access.cors_origin();
  AppendHeader(exchange.extra_headers, "Access-Control-Allow-Origin", allowed);
  AppendHeader(exchange.extra_headers, "Access-Control-Expose-Headers",
               "x-amzn-RequestId,x-amzn-ErrorType,x-amz-crc32");
  if (allowed != "*") AppendHeader(exchange.extra_headers, "Vary", "Origin");
  return true;
}

void Router::Answer(std::unique_ptr<Exchange> exchange, RequestHandler::Answer answer) {
  exchange->answer = std::move(answer);
  parts_.queue->Deliver(std::move(exchange));
}

RequestHandler::Answer Router::ForbiddenAnswer(Exchange& exchange, std::string message) {
  CountAsUnknown(exchange);
  exchange.content_type = ContentType::kJson;
  RequestHandler::Answer answer = parts_.handler.ErrorAnswer(
      NamedError(ErrorName(ErrorCode::kAccessDenied), std::move(message)));
  answer.http_status = HTTP_STATUS_FORBIDDEN;
  return answer;
}

void Router::AnswerNotFound(std::unique_ptr<Exchange> exchange) {
  CountAsUnknown(*exchange);
  Answer(std::move(exchange), NotFoundAnswer());
}

}  // namespace stator::server
