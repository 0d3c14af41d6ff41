#include "server/router.h"

#include <llhttp.h>

#include <algorithm>
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

void AppendHeader(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ").append(value).append("\r\n");
}

}  // namespace

void Router::Route(std::unique_ptr<Exchange> exchange) {
  // Before CORS: no other origin may use these paths, whatever else it may use.
  if (Admin::Owns(exchange->head.path())) return RouteAdmin(std::move(exchange));
  exchange->operation = kUnknownOperation;
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
                     .body = "read-only: " + health.message + "\n",
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

  const std::string_view operation =
      http::OperationOfTarget(x.head.Find("X-Amz-Target").value_or(""));
  const bool known = !operation.empty() && parts_.handler.Knows(operation);
  if (known) x.operation = operation;
  x.metrics = &parts_.metrics.ForOperation(x.operation);

  // What is signed is the body as it was sent.
  const Result<void> allowed =
      known ? Authenticate(x) : Result<void>(std::unexpected(parts_.handler.Unknown(operation)));
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

Result<void> Router::Authenticate(Exchange& exchange) const {
  return parts_.authenticator.Check(
      {.method = llhttp_method_name(static_cast<llhttp_method_t>(exchange.method)),
       .path = exchange.head.path(),
       .query = exchange.head.query(),
       .headers = exchange.head.headers(),
       .body = exchange.body.Padded()});
}

std::optional<Error> Router::Check(Exchange& exchange, const Result<void>& allowed) {
  if (!allowed) return UnlessNotJson(exchange, allowed.error());
  if (exchange.body.size() == 0) return Error::Serialization();
  return std::nullopt;  // the operation itself finds out whether the body is JSON
}

Error Router::UnlessNotJson(Exchange& exchange, Error error) {
  if (exchange.body.size() > 0 && !document_.ParsePadded(exchange.body.Padded())) {
    return Error::Serialization();
  }
  return error;
}

bool Router::AllowOrigin(Exchange& exchange) {
  if (parts_.cors_origin.empty()) return false;
  const auto origin = exchange.head.Find("Origin");
  if (!origin || (parts_.cors_origin != "*" && *origin != parts_.cors_origin)) return false;
  AppendHeader(exchange.extra_headers, "Access-Control-Allow-Origin", parts_.cors_origin);
  AppendHeader(exchange.extra_headers, "Access-Control-Expose-Headers",
               "x-amzn-RequestId,x-amzn-ErrorType,x-amz-crc32");
  if (parts_.cors_origin != "*") AppendHeader(exchange.extra_headers, "Vary", "Origin");
  return true;
}

void Router::Answer(std::unique_ptr<Exchange> exchange, RequestHandler::Answer answer) {
  exchange->answer = std::move(answer);
  parts_.queue->Deliver(std::move(exchange));
}

void Router::AnswerNotFound(std::unique_ptr<Exchange> exchange) {
  CountAsUnknown(*exchange);
  Answer(std::move(exchange), {.http_status = HTTP_STATUS_NOT_FOUND,
                               .body = std::string(kNotFoundBody),
                               .error_name = OutcomeName(HTTP_STATUS_NOT_FOUND)});
}

}  // namespace stator::server
