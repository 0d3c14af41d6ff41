// The response in the body of an endpoint's answer.
#ifndef STATOR_CLIENT_RESPONSES_H_
#define STATOR_CLIENT_RESPONSES_H_

#include <string>
#include <string_view>
#include <utility>

#include "stator/result.h"
#include "value/json.h"
#include "wire/json_codec.h"

namespace stator {

// The error for an answer that is not what it should be.
inline Error UnreadableAnswer(std::string_view why) {
  return Error::NoAnswer(std::string("the endpoint's answer cannot be read: ").append(why));
}

// An empty body is read as {}: AWS answers TagResource and UntagResource with one.
template <class Response>
Result<Response> DecodeResponse(std::string_view body) {
  JsonDocument document;
  if (!document.Parse(body.empty() ? "{}" : body)) {
    return std::unexpected(UnreadableAnswer("it is not JSON"));
  }
  Result<Response> response = ResponseFromJson<Response>(document.root());
  if (!response) return std::unexpected(UnreadableAnswer(response.error().message()));
  return response;
}

}  // namespace stator

#endif  // STATOR_CLIENT_RESPONSES_H_
