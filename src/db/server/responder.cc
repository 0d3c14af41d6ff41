#include "server/responder.h"

#include <llhttp.h>

#include <chrono>
#include <ctime>

#include "base/log.h"
#include "server/limits.h"

namespace stator::server {
namespace {

bool WantsGzip(const Exchange& exchange) {
  if (exchange.answer.body.size() < kGzipBytesMin) return false;
  const auto accepted = exchange.head.Find("Accept-Encoding");
  return accepted && AcceptsGzip(*accepted);
}

}  // namespace

void Responder::Finish(Exchange& exchange) {
  exchange.request_id = request_ids_.Next();
  const std::size_t answer_bytes = exchange.answer.body.size();
  if (exchange.answer.http_status == HTTP_STATUS_PAYLOAD_TOO_LARGE) {
    exchange.response_head = TooLargeResponse(exchange.http_minor, date_.At(std::time(nullptr)));
  } else {
    Compose(exchange);
  }
  Record(exchange, answer_bytes);
}

void Responder::Compose(Exchange& exchange) {
  const bool gzip = WantsGzip(exchange);
  std::string& body = exchange.answer.body;
  if (gzip) body = gzip_.Compress(body);
  AppendResponseHead(exchange.response_head,
                     {.status = exchange.answer.http_status,
                      .content_type = exchange.content_type,
                      .content_length = body.size(),
                      .crc32 = Crc32(body),
                      .gzip = gzip,
                      .keep_alive = exchange.keep_alive,
                      .date = date_.At(std::time(nullptr)),
                      .request_id = {exchange.request_id.data(), exchange.request_id.size()},
                      .extra_headers = exchange.extra_headers});
  // HEAD: the headers that GET would have got, and no body.
  if (exchange.method == HTTP_HEAD) body.clear();
}

void Responder::Record(const Exchange& exchange, std::size_t answer_bytes) const {
  const auto latency = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - exchange.started_at);
  if (exchange.metrics != nullptr) exchange.metrics->Record(exchange.answer.error_name, latency);
  if (!LogEnabled(LogLevel::kDebug)) return;
  Log(LogLevel::kDebug, "request",
      {{"operation", exchange.operation},
       {"status", exchange.answer.http_status},
       {"error", exchange.answer.error_name},
       {"bytes_in", exchange.wire_byte_count},
       {"bytes_out", answer_bytes},
       {"us", latency.count()},
       {"id", std::string_view(exchange.request_id.data(), exchange.request_id.size())}});
}

}  // namespace stator::server
