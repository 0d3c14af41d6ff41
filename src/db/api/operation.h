// What an operation is: four functions, always the same, and the two doors they make.
//
//   Result<Request> Decode(JsonValue, Wording);              the shape of the JSON only
//   Result<Plan>    Validate(Request&&, Engine&, Wording);   an ordered list of rules; no table yet
//   void            Execute(Engine&, Plan, Reply<Response>); the table, its rules, the work itself;
//                                                            a read returns Result<Response> instead
//   void            Encode(const Response&, JsonWriter&);
//
// Each lives in its operation's file. The *order* of validation is observable DynamoDB behaviour:
// keep it visible as a list.
#ifndef STATOR_API_OPERATION_H_
#define STATOR_API_OPERATION_H_

#include <string>
#include <type_traits>
#include <utility>

#include "api/reply.h"
#include "api/unit_counting.h"
#include "base/wording.h"
#include "engine/engine.h"
#include "stator/result.h"
#include "value/json.h"
#include "value/json_writer.h"

namespace stator {

// Runs an operation from JSON to JSON. The body need not outlive the call.
using JsonDoor = void (*)(Engine&, Wording, JsonValue body, Reply<std::string>);

template <class Request, class Response>
struct Operation {
  // Runs the operation and waits for its answer.
  Result<Response> (*call)(Engine&, Wording, Request&&);
  JsonDoor run_json;
};

namespace api_internal {

template <auto Validate, class Request>
using PlanOf = std::invoke_result_t<decltype(Validate), Request, Engine&, Wording>::value_type;

// An operation that never waits for a commit returns its answer; the others get a Reply.
template <auto Execute, class Plan>
constexpr bool kAnswersAtOnce = std::is_invocable_v<decltype(Execute), Engine&, Plan>;

// Nothing for operations that consume no units.
template <class Request, class Response>
void Settle(const AskedCapacity& asked, Result<Response>& response) {
  if constexpr (Charged<Request>) TakeUnits(asked, response);
}

template <class Request, class Response, auto Validate, auto Execute>
Result<Response> Call(Engine& engine, Wording wording, Request&& request) {
  using Plan = PlanOf<Validate, Request>;
  AskedCapacity asked;
  if constexpr (Charged<Request>) asked = AskForUnits(engine.unit_counts(), request);
  Result<Plan> plan = Validate(std::move(request), engine, wording);
  if (!plan) return std::unexpected(std::move(plan).error());
  Result<Response> response = [&] {
    if constexpr (kAnswersAtOnce<Execute, Plan>) {
      return Execute(engine, *std::move(plan));
    } else {
      Waiter<Response> waiter;
      Execute(engine, *std::move(plan), waiter.Callback());
      return waiter.Take();
    }
  }();
  Settle<Request>(asked, response);
  return response;
}

template <class Response, auto Encode>
Result<std::string> ToJson(const Result<Response>& response) {
  if (!response) return std::unexpected(response.error());
  std::string json;
  JsonWriter writer(json);
  Encode(*response, writer);
  return json;
}

template <class Request, class Response, auto Decode, auto Validate, auto Execute, auto Encode>
void RunJson(Engine& engine, Wording wording, JsonValue body, Reply<std::string> reply) {
  using Plan = PlanOf<Validate, Request>;
  Result<Request> request = Decode(body, wording);
  if (!request) return reply(std::unexpected(std::move(request).error()));
  AskedCapacity asked;
  if constexpr (Charged<Request>) asked = AskForUnits(engine.unit_counts(), *request);
  Result<Plan> plan = Validate(*std::move(request), engine, wording);
  if (!plan) return reply(std::unexpected(std::move(plan).error()));
  if constexpr (kAnswersAtOnce<Execute, Plan>) {
    Result<Response> response = Execute(engine, *std::move(plan));
    Settle<Request>(asked, response);
    reply(ToJson<Response, Encode>(response));
  } else {
    Execute(engine, *std::move(plan),
            [reply = std::move(reply), asked](Result<Response> response) mutable {
              Settle<Request>(asked, response);
              reply(ToJson<Response, Encode>(response));
            });
  }
}

}  // namespace api_internal

template <class Request, class Response, auto Decode, auto Validate, auto Execute, auto Encode>
constexpr Operation<Request, Response> DefineOperation() {
  return {
      &api_internal::Call<Request, Response, Validate, Execute>,
      &api_internal::RunJson<Request, Response, Decode, Validate, Execute, Encode>,
  };
}

}  // namespace stator

#endif  // STATOR_API_OPERATION_H_
