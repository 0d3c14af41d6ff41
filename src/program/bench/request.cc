#include "bench/request.h"

#include <utility>

#include "http/headers.h"

namespace stator::bench {
namespace {

constexpr std::string_view kUnsigned =
    "AWS4-HMAC-SHA256 Credential=bench/20260101/us-east-1/dynamodb/aws4_request, "
    "SignedHeaders=host;x-amz-date;x-amz-target, "
    "Signature=0000000000000000000000000000000000000000000000000000000000000000";

}  // namespace

RequestFactory::RequestFactory(const http::Url& endpoint, std::optional<RequestSigner> signer)
    : host_(endpoint.host_header), signer_(std::move(signer)), date_(AmzDate(0)) {}

Request RequestFactory::Make(std::string_view operation, std::string_view body) const {
  Request request;
  request.target_ = http::TargetOfOperation(operation);
  std::string& out = request.bytes_;
  out.append("POST / HTTP/1.1\r\nHost: ").append(host_);
  out.append("\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: ");
  out.append(request.target_);
  if (signer_ && !signer_->credentials().session_token.empty()) {
    out.append("\r\nX-Amz-Security-Token: ").append(signer_->credentials().session_token);
  }
  out.append("\r\nX-Amz-Date: ");
  request.date_at_ = out.size();
  out.append(date_).append("\r\nAuthorization: ");
  request.authorization_at_ = out.size();
  // Every signature of one client is equally long; Sign overwrites this one.
  out.append(signer_ ? RequestFactory(*this).Authorization(request.target_, "") : kUnsigned);
  out.append("\r\nContent-Length: ").append(std::to_string(body.size())).append("\r\n\r\n");
  request.body_at_ = out.size();
  out.append(body);
  for (std::size_t at = out.find(kHole, request.body_at_); at != std::string::npos;
       at = out.find(kHole, at + kHole.size())) {
    request.holes_.push_back(at);
  }
  return request;
}

void RequestFactory::Sign(Request& request, std::time_t now) {
  if (!signer_) return;
  if (now != date_of_) {
    date_of_ = now;
    date_ = AmzDate(now);
  }
  date_.copy(request.bytes_.data() + request.date_at_, date_.size());
  const std::string authorization = Authorization(request.target_, request.body());
  authorization.copy(request.bytes_.data() + request.authorization_at_, authorization.size());
}

std::string RequestFactory::Authorization(std::string_view target, std::string_view body) {
  std::vector<http::HeaderField> headers = {{"host", host_}, {"x-amz-date", date_}};
  const std::string& token = signer_->credentials().session_token;
  if (!token.empty()) headers.push_back({"x-amz-security-token", token});
  headers.push_back({"x-amz-target", target});
  return signer_->Authorization(
      {.method = "POST", .path = "/", .query = "", .headers = headers, .body = body}, date_);
}

}  // namespace stator::bench
