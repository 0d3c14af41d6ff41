#include "stator/client.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/random.h"
#include "base/try.h"
#include "client/credentials.h"
#include "client/request_sender.h"
#include "client/responses.h"
#include "http/transport.h"
#include "wire/json_codec.h"

namespace stator {
namespace {

Result<http::Url> UrlOf(const ClientOptions& options, const std::string& region) {
  auto url =
      http::ParseUrl(options.endpoint.empty() ? "https://dynamodb." + region + ".amazonaws.com"
                                              : options.endpoint);
  if (!url) return std::unexpected(Error::Validation(url.error()));
  return *std::move(url);
}

Result<std::string> RegionOf(const ClientOptions& options, const Environment& environment) {
  std::string region = FindRegion(options, environment);
  if (region.empty())
    return std::unexpected(Error::Validation("no region is given: set AWS_REGION"));
  // It becomes part of a host's name and of a header.
  const bool is_plain = std::ranges::all_of(region, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
  if (!is_plain) return std::unexpected(Error::Validation("'" + region + "' is not a region"));
  return region;
}

Result<std::unique_ptr<http::Transport>> TransportOf(const ClientOptions& options, http::Url url) {
  auto transport =
      http::OpenTransport({.url = std::move(url),
                           .ca_file = options.ca_file,
                           .connect_timeout = options.connect_timeout,
                           .request_timeout = options.request_timeout,
                           .max_connections = std::max<std::size_t>(options.max_connections, 1),
                           .limits = {}});
  if (!transport) return std::unexpected(Error::Validation(transport.error()));
  return *std::move(transport);
}

template <class Request>
const Request& WithToken(const Request& request) {
  return request;
}

// An attempt that is made again must not be carried out again.
TransactWriteItemsRequest WithToken(const TransactWriteItemsRequest& request) {
  TransactWriteItemsRequest with_token = request;
  if (!with_token.client_request_token) with_token.client_request_token = RandomUuid();
  return with_token;
}

}  // namespace

struct Client::Impl {
  std::string region;
  RequestSender sender;

  template <class Response, class Request>
  Result<Response> Call(std::string_view operation, const Request& request) {
    ASSIGN_OR_RETURN(const std::string json, RequestToJson(request));
    ASSIGN_OR_RETURN(const std::string body, sender.Send(operation, json));
    return DecodeResponse<Response>(body);
  }
};

Client::Client(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Client::~Client() = default;

Result<std::unique_ptr<Client>> Client::Open(ClientOptions options) {
  const Environment environment = Environment::OfProcess();
  ASSIGN_OR_RETURN(std::string region, RegionOf(options, environment));
  ASSIGN_OR_RETURN(http::Url url, UrlOf(options, region));
  ASSIGN_OR_RETURN(SigningCredentials credentials,
                   FindCredentials(options, url.is_loopback, environment));
  auto requests = std::make_unique<SignedRequests>(url.host_header, std::move(credentials), region);
  ASSIGN_OR_RETURN(std::unique_ptr<http::Transport> transport,
                   TransportOf(options, std::move(url)));
  RequestSender::Parts parts{.transport = std::move(transport),
                             .requests = std::move(requests),
                             .clock = std::make_unique<SystemClock>(),
                             .means = Backoff::OfSystem(),
                             .max_attempts = options.max_attempts};
  return std::unique_ptr<Client>(new Client(std::unique_ptr<Impl>(
      new Impl{.region = std::move(region), .sender = RequestSender(std::move(parts))})));
}

#define STATOR_FORWARD(Name)                                          \
  Result<Name##Response> Client::Name(const Name##Request& request) { \
    return impl_->Call<Name##Response>(#Name, WithToken(request));    \
  }
STATOR_OPERATIONS(STATOR_FORWARD)
#undef STATOR_FORWARD

Result<std::string> Client::Execute(std::string_view operation, std::string_view json) {
  return impl_->sender.Send(operation, json);
}

const std::string& Client::region() const { return impl_->region; }

}  // namespace stator
