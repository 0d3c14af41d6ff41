// A field list names the members of a structure once, for its reader and its writer:
//
//   template <class Visitor>
//   void Fields(Visitor& visit, GetItemRequest& request) {
//     visit("TableName", request.table_name);
//     visit("Key", request.key);
//     …
//   }
//
// Members stand in the order of DynamoDB's service model: the first one of a wrong shape answers a
// request, and responses are written in this order. The vocabulary, with `m` a member:
//
//   visit("Name", m)             by m's type. An optional member may be absent; any other is always
//                                written. A structure's model name is that of the member.
//   visit("Name", "Model", m)    one structure, or a list or map of structures, by their field lists;
//                                the model name is for messages
//   visit.Each("Name", "Model", m, fields)   the same by a field list of its own
//   visit.Long("Name", m)        an integer that messages call Long rather than Integer
//   visit.Time("Name", ms)       milliseconds, sent as seconds with a fraction
//   visit.Range("Name", a, b)    [a, b]
//   visit.Pairs("Name", "A", "B", m)         pairs as a list of {"A": first, "B": second}
//   visit.Group("Name", members)             {"Name": {…}} around members of this structure
//   visit.ListOfOne("Name", members)         {"Name": [{…}]} around members of this structure
//   visit.Inline("Name", m)      the members of an optional structure among those of its owner; it
//                                is present if the member called Name is
//   visit.Flag("Name", m)        a boolean, sent as ENABLED or DISABLED
//   visit.Constant("Name", text) is always sent, and not read
//   visit.Unsupported({…})       members that would be wrong to ignore
//   visit.Check(condition, why)  fails a reader if the condition does not hold
//   if (visit.When(condition))   writers skip what follows unless the condition holds
#ifndef STATOR_WIRE_FIELD_LIST_H_
#define STATOR_WIRE_FIELD_LIST_H_

#include <optional>
#include <string>
#include <utility>

#include "wire/json_codec.h"
#include "wire/member_reader.h"
#include "wire/member_writer.h"

namespace stator {
namespace wire_internal {

template <class T>
Result<T> ReadDocument(JsonValue json, ReadContext& context) {
  Result<T> result;
  MemberReader in(json, context);
  if (!in.failed()) Fields(in, *result);
  if (in.failed()) result = std::unexpected(*std::move(context.error));
  return result;
}

}  // namespace wire_internal

template <class Request>
Result<Request> RequestFromJson(JsonValue json, Wording wording, bool* is_for_classic) {
  ReadContext context{.wording = wording};
  Result<Request> request = wire_internal::ReadDocument<Request>(json, context);
  if (is_for_classic != nullptr) *is_for_classic = context.is_for_classic;
  return request;
}

template <class Request>
Result<std::string> RequestToJson(const Request& request) {
  std::string text;
  JsonWriter json(text);
  std::optional<Error> problem;
  MemberWriter(json, &problem).Structure(request);
  if (problem) return std::unexpected(*std::move(problem));
  return text;
}

template <class Response>
Result<Response> ResponseFromJson(JsonValue json) {
  ReadContext context{.refuse_problems = true};
  return wire_internal::ReadDocument<Response>(json, context);
}

template <class Response>
void ResponseToJson(JsonWriter& out, const Response& response) {
  MemberWriter(out).Structure(response);
}

}  // namespace stator

// Where the field list of a request or a response is, its four functions are compiled.
#define STATOR_WIRE_REQUEST(T)                                      \
  template Result<T> RequestFromJson<T>(JsonValue, Wording, bool*); \
  template Result<std::string> RequestToJson<T>(const T&)
#define STATOR_WIRE_RESPONSE(T)                      \
  template Result<T> ResponseFromJson<T>(JsonValue); \
  template void ResponseToJson<T>(JsonWriter&, const T&)
#define STATOR_WIRE_OPERATION(Name)   \
  STATOR_WIRE_REQUEST(Name##Request); \
  STATOR_WIRE_RESPONSE(Name##Response)

#endif  // STATOR_WIRE_FIELD_LIST_H_
