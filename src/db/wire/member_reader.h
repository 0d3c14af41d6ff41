// Reads the members of a JSON object into those of a structure; one of the two visitors of a field
// list (field_list.h has the vocabulary). A member that is absent leaves its target as it is. A
// wrong JSON shape is DynamoDB's SerializationException (behaviour.md §1.7); after the first one
// nothing else is read.
#ifndef STATOR_WIRE_MEMBER_READER_H_
#define STATOR_WIRE_MEMBER_READER_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/wording.h"
#include "stator/error.h"
#include "stator/expression.h"
#include "stator/item.h"
#include "stator/result.h"
#include "value/json.h"
#include "wire/enum_text.h"

namespace stator {

// Shared by the readers of one document.
struct ReadContext {
  Wording wording = Wording::kCurrent;
  // Refuse values that no item can hold, instead of keeping them for validation.
  bool refuse_problems = false;
  std::optional<Error> error;  // the first one
  // Whether DynamoDB answers for a value of the document in the classic wording only.
  bool is_for_classic = false;
};

// Applies the field list of a structure.
struct ByFieldList {
  template <class Visitor, class T>
  void operator()(Visitor& visit, T& structure) const {
    Fields(visit, structure);
  }
};

class MemberReader {
 public:
  enum class Place : std::uint8_t { kDocument, kMember, kElement };
  // `model` is the name of the object's structure in messages. JSON that is not an object fails.
  MemberReader(JsonValue json, ReadContext& context, std::string_view model = {},
               Place place = Place::kDocument);

  // Most members of requests are one of these; they are made in place.
  void operator()(std::string_view name, std::optional<std::string>& member);
  void operator()(std::string_view name, std::optional<Item>& member);
  template <class E>
  void operator()(std::string_view name, std::optional<Choice<E>>& member) {
    const std::optional<JsonValue> json = Find(name);
    if (!json) return;
    const std::optional<std::string_view> text = TextOf(*json);
    if (!text) return;
    if (const std::optional<E> value = EnumFromText<E>(*text)) {
      member.emplace(*value);
    } else {
      member = Choice<E>::Unknown(std::string(*text));
    }
  }

  template <class T>
  void operator()(std::string_view name, std::optional<T>& member) {
    if (const std::optional<JsonValue> json = Find(name)) ReadMember(*json, name, Engage(member));
  }
  template <class T>
  void operator()(std::string_view name, T& member) {
    if (const std::optional<JsonValue> json = Find(name)) ReadMember(*json, name, member);
  }
  template <class T>
  void operator()(std::string_view name, std::string_view model, T& member) {
    Each(name, model, member, ByFieldList());
  }
  template <class T, class FieldList>
  void Each(std::string_view name, std::string_view model, std::optional<T>& member,
            FieldList fields) {
    if (const std::optional<JsonValue> json = Find(name)) {
      ReadEach(*json, model, Engage(member), fields);
    }
  }
  template <class T, class FieldList>
  void Each(std::string_view name, std::string_view model, T& member, FieldList fields) {
    if (const std::optional<JsonValue> json = Find(name)) ReadEach(*json, model, member, fields);
  }

  void Long(std::string_view name, std::optional<std::int64_t>& member);
  void Long(std::string_view name, std::int64_t& member);
  void Time(std::string_view name, std::optional<std::int64_t>& ms);
  void Time(std::string_view name, std::int64_t& ms);
  void Range(std::string_view name, double& lower, double& upper);
  void Flag(std::string_view name, bool& enabled);
  void Constant(std::string_view, std::string_view) {}
  bool When(bool) { return true; }

  template <class Members>
  void Group(std::string_view name, Members members) {
    if (const std::optional<JsonValue> json = Find(name)) {
      MemberReader inner(*json, context_, name, Place::kMember);
      if (!failed()) members(inner);
    }
  }
  template <class Members>
  void ListOfOne(std::string_view name, Members members) {
    const std::optional<JsonValue> json = Find(name);
    if (!json || !IsList(*json)) return;
    for (const JsonValue element : json->Elements()) {
      MemberReader inner(element, context_, name, Place::kElement);
      if (!failed()) members(inner);
      return;
    }
  }
  template <class First, class Second>
  void Pairs(std::string_view name, std::string_view first_name, std::string_view second_name,
             std::vector<std::pair<First, Second>>& list) {
    const std::optional<JsonValue> json = Find(name);
    if (!json || !IsList(*json)) return;
    for (const JsonValue element : json->Elements()) {
      MemberReader in(element, context_, name, Place::kElement);
      if (failed()) return;
      auto& [first, second] = list.emplace_back();
      in.Check(in.Find(first_name) && in.Find(second_name), "half of a pair");
      in(first_name, first);
      in(second_name, second);
    }
  }
  template <class T>
  void Inline(std::string_view name, std::optional<T>& member) {
    if (Find(name)) Fields(*this, Engage(member));
  }
  void Unsupported(std::initializer_list<std::string_view> names);
  void Check(bool condition, std::string_view why);

  bool failed() const { return context_.error.has_value(); }

