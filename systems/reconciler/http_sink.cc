#include "systems/reconciler/http_sink.h"

#include <fmt/format.h>
#include <httplib.h>

#include <algorithm>
#include <thread>

#include "systems/program/json_line.h"

namespace stator::systems::reconciler {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kConnectTimeout(3);
constexpr std::chrono::seconds kAnswerTimeout(10);
constexpr std::size_t kAnswerMax = 64 << 10;

// "http://host:80/a/b" → {"http://host:80", "/a/b"}
std::pair<std::string, std::string> SplitUrl(const std::string& url) {
  const std::size_t host = url.find("://");
  const std::size_t path = host == std::string::npos ? host : url.find('/', host + 3);
  if (path == std::string::npos) return {url, "/"};
  return {url.substr(0, path), url.substr(path)};
}

// The request may have reached the receiver although no answer came.
bool MayHaveArrived(httplib::Error error) {
  return error == httplib::Error::Read || error == httplib::Error::Write ||
         error == httplib::Error::Canceled || error == httplib::Error::Unknown;
}

Delivery DeliveryOf(int status, const std::string& answer) {
  if (status >= 200 && status < 300) {
    const auto body = ItemOfJson(answer);
    const bool resolved = body && TextOf(body->view(), "outcome") == "RESOLVED";
    return {resolved ? Delivery::Result::kResolved : Delivery::Result::kDelivered};
  }
  const bool final = status == 400 || status == 410 || status == 422;
  return {final ? Delivery::Result::kRefused : Delivery::Result::kFailed,
          fmt::format("the receiver answered {}", status)};
}

}  // namespace

struct HttpSink::Connection {
  explicit Connection(const std::string& url) : client(SplitUrl(url).first) {
    path = SplitUrl(url).second;
    client.set_connection_timeout(kConnectTimeout);
    client.set_read_timeout(kAnswerTimeout);
    client.set_write_timeout(kAnswerTimeout);
    client.set_keep_alive(true);
    // Head and body are two writes: the body would wait for the receiver's delayed acknowledgement.
    client.set_tcp_nodelay(true);
  }

  Delivery Post(const Payload& payload) {
    httplib::Request request;
    request.method = "POST";
    request.path = path;
    request.headers.emplace("Content-Type", "application/json");
    request.headers.emplace("Idempotency-Key", JsonText(payload.id));
    request.body = payload.json;
    std::string answer;
    request.content_receiver = [&](const char* bytes, std::size_t size, std::uint64_t,
                                   std::uint64_t) {
      answer.append(bytes, size);
      return answer.size() <= kAnswerMax;
    };
    const httplib::Result result = client.send(request);
    if (result) return DeliveryOf(result->status, answer);
    const std::string why = httplib::to_string(result.error());
    if (MayHaveArrived(result.error())) return {Delivery::Result::kUnknown, "no answer: " + why};
    return {Delivery::Result::kNotSent, "the receiver cannot be reached: " + why};
  }

  httplib::Client client;
  std::string path;
};

HttpSink::HttpSink(HttpSinkOptions options, std::unique_ptr<Connection> connection)
    : options_(std::move(options)), connection_(std::move(connection)) {
  if (!options_.wait) {
    options_.wait = [](std::chrono::milliseconds time) { std::this_thread::sleep_for(time); };
  }
}
HttpSink::~HttpSink() = default;

std::expected<std::unique_ptr<Sink>, std::string> HttpSink::Open(HttpSinkOptions options) {
  const bool is_http = options.url.starts_with("http://") || options.url.starts_with("https://");
  const bool is_clean = options.url.find_first_of(" \t\r\n") == std::string::npos;
  if (!is_http || !is_clean) {
    return std::unexpected(options.url + " is not an address like http://127.0.0.1:9000/calls");
  }
  auto connection = std::make_unique<Connection>(options.url);
  if (!connection->client.is_valid()) {
    return std::unexpected(options.url + " is not an address that can be reached");
  }
  return std::unique_ptr<Sink>(new HttpSink(std::move(options), std::move(connection)));
}

Delivery HttpSink::DeliverOne(const Payload& payload, Clock::time_point deadline) {
  std::chrono::milliseconds wait = options_.first_wait;
  Delivery delivery{Delivery::Result::kNotSent, "there was no time left to deliver it"};
  for (int attempt = 0; attempt < options_.attempts; ++attempt) {
    if (attempt > 0) {
      options_.wait(wait);
      wait *= 2;
    }
    // Nothing may be under way when the lease ends.
    if (Clock::now() + kConnectTimeout + kAnswerTimeout > deadline) break;
    const Delivery::Result before = delivery.result;
    delivery = connection_->Post(payload);
    if (!delivery.is_worth_another_try()) return delivery;
    // What one attempt may have done no later one undoes.
    delivery.result = std::max(delivery.result, before);
  }
  return delivery;
}

std::vector<Delivery> HttpSink::Deliver(const std::vector<Payload>& payloads,
                                        Clock::time_point deadline) {
  std::vector<Delivery> deliveries(payloads.size(),
                                   {Delivery::Result::kNotSent, "an earlier one failed"});
  for (std::size_t i = 0; i < payloads.size(); ++i) {
    deliveries[i] = DeliverOne(payloads[i], deadline);
    if (deliveries[i].is_worth_another_try()) break;
  }
  return deliveries;
}

}  // namespace stator::systems::reconciler
