// Reads the members of a catalog row, such as that of a table (grammar: table_codec.cc). Nothing in a row is
// trusted: after the first member that is missing or of another shape every read gives an empty
// value and ok() is false.
#ifndef STATOR_ENGINE_CATALOG_TABLE_ROW_H_
#define STATOR_ENGINE_CATALOG_TABLE_ROW_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/catalog/table.h"
#include "stator/table_operations.h"
#include "value/json.h"
#include "value/json_writer.h"
#include "wire/enum_text.h"

namespace stator::table_row {

class Reader {
 public:
  explicit Reader(JsonValue json) : ok_(json.kind() == JsonKind::kObject), object_(json) {}

  bool ok() const { return ok_; }
  void Require(bool condition) { ok_ = ok_ && condition; }
  // The member, which must be of this kind.
  std::optional<JsonValue> Find(std::string_view key, JsonKind kind);
  bool Has(std::string_view key) const { return ok_ && object_.Member(key).has_value(); }

  std::string String(std::string_view key);
  std::string Bytes(std::string_view key);
  bool Bool(std::string_view key);
  std::int64_t Integer(std::string_view key);
  std::optional<std::int64_t> OptionalInteger(std::string_view key);
  std::vector<std::string> Strings(std::string_view key);
  std::vector<std::int64_t> Integers(std::string_view key);
  std::vector<std::pair<std::string, std::string>> StringPairs(std::string_view key);
  std::vector<std::pair<std::string, ScalarType>> Definitions(std::string_view key);
  std::vector<KeyAttribute> KeyAttributes(std::string_view key);

  // A number that fits T.
  template <class T>
  T Number(std::string_view key) {
    const std::int64_t value = Integer(key);
    Require(value >= 0 && std::in_range<T>(value));
    return ok_ ? static_cast<T>(value) : T{};
  }

  template <class E>
  E Enum(std::string_view key) {
    const std::optional<E> value = EnumFromText<E>(String(key));
    Require(value.has_value());
    return value.value_or(E{});
  }

  template <class Read>
  void Object(std::string_view key, Read read) {
    if (const std::optional<JsonValue> json = Find(key, JsonKind::kObject)) ReadInner(*json, read);
  }
  // `read` is called once per element.
  template <class Read>
  void Objects(std::string_view key, Read read) {
    for (const JsonValue& element : Elements(key)) ReadInner(element, read);
  }

 private:
  std::vector<JsonValue> Elements(std::string_view key);
  template <class Read>
  void ReadInner(JsonValue json, Read& read) {
    Reader inner(json);
    if (inner.ok()) read(inner);
    Require(inner.ok());
  }

  bool ok_;
  JsonValue object_;
};

// The element and the member that Definitions and KeyAttributes read: ["pk","S"], "hash":[["pk","S"],…].
void WriteDefinition(JsonWriter& out, std::string_view name, ScalarType type);
void WriteKeyAttributes(JsonWriter& out, std::string_view key,
                        const std::vector<KeyAttribute>& attributes);

}  // namespace stator::table_row

#endif  // STATOR_ENGINE_CATALOG_TABLE_ROW_H_
