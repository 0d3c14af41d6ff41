// Requests and responses as DynamoDB's JSON and back. Each structure is spelled once, in the field
// lists of this folder (field_list.h); servers, clients and stored rows all read and write by them.
#ifndef STATOR_WIRE_JSON_CODEC_H_
#define STATOR_WIRE_JSON_CODEC_H_

#include <string>

#include "base/wording.h"
#include "stator/result.h"
#include "value/json.h"
#include "value/json_writer.h"

namespace stator {

// A request as a server reads it. The first member of another shape than the model's is a
// SerializationException (behaviour.md §1.7). Words that no enumeration has and values that no item
// can hold are kept: validation answers for them. `is_for_classic`, unless null, says whether one of
// these values is nested so deeply that DynamoDB answers in the classic wording (behaviour.md §0).
template <class Request>
Result<Request> RequestFromJson(JsonValue json, Wording wording, bool* is_for_classic = nullptr);

// A request as a client sends it; absent members are left out. An error if one of its values cannot
// be sent, such as a number that is not one.
template <class Request>
Result<std::string> RequestToJson(const Request& request);

// A response as a client reads it. Members that the public headers do not name are ignored, and
// missing ones keep their defaults; a wrong shape, an unknown word and a value that no item can
// hold are errors.
template <class Response>
Result<Response> ResponseFromJson(JsonValue json);

template <class Response>
void ResponseToJson(JsonWriter& out, const Response& response);

}  // namespace stator

#endif  // STATOR_WIRE_JSON_CODEC_H_
