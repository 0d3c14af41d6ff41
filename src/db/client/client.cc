#include "stator/client.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/random.h"
#include "base/try.h"
#include "client/credentials.h"
#include "client/request_sender.h"
#include "client/requests.h"
#include "client/responses.h"
#include "http/transport.h"

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

}  // namespace

struct Client::Impl {
  std::string region;
  RequestSender sender;

  template <class Response, class Request>
  Result<Response> Call(std::string_view operation, const Request& request) {
    ASSIGN_OR_RETURN(const std::string json, EncodeRequest(request));
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

Result<GetItemResponse> Client::GetItem(const GetItemRequest& request) {
  return impl_->Call<GetItemResponse>("GetItem", request);
}
Result<PutItemResponse> Client::PutItem(const PutItemRequest& request) {
  return impl_->Call<PutItemResponse>("PutItem", request);
}
Result<UpdateItemResponse> Client::UpdateItem(const UpdateItemRequest& request) {
  return impl_->Call<UpdateItemResponse>("UpdateItem", request);
}
Result<DeleteItemResponse> Client::DeleteItem(const DeleteItemRequest& request) {
  return impl_->Call<DeleteItemResponse>("DeleteItem", request);
}
Result<QueryResponse> Client::Query(const QueryRequest& request) {
  return impl_->Call<QueryResponse>("Query", request);
}
Result<ScanResponse> Client::Scan(const ScanRequest& request) {
  return impl_->Call<ScanResponse>("Scan", request);
}
Result<BatchGetItemResponse> Client::BatchGetItem(const BatchGetItemRequest& request) {
  return impl_->Call<BatchGetItemResponse>("BatchGetItem", request);
}
Result<BatchWriteItemResponse> Client::BatchWriteItem(const BatchWriteItemRequest& request) {
  return impl_->Call<BatchWriteItemResponse>("BatchWriteItem", request);
}
Result<TransactGetItemsResponse> Client::TransactGetItems(const TransactGetItemsRequest& request) {
  return impl_->Call<TransactGetItemsResponse>("TransactGetItems", request);
}
Result<TransactWriteItemsResponse> Client::TransactWriteItems(
    const TransactWriteItemsRequest& request) {
  if (request.client_request_token)
    return impl_->Call<TransactWriteItemsResponse>("TransactWriteItems", request);
  // An attempt that is made again must not be carried out again.
  TransactWriteItemsRequest with_token = request;
  with_token.client_request_token = RandomUuid();
  return impl_->Call<TransactWriteItemsResponse>("TransactWriteItems", with_token);
}
Result<CreateTableResponse> Client::CreateTable(const CreateTableRequest& request) {
  return impl_->Call<CreateTableResponse>("CreateTable", request);
}
Result<DescribeTableResponse> Client::DescribeTable(const DescribeTableRequest& request) {
  return impl_->Call<DescribeTableResponse>("DescribeTable", request);
}
Result<UpdateTableResponse> Client::UpdateTable(const UpdateTableRequest& request) {
  return impl_->Call<UpdateTableResponse>("UpdateTable", request);
}
Result<DeleteTableResponse> Client::DeleteTable(const DeleteTableRequest& request) {
  return impl_->Call<DeleteTableResponse>("DeleteTable", request);
}
Result<ListTablesResponse> Client::ListTables(const ListTablesRequest& request) {
  return impl_->Call<ListTablesResponse>("ListTables", request);
}
Result<EmptyResponse> Client::TagResource(const TagResourceRequest& request) {
  return impl_->Call<EmptyResponse>("TagResource", request);
}
Result<EmptyResponse> Client::UntagResource(const UntagResourceRequest& request) {
  return impl_->Call<EmptyResponse>("UntagResource", request);
}
Result<ListTagsOfResourceResponse> Client::ListTagsOfResource(
    const ListTagsOfResourceRequest& request) {
  return impl_->Call<ListTagsOfResourceResponse>("ListTagsOfResource", request);
}
Result<UpdateTimeToLiveResponse> Client::UpdateTimeToLive(const UpdateTimeToLiveRequest& request) {
  return impl_->Call<UpdateTimeToLiveResponse>("UpdateTimeToLive", request);
}
Result<DescribeTimeToLiveResponse> Client::DescribeTimeToLive(
    const DescribeTimeToLiveRequest& request) {
  return impl_->Call<DescribeTimeToLiveResponse>("DescribeTimeToLive", request);
}
Result<DescribeContinuousBackupsResponse> Client::DescribeContinuousBackups(
    const DescribeContinuousBackupsRequest& request) {
  return impl_->Call<DescribeContinuousBackupsResponse>("DescribeContinuousBackups", request);
}
Result<UpdateContinuousBackupsResponse> Client::UpdateContinuousBackups(
    const UpdateContinuousBackupsRequest& request) {
  return impl_->Call<UpdateContinuousBackupsResponse>("UpdateContinuousBackups", request);
}

Result<std::string> Client::Execute(std::string_view operation, std::string_view json) {
  return impl_->sender.Send(operation, json);
}

const std::string& Client::region() const { return impl_->region; }

}  // namespace stator
