// DescribeEndpoints: where the service of the region answers.
#include "api/member_reader.h"
#include "api/operations.h"

namespace stator {
namespace describe_endpoints {
namespace {

struct Plan {};

Result<DescribeEndpointsRequest> Decode(JsonValue body, Wording) {
  return MemberReader(body).Finish(DescribeEndpointsRequest{});
}

Result<Plan> Validate(const DescribeEndpointsRequest&, Engine&, Wording) { return Plan{}; }

void Execute(Engine& engine, Plan, Reply<DescribeEndpointsResponse> reply) {
  DescribeEndpointsResponse response;
  response.address = "dynamodb." + engine.region() + ".amazonaws.com";
  reply(std::move(response));
}

void Encode(const DescribeEndpointsResponse& response, JsonWriter& out) {
  out.BeginObject();
  out.Key("Endpoints").BeginArray().BeginObject();
  out.Key("Address").String(response.address);
  out.Key("CachePeriodInMinutes").Integer(response.cache_period_in_minutes);
  out.EndObject().EndArray().EndObject();
}

}  // namespace
}  // namespace describe_endpoints

constinit const Operation<DescribeEndpointsRequest, DescribeEndpointsResponse> kDescribeEndpoints =
    DefineOperation<DescribeEndpointsRequest, DescribeEndpointsResponse, describe_endpoints::Decode,
                    describe_endpoints::Validate, describe_endpoints::Execute,
                    describe_endpoints::Encode>();

}  // namespace stator
