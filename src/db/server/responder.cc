#include "server/responder.h"

#include <fmt/format.h>
#include <llhttp.h>

#include <charconv>
#include <chrono>
#include <ctime>
#include <limits>

#include "base/log.h"
#include "server/options.h"

namespace stator::server {
namespace {

constexpr std::string_view kRequestIdTail = "VV4KQNSO5AEMVJF66Q9ASUAAJG";
constexpr std::string_view kBase32Hex = "0123456789ABCDEFGHIJKLMNOPQRSTUV";

std::string_view Reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 413:
      return "Request Entity Too Large";
    case 414:
      return "URI Too Long";
    case 415:
      return "Unsupported Media Type";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 503:
      return "Service Unavailable";
    default:
      return "Unknown";
  }
}

std::string_view Name(ContentType type) {
  switch (type) {
    case ContentType::kAmzJson:
      return "application/x-amz-json-1.0";
    case ContentType::kJson:
      return "application/json";
    case ContentType::kMetrics:
      return "text/plain; version=0.0.4; charset=utf-8";
    case ContentType::kNone:
      break;
  }
  return {};
}

void AppendNumber(std::string& out, std::uint64_t number) {
  std::array<char, std::numeric_limits<std::uint64_t>::digits10 + 1> digits;
  const char* end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

void AppendStatusLine(std::string& out, int status) {
  out += "HTTP/1.1 ";
  AppendNumber(out, static_cast<std::uint64_t>(status));
  out += ' ';
  out += Reason(status);
}

Coding CodingFor(const Exchange& exchange) {
  if (exchange.answer.body.size() < kGzipBytesMin) return Coding::kIdentity;
  const auto accepted = exchange.head.Find("Accept-Encoding");
  return accepted ? ChooseCoding(*accepted) : Coding::kIdentity;
}

}  // namespace

std::string_view HttpDate::At(std::time_t now) {
  if (now != second_) {
    // strftime would follow the locale.
    static constexpr std::array<const char*, 7> kDays = {"Sun", "Mon", "Tue", "Wed",
                                                         "Thu", "Fri", "Sat"};
    static constexpr std::array<const char*, 12> kMonths = {
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    std::tm utc{};
    gmtime_r(&now, &utc);
    text_ = fmt::format("{}, {:02} {} {} {:02}:{:02}:{:02} GMT",
                        kDays[static_cast<std::size_t>(utc.tm_wday)], utc.tm_mday,
                        kMonths[static_cast<std::size_t>(utc.tm_mon)], utc.tm_year + 1900,
                        utc.tm_hour, utc.tm_min, utc.tm_sec);
    second_ = now;
  }
  return text_;
}

RequestIds::RequestIds() {
  std::random_device device;
  std::seed_seq seed{device(), device(), device(), device()};
  random_.seed(seed);
}

std::array<char, kRequestIdLength> RequestIds::Next() {
  std::array<char, kRequestIdLength> id;
  constexpr std::size_t kRandomLength = kRequestIdLength - kRequestIdTail.size();
  constexpr std::size_t kPerDraw = 12;  // five bits each of a 64-bit draw
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < kRandomLength; ++i) {
    if (i % kPerDraw == 0) bits = random_();
    id[i] = kBase32Hex[bits & 31];
    bits >>= 5;
  }
  kRequestIdTail.copy(id.data() + kRandomLength, kRequestIdTail.size());
  return id;
}

void AppendResponseHead(std::string& out, const ResponseHead& head) {
  AppendStatusLine(out, head.status);
  out += "\r\nServer: Server\r\nDate: ";
  out += head.date;
  if (head.content_type != ContentType::kNone) {
    out += "\r\nContent-Type: ";
    out += Name(head.content_type);
  }
  out += "\r\nContent-Length: ";
  AppendNumber(out, head.content_length);
  if (head.coding != Coding::kIdentity) {
    out += "\r\nContent-Encoding: ";
    out += CodingName(head.coding);
  }
  out += head.keep_alive ? "\r\nConnection: keep-alive\r\n" : "\r\nConnection: close\r\n";
  out += "x-amzn-RequestId: ";
  out += head.request_id;
  out += "\r\nx-amz-crc32: ";
  AppendNumber(out, head.crc32);
  out += "\r\n";
  out += head.extra_headers;
  out += "\r\n";
}

std::string TooLargeResponse(int http_minor, std::string_view date) {
  std::string out;
  AppendStatusLine(out, 413);
  out += "\r\nServer: Server\r\nDate: ";
  out += date;
  out += "\r\nConnection: close\r\n";
  // HTTP/1.0 has no chunks.
  out +=
      http_minor == 0 ? "Content-Length: 0\r\n\r\n" : "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
  return out;
}

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

void PackIfWanted(Exchange& exchange, Gzip& gzip) {
  if (exchange.coding != Coding::kIdentity) return;
  exchange.coding = CodingFor(exchange);
  if (exchange.coding == Coding::kIdentity) return;
  exchange.answer.body = gzip.Compress(exchange.answer.body, exchange.coding);
}

void Responder::Compose(Exchange& exchange) {
  PackIfWanted(exchange, gzip_);
  std::string& body = exchange.answer.body;
  AppendResponseHead(exchange.response_head,
                     {.status = exchange.answer.http_status,
                      .content_type = exchange.content_type,
                      .content_length = body.size(),
                      .crc32 = Crc32(body),
                      .coding = exchange.coding,
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