 private:
  // Gives an absent member its default, in place. To clang, emplace() does not work for a structure
  // with defaults that is nested in another, so structures are assigned.
  template <class T>
  static T& Engage(std::optional<T>& member) {
    if constexpr (std::is_aggregate_v<T>) {
      member = T{};
      return *member;
    } else {
      return member.emplace();
    }
  }
  std::optional<JsonValue> Find(std::string_view name) const {
    if (context_.error) return std::nullopt;
    return object_.Member(name);
  }
  void Fail(Error error);

  // A value that is a member, whose model name is that of the member if it is a structure.
  template <class T>
  void ReadMember(JsonValue json, std::string_view name, T& value) {
    if constexpr (std::is_enum_v<T>) {
      ReadWord(json, name, value);
    } else if constexpr (std::is_aggregate_v<T>) {
      ReadEach(json, name, value, ByFieldList());
    } else if constexpr (std::is_same_v<T, AttributeValue>) {
      ReadMemberValue(json, value);
    } else {
      Read(json, value);
    }
  }

  void Read(JsonValue json, std::string& text);
  void Read(JsonValue json, bool& value);
  void Read(JsonValue json, std::int64_t& value) { ReadInteger(json, "Integer", value); }
  void Read(JsonValue json, double& value);
  void Read(JsonValue json, Item& item);
  template <class Owner>
  bool IsGood(Result<Owner>& read);                  // false after a failure
  void Read(JsonValue json, AttributeValue& value);  // an element or the value of a map
  void Read(JsonValue json, ItemList& items);
  void Read(JsonValue json, std::vector<std::string>& list);
  void Read(JsonValue json, std::vector<AttributeValue>& list);
  void Read(JsonValue json, std::vector<Item>& list);
  void Read(JsonValue json, NameMap& map);
  void Read(JsonValue json, ValueMap& map);
  void Read(JsonValue json, std::vector<std::pair<std::string, ItemList>>& map);
  template <class E>
  void Read(JsonValue json, Choice<E>& choice) {
    const std::optional<std::string_view> text = TextOf(json);
    if (!text) return;
    const std::optional<E> value = EnumFromText<E>(*text);
    choice = value ? Choice<E>(*value) : Choice<E>::Unknown(std::string(*text));
  }
  template <class T>
  void Read(JsonValue json, std::vector<Choice<T>>& list) {
    ReadElements(json, list);
  }

  template <class E>
  void ReadWord(JsonValue json, std::string_view name, E& value) {
    const std::optional<std::string_view> text = TextOf(json);
    if (!text) return;
    const std::optional<E> known = EnumFromText<E>(*text);
    if (!known) return FailWord(name, *text);
    value = *known;
  }
  void ReadMemberValue(JsonValue json, AttributeValue& value);
  void ReadInteger(JsonValue json, std::string_view java_type, std::int64_t& value);
  void ReadTime(JsonValue json, std::int64_t& ms);

  template <class T>
  void ReadElements(JsonValue json, std::vector<T>& list) {
    if (!IsList(json)) return;
    for (const JsonValue element : json.Elements()) {
      Read(element, list.emplace_back());
      if (failed()) return;
    }
  }

  // Structures: one, a list, a map, or a map of lists.
  template <class T, class FieldList>
  void ReadStructure(JsonValue json, std::string_view model, Place place, T& value,
                     FieldList fields) {
    MemberReader inner(json, context_, model, place);
    if (!failed()) fields(inner, value);
  }
  template <class T, class FieldList>
  void ReadEach(JsonValue json, std::string_view model, T& value, FieldList fields) {
    ReadStructure(json, model, Place::kMember, value, fields);
  }
  template <class T, class FieldList>
  void ReadEach(JsonValue json, std::string_view model, std::vector<T>& list, FieldList fields) {
    if (!IsList(json)) return;
    const std::vector<JsonValue> elements = json.Elements();
    list.reserve(elements.size());
    for (const JsonValue element : elements) {
      ReadStructure(element, model, Place::kElement, list.emplace_back(), fields);
      if (failed()) return;
    }
  }
  template <class T, class FieldList>
  void ReadEach(JsonValue json, std::string_view model, std::vector<std::pair<std::string, T>>& map,
                FieldList fields) {
    if (!IsMapOf(json, model)) return;
    for (const auto& [key, value] : json.Members()) {
      T& entry = map.emplace_back(std::string(key), T()).second;
      ReadStructure(value, model, Place::kElement, entry, fields);
      if (failed()) return;
    }
  }
  template <class T, class FieldList>
  void ReadEach(JsonValue json, std::string_view model,
                std::vector<std::pair<std::string, std::vector<T>>>& map, FieldList fields) {
    if (!IsMapOfListsOf(json, model)) return;
    for (const auto& [key, value] : json.Members()) {
      if (!IsListInMap(value)) return;
      ReadEach(value, model, map.emplace_back(std::string(key), std::vector<T>()).second, fields);
      if (failed()) return;
    }
  }
  // False after a failure.
  bool IsList(JsonValue json);
  bool IsListInMap(JsonValue json);
  bool IsMapOf(JsonValue json, std::string_view model);
  bool IsMapOfListsOf(JsonValue json, std::string_view model);
  std::optional<std::string_view> TextOf(JsonValue json);
  void FailWord(std::string_view name, std::string_view text);

  JsonValue object_;
  ReadContext& context_;
};

}  // namespace stator

#endif  // STATOR_WIRE_MEMBER_READER_H_
