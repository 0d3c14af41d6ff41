// What an operation is: two functions, always the same, and the two ways to call it that they make.
//
//   Result<Plan> Validate(Request&&, Engine&, Wording);   an ordered list of rules; no table yet
//   void         Execute(Engine&, Plan, Reply<Response>); the table, its rules, the work itself;
//                                                         what need not wait for a commit returns
//                                                         Result<Response> instead
//
// Both are followed by one line that defines the operation:
//
//   STATOR_DEFINE_OPERATION(GetItem, get_item);
//
// or, for an Execute that returns its response but may block, on the background thread:
//
//   STATOR_DEFINE_BACKGROUND_OPERATION(CreateTable, create_table);
//
// The *order* of validation is observable DynamoDB behaviour: keep it visible as a list. How a
// request is read and a response is written is in src/db/wire.
#ifndef STATOR_API_OPERATION_H_
#define STATOR_API_OPERATION_H_

#include <string>
#include <type_traits>
#include <utility>

#include "api/reply.h"
#include "api/unit_counting.h"
#include "base/wording.h"
#include "base/work.h"
#include "engine/engine.h"
#include "engine/sharing/scope.h"
#include "stator/result.h"
#include "value/json.h"
#include "value/json_writer.h"
#include "wire/json_codec.h"

namespace stator {

// Runs an operation from JSON to JSON. The body need not outlive the call. If the thread's work ends
// elsewhere (base/work.h), the reply comes before the call returns, and means nothing.
using JsonHandler = void (*)(Engine&, Wording, JsonValue body, Reply<std::string>);

template <class Request, class Response>
struct ApiOperation {
  // Runs the operation and waits for its answer.
  Result<Response> (*call)(Engine&, Wording, Request&&);
  JsonHandler run_json;
};

namespace api_internal {

template <auto Validate, class Request>
using PlanOf = std::invoke_result_t<decltype(Validate), Request, Engine&, Wording>::value_type;

// An operation that never waits returns its answer; the others get a Reply.
template <auto Execute, class Plan>
constexpr bool kAnswersAtOnce = std::is_invocable_v<decltype(Execute), Engine&, Plan>;

// Nothing for operations that consume no units.
template <class Request, class Response>
void Settle(const OriginalCapacity& asked, Result<Response>& response) {
  if constexpr (Charged<Request>) CountConsumed(asked, response);
}

template <class Request, class Response, auto Validate, auto Execute>
Result<Response> Call(Engine& engine, Wording wording, Request&& request) {
  using Plan = PlanOf<Validate, Request>;
  OriginalCapacity asked;
  if constexpr (Charged<Request>) asked = AskForAllUnits(engine.unit_counts(), request);
  Result<Plan> plan = Validate(std::move(request), engine, wording);
  if (!plan) return std::unexpected(std::move(plan).error());
  Result<Response> response = [&] {
    if constexpr (kAnswersAtOnce<Execute, Plan>) {
      return Execute(engine, *std::move(plan));
    } else {
      ReplyWaiter<Response> waiter;
      Execute(engine, *std::move(plan), waiter.Callback());
      return waiter.Take();
    }
  }();
  Settle<Request>(asked, response);
  return response;
}

template <class Response>
Result<std::string> ToJson(const Result<Response>& response) {
  if (!response) return std::unexpected(response.error());
  std::string json;
  JsonWriter writer(json);
  ResponseToJson(writer, *response);
  return json;
}

// Whether this thread must not go on with the request: what it has come to is not the answer.
inline bool GoesOnElsewhere() { return Work::CurrentEnd() == Work::End::kElsewhere; }

// Requests for one item by its key. The others keep their wording however deep their values are.
template <class Request>
concept ForOneItem =
    requires(Request request) { request.key; } || requires(Request request) { request.item; };

// The request, and in `wording` the generation of messages in which it is answered.
template <class Request>
Result<Request> ReadRequest(JsonValue body, Wording& wording) {
  if constexpr (ForOneItem<Request>) {
    bool is_for_classic = false;
    Result<Request> request = RequestFromJson<Request>(body, wording, &is_for_classic);
    if (!is_for_classic || !IsCurrent(wording)) [[likely]]
      return request;
    wording = Wording::kClassic;
  }
  return RequestFromJson<Request>(body, wording);
}

template <class Request, class Response, auto Validate, auto Execute>
void RunJson(Engine& engine, Wording wording, JsonValue body, Reply<std::string> reply) {
  using Plan = PlanOf<Validate, Request>;
  Result<Request> request = ReadRequest<Request>(body, wording);
  if (!request) return reply(std::unexpected(std::move(request).error()));
  OriginalCapacity asked;
  if constexpr (Charged<Request>) asked = AskForAllUnits(engine.unit_counts(), *request);
  Result<Plan> plan = Validate(*std::move(request), engine, wording);
  if (!plan) return reply(std::unexpected(std::move(plan).error()));
  if constexpr (kAnswersAtOnce<Execute, Plan>) {
    Result<Response> response = Execute(engine, *std::move(plan));
    if (GoesOnElsewhere()) return reply(std::string());
    Settle<Request>(asked, response);
    reply(ToJson(response));
  } else {
    Execute(engine, *std::move(plan),
            [reply = std::move(reply), asked](Result<Response> response) mutable {
              if (GoesOnElsewhere()) return reply(std::string());
              Settle<Request>(asked, response);
              reply(ToJson(response));
            });
  }
}

// Runs what may change the catalog. Other processes may change it too: then it runs again, with the plan
// as it was.
template <auto Execute, class Plan>
auto RunChange(Engine& engine, Plan plan) {
  static_assert(std::is_copy_constructible_v<Plan>);
  if (engine.sharing() == nullptr) return Execute(engine, std::move(plan));
  return RunOnNewestCatalog(*engine.sharing(), [&] { return Execute(engine, Plan(plan)); });
}

template <class Request, class Response, auto Validate, auto Execute>
void ExecuteInBackground(Engine& engine, PlanOf<Validate, Request> plan, Reply<Response> reply) {
  engine.background().Post([&engine, plan = std::move(plan), reply = std::move(reply)]() mutable {
    reply(RunChange<Execute>(engine, std::move(plan)));
  });
}

}  // namespace api_internal

template <class Request, class Response, auto Validate, auto Execute>
constexpr ApiOperation<Request, Response> DefineOperation() {
  return {&api_internal::Call<Request, Response, Validate, Execute>,
          &api_internal::RunJson<Request, Response, Validate, Execute>};
}

// Defines kName by scope::Validate and scope::Execute.
#define STATOR_DEFINE_OPERATION(Name, scope)                            \
  constinit const ApiOperation<Name##Request, Name##Response> k##Name = \
      DefineOperation<Name##Request, Name##Response, scope::Validate, scope::Execute>()

#define STATOR_DEFINE_BACKGROUND_OPERATION(Name, scope)                                \
  constinit const ApiOperation<Name##Request, Name##Response> k##Name =                \
      DefineOperation<Name##Request, Name##Response, scope::Validate,                  \
                      api_internal::ExecuteInBackground<Name##Request, Name##Response, \
                                                        scope::Validate, scope::Execute>>()

}  // namespace stator

#endif  // STATOR_API_OPERATION_H_
