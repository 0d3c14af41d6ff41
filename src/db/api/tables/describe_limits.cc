// DescribeLimits: the capacity that an account and a table may have.
#include "api/member_reader.h"
#include "api/operations.h"

namespace stator {
namespace describe_limits {
namespace {

struct Plan {};

Result<DescribeLimitsRequest> Decode(JsonValue body, Wording) {
  return MemberReader(body).Finish(DescribeLimitsRequest{});
}

Result<Plan> Validate(const DescribeLimitsRequest&, Engine&, Wording) { return Plan{}; }

void Execute(Engine&, Plan, Reply<DescribeLimitsResponse> reply) {
  reply(DescribeLimitsResponse{});
}

void Encode(const DescribeLimitsResponse& response, JsonWriter& out) {
  out.BeginObject();
  out.Key("AccountMaxReadCapacityUnits").Integer(response.account_max_read_capacity_units);
  out.Key("AccountMaxWriteCapacityUnits").Integer(response.account_max_write_capacity_units);
  out.Key("TableMaxReadCapacityUnits").Integer(response.table_max_read_capacity_units);
  out.Key("TableMaxWriteCapacityUnits").Integer(response.table_max_write_capacity_units);
  out.EndObject();
}

}  // namespace
}  // namespace describe_limits

constinit const Operation<DescribeLimitsRequest, DescribeLimitsResponse> kDescribeLimits =
    DefineOperation<DescribeLimitsRequest, DescribeLimitsResponse, describe_limits::Decode,
                    describe_limits::Validate, describe_limits::Execute, describe_limits::Encode>();

}  // namespace stator
