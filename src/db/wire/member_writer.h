// Writes the members of a structure as those of a JSON object; the other visitor of a field list
// (field_list.h has the vocabulary). A member that is absent is left out.
#ifndef STATOR_WIRE_MEMBER_WRITER_H_
#define STATOR_WIRE_MEMBER_WRITER_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "stator/error.h"
#include "stator/expression.h"
#include "stator/item.h"
#include "value/json_writer.h"
#include "wire/enum_text.h"
#include "wire/member_reader.h"

namespace stator {

class MemberWriter {
 public:
  // `problem` receives what DynamoDB says about the first value that has no JSON, such as a number
  // that is not one. Null: all values are known to be good.
  explicit MemberWriter(JsonWriter& json, std::optional<Error>* problem = nullptr)
      : json_(json), problem_(problem) {}

  template <class T>
  void Structure(const T& structure) {
    Object(structure, ByFieldList());
  }

  template <class T>
  void operator()(std::string_view name, const std::optional<T>& member) {
    if (member) (*this)(name, *member);
  }
  template <class T>
  void operator()(std::string_view name, const T& member) {
    json_.Key(name);
    if constexpr (std::is_aggregate_v<T>) {
      Structure(member);
    } else {
      Value(member);
    }
  }
  template <class T>
  void operator()(std::string_view name, std::string_view model, const T& member) {
    Each(name, model, member, ByFieldList());
  }
  template <class T, class FieldList>
  void Each(std::string_view name, std::string_view model, const std::optional<T>& member,
            FieldList fields) {
    if (member) Each(name, model, *member, fields);
  }
  template <class T, class FieldList>
  void Each(std::string_view name, std::string_view, const T& member, FieldList fields) {
    json_.Key(name);
    ValueEach(member, fields);
  }

  void Long(std::string_view name, const std::optional<std::int64_t>& member) {
    (*this)(name, member);
  }
  void Long(std::string_view name, std::int64_t member) { (*this)(name, member); }
  void Time(std::string_view name, const std::optional<std::int64_t>& ms) {
    if (ms) Time(name, *ms);
  }
  void Time(std::string_view name, std::int64_t ms) { json_.Key(name).TimestampMs(ms); }
  void Range(std::string_view name, double lower, double upper) {
    json_.Key(name).BeginArray().Units(lower).Units(upper).EndArray();
  }
  void Flag(std::string_view name, bool enabled) {
    Constant(name, enabled ? "ENABLED" : "DISABLED");
  }
  void Constant(std::string_view name, std::string_view text) { json_.Key(name).String(text); }
  bool When(bool condition) { return condition; }

  template <class Members>
  void Group(std::string_view name, Members members) {
    json_.Key(name).BeginObject();
    members(*this);
    json_.EndObject();
  }
  template <class Members>
  void ListOfOne(std::string_view name, Members members) {
    json_.Key(name).BeginArray().BeginObject();
    members(*this);
    json_.EndObject().EndArray();
  }
  template <class First, class Second>
  void Pairs(std::string_view name, std::string_view first_name, std::string_view second_name,
             const std::vector<std::pair<First, Second>>& list) {
    json_.Key(name).BeginArray();
    for (const auto& [first, second] : list) {
      json_.BeginObject();
      (*this)(first_name, first);
      (*this)(second_name, second);
      json_.EndObject();
    }
    json_.EndArray();
  }
  template <class T>
  void Inline(std::string_view, std::optional<T>& member) {
    if (member) Fields(*this, *member);
  }
  void Unsupported(std::initializer_list<std::string_view>) {}
  void Check(bool, std::string_view) {}

 private:
  void Value(const std::string& text) { json_.String(text); }
  void Value(bool value) { json_.Bool(value); }
  void Value(std::int64_t value) { json_.Integer(value); }
  void Value(double value) { json_.Units(value); }
  void Value(const Item& item);
  void Value(const AttributeValue& value);
  void Value(const ItemList& items);
  template <class E>
    requires std::is_enum_v<E>
  void Value(E value) {
    json_.String(EnumText(value));
  }
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
    for (const auto& [name, value] : map) {
      json_.Key(name);
      Value(value);
    }
    json_.EndObject();
  }

  // Structures: one, a list, a map, or a map of lists.
  template <class T, class FieldList>
  void Object(const T& structure, FieldList fields) {
    json_.BeginObject();
    // A field list serves readers too, so it takes its structure to be changed; a writer does not.
    fields(*this, const_cast<T&>(structure));
    json_.EndObject();
  }
  template <class T, class FieldList>
  void ValueEach(const T& structure, FieldList fields) {
    Object(structure, fields);
  }
  template <class T, class FieldList>
  void ValueEach(const std::vector<T>& list, FieldList fields) {
    json_.BeginArray();
    for (const T& element : list) Object(element, fields);
    json_.EndArray();
  }
  template <class T, class FieldList>
  void ValueEach(const std::vector<std::pair<std::string, T>>& map, FieldList fields) {
    json_.BeginObject();
    for (const auto& [name, value] : map) {
      json_.Key(name);
      ValueEach(value, fields);
    }
    json_.EndObject();
  }

  void Note(const ValueProblem* problem);

  JsonWriter& json_;
  std::optional<Error>* problem_;
};

}  // namespace stator

#endif  // STATOR_WIRE_MEMBER_WRITER_H_
