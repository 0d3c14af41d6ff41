// Typed access to the members of a request, with DynamoDB's SerializationException for a wrong JSON
// shape (behaviour.md §1.7). Read members in the order of the service model: the first mismatch
// answers.
//
//   MemberReader in(body);
//   request.table_name = in.String("TableName");
//   request.item = in.Item("Item", wording);
//   return in.Finish(std::move(request));
//
// After the first mismatch the remaining reads return nothing, and Finish returns the error.
#ifndef STATOR_API_MEMBER_READER_H_
#define STATOR_API_MEMBER_READER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/enum_text.h"
#include "base/wording.h"
#include "stator/expression.h"
#include "stator/item.h"
#include "stator/result.h"
#include "value/json.h"

namespace stator {

class MemberReader {
 public:
  // `structure` is the name of the type of `json` when it is a member or element itself; a
  // top-level body that is not an object is a SerializationException as well.
  explicit MemberReader(JsonValue json, std::string_view structure = {}, bool as_member = true);

  std::optional<std::string> String(std::string_view name);
  std::optional<bool> Boolean(std::string_view name);
  // `type` is the Java name in messages: Integer or Long.
  std::optional<std::int64_t> Integer(std::string_view name, std::string_view type = "Integer");
  // Milliseconds since the epoch, of seconds with any fraction.
  std::optional<std::int64_t> TimestampMs(std::string_view name);
  std::optional<std::vector<std::string>> Strings(std::string_view name);
  std::optional<std::vector<AttributeValue>> ValueList(std::string_view name, Wording wording);
  std::optional<stator::Item> Item(std::string_view name, Wording wording);
  std::optional<NameMap> Names(std::string_view name);
  std::optional<ValueMap> Values(std::string_view name, Wording wording);
  std::optional<ExpectedMap> Expected(std::string_view name, Wording wording);
  std::optional<LegacyConditionMap> Conditions(std::string_view name, Wording wording);
  std::optional<AttributeUpdateMap> AttributeUpdates(std::string_view name, Wording wording);

  template <class E>
  std::optional<Choice<E>> Enum(std::string_view name) {
    std::optional<std::string> text = String(name);
    if (!text) return std::nullopt;
    if (std::optional<E> value = EnumFromText<E>(*text)) return Choice<E>(*value);
    return Choice<E>::Unknown(*std::move(text));
  }

  // A member that is a structure of its own; `read` fills it from its reader. `type` is its model
  // name.
  template <class T, class Read>
  std::optional<T> Structure(std::string_view name, std::string_view type, Read read) {
    std::optional<JsonValue> json = Find(name);
    if (!json) return std::nullopt;
    return ReadStructure<T>(*json, type, /*as_member=*/true, read);
  }

  // A list of structures.
  template <class T, class Read>
  std::optional<std::vector<T>> Structures(std::string_view name, std::string_view type,
                                           Read read) {
    std::optional<std::vector<JsonValue>> elements = List(name);
    if (!elements) return std::nullopt;
    std::vector<T> result;
    for (const JsonValue& element : *elements) {
      std::optional<T> value = ReadStructure<T>(element, type, /*as_member=*/false, read);
      if (!value) return std::nullopt;
      result.push_back(*std::move(value));
    }
    return result;
  }

  // A map of structures, in request order.
  template <class T, class Read>
  std::optional<std::vector<std::pair<std::string, T>>> StructureMap(std::string_view name,
                                                                     std::string_view type,
                                                                     Read read) {
    if (!Find(name)) return std::nullopt;
    auto members = Map(name, "com.amazonaws.dynamodb.v20120810." + std::string(type));
    if (!members) return std::nullopt;
    std::vector<std::pair<std::string, T>> result;
    for (const auto& [key, json] : *members) {
      std::optional<T> value = ReadStructure<T>(json, type, /*as_member=*/false, read);
      if (!value) return std::nullopt;
      result.emplace_back(std::string(key), *std::move(value));
    }
    return result;
  }

  // The raw pieces, for shapes of one operation only.
  std::optional<JsonValue> Find(std::string_view name);
  std::optional<std::vector<JsonValue>> List(std::string_view name);
  std::optional<std::vector<std::pair<std::string_view, JsonValue>>> Map(
      std::string_view name, std::string_view value_type);
  void Fail(Error error);
  bool failed() const { return error_.has_value(); }

  template <class T>
  Result<T> Finish(T request) {
    if (error_) return std::unexpected(*std::move(error_));
    return request;
  }

 private:
  template <class T, class Read>
  std::optional<T> ReadStructure(JsonValue json, std::string_view type, bool as_member, Read read) {
    MemberReader inner(json, type, as_member);
    T value{};
    if (!inner.failed()) read(inner, value);
    if (inner.failed()) {
      Fail(*std::move(inner.error_));
      return std::nullopt;
    }
    return value;
  }
  std::optional<std::string> StringFrom(JsonValue json);

  std::optional<JsonValue> object_;
  std::optional<Error> error_;
};

}  // namespace stator

#endif  // STATOR_API_MEMBER_READER_H_
