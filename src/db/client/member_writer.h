// Writes a request as DynamoDB's JSON: the mirror of api/member_reader.h. A member that is absent is
// left out; a structure is written by its WriteMembers of requests.h.
//
//   MemberWriter out;
//   out.Value(request);
//   return std::move(out).Finish();
#ifndef STATOR_CLIENT_MEMBER_WRITER_H_
#define STATOR_CLIENT_MEMBER_WRITER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/enum_text.h"
#include "stator/expression.h"
#include "stator/item.h"
#include "stator/result.h"
#include "value/json_writer.h"

namespace stator {

class MemberWriter {
 public:
  MemberWriter() : json_(text_) {}
  MemberWriter(const MemberWriter&) = delete;
  MemberWriter& operator=(const MemberWriter&) = delete;

  template <class T>
  void Member(std::string_view name, const std::optional<T>& value) {
    if (value) Member(name, *value);
  }
  template <class T>
  void Member(std::string_view name, const T& value) {
    json_.Key(name);
    Value(value);
  }

  void Value(const std::string& text) { json_.String(text); }
  void Value(bool value) { json_.Bool(value); }
  void Value(std::int64_t value) { json_.Integer(value); }
  void Value(const Item& item);
  void Value(const AttributeValue& value);
  template <class E>
  void Value(const Choice<E>& choice) {
    json_.String(choice.is_known() ? EnumText(choice.value()) : choice.unknown());
  }
  template <class T>
  void Value(const std::vector<T>& list) {
    json_.BeginArray();
    for (const T& element : list) Value(element);
    json_.EndArray();
  }
  template <class T>
  void Value(const std::vector<std::pair<std::string, T>>& map) {
    json_.BeginObject();
    for (const auto& [name, value] : map) Member(name, value);
    json_.EndObject();
  }
  template <class Structure>
  void Value(const Structure& structure) {
    json_.BeginObject();
    WriteMembers(*this, structure);
    json_.EndObject();
  }

  // The JSON; or what DynamoDB says about the first value that cannot be sent: there is no JSON for
  // a number that is none.
  Result<std::string> Finish() &&;

 private:
  void Note(const ValueProblem* problem);

  std::string text_;
  JsonWriter json_;
  std::optional<Error> problem_;
};

}  // namespace stator

#endif  // STATOR_CLIENT_MEMBER_WRITER_H_
