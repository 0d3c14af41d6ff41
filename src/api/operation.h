// What an operation is: four functions, always the same, and the two doors they make.
//
//   Result<Request> Decode(JsonValue, Wording);              the shape of the JSON only
//   Result<Plan>    Validate(Request&&, Engine&, Wording);   an ordered list of rules; no table yet
//   void            Execute(Engine&, Plan, Reply<Response>); the table, its rules, the work itself
//   void            Encode(const Response&, JsonWriter&);
//
// Each lives in its operation's file. The *order* of validation is observable DynamoDB behaviour:
// keep it visible as a list.
#ifndef STATOR_API_OPERATION_H_
#define STATOR_API_OPERATION_H_

#include <functional>
#include <string>
#include <utility>

#include "base/wording.h"
#include "engine/engine.h"
#include "stator/result.h"
#include "value/json.h"
#include "value/json_writer.h"

namespace stator {

template <class T>
using Reply = std::move_only_function<void(Result<T>)>;

// Runs an operation from JSON to JSON. The body need not outlive the call.
using JsonDoor = void (*)(Engine&, Wording, JsonValue body, Reply<std::string>);

template <class Request, class Response>
struct Operation {
  void (*run)(Engine&, Wording, Request&&, Reply<Response>);
  JsonDoor run_json;
};

namespace api_internal {

template <class Request, class Response, auto Validate, auto Execute>
void Run(Engine& engine, Wording wording, Request&& request, Reply<Response> reply) {
  auto plan = Validate(std::move(request), engine, wording);
  if (!plan) return reply(std::unexpected(std::move(plan).error()));
  Execute(engine, *std::move(plan), std::move(reply));
}

template <class Request, class Response, auto Decode, auto Validate, auto Execute, auto Encode>
void RunJson(Engine& engine, Wording wording, JsonValue body, Reply<std::string> reply) {
  Result<Request> request = Decode(body, wording);
  if (!request) return reply(std::unexpected(std::move(request).error()));
  Run<Request, Response, Validate, Execute>(
      engine, wording, *std::move(request),
      [reply = std::move(reply)](Result<Response> response) mutable {
        if (!response) return reply(std::unexpected(std::move(response).error()));
        std::string json;
        JsonWriter writer(json);
        Encode(*response, writer);
        reply(std::move(json));
      });
}

}  // namespace api_internal

template <class Request, class Response, auto Decode, auto Validate, auto Execute, auto Encode>
constexpr Operation<Request, Response> DefineOperation() {
  return {
      &api_internal::Run<Request, Response, Validate, Execute>,
      &api_internal::RunJson<Request, Response, Decode, Validate, Execute, Encode>,
  };
}

}  // namespace stator

#endif  // STATOR_API_OPERATION_H_
