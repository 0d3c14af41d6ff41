// JSON in: a read-only view of a parsed document. Hides simdjson, whose header is large.
#ifndef STATOR_VALUE_JSON_H_
#define STATOR_VALUE_JSON_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stator {

// Bytes that must be readable (not meaningful) behind a document that is parsed in place.
inline constexpr std::size_t kJsonPadding = 64;
// Documents nested deeper than this are refused by the parser.
inline constexpr std::size_t kJsonMaxDepth = 512;

enum class JsonKind : std::uint8_t { kNull, kBool, kInteger, kDecimal, kString, kArray, kObject };

// A value inside a JsonDocument; valid as long as the document is. Cheap to copy.
class JsonValue {
 public:
  JsonKind kind() const;
  bool is_null() const { return kind() == JsonKind::kNull; }
  bool boolean() const;             // REQUIRES: kBool
  std::int64_t integer() const;     // REQUIRES: kInteger or kDecimal; truncates, saturates
  double number() const;            // REQUIRES: kInteger or kDecimal
  std::string_view string() const;  // REQUIRES: kString

  // REQUIRES: kObject. Explicit null counts as absent. Of repeated names the last one wins.
  std::optional<JsonValue> Member(std::string_view name) const;
  // REQUIRES: kObject. In document order, nulls left out, of repeated names the last.
  std::vector<std::pair<std::string_view, JsonValue>> Members() const;
  // REQUIRES: kArray. In order, nulls included.
  std::vector<JsonValue> Elements() const;

 private:
  friend struct JsonAccess;                         // item_json.cc and json.cc look inside
  alignas(8) std::array<std::byte, 16> element_{};  // a simdjson::dom::element
};

// Owns a parsed document. Movable; reusing one document for many requests reuses its memory.
class JsonDocument {
 public:
  JsonDocument();
  ~JsonDocument();
  JsonDocument(JsonDocument&&) noexcept;
  JsonDocument& operator=(JsonDocument&&) noexcept;

  // Parses `text`, behind which kJsonPadding bytes must be readable. False if it is not valid JSON
  // (UTF-8 included), is nested too deep or holds an integer beyond 64 bits. The text must outlive
  // the document's values.
  bool ParsePadded(std::string_view text);
  // Copies the text first.
  bool Parse(std::string_view text);
  // REQUIRES: the last parse succeeded.
  JsonValue root() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace stator

#endif  // STATOR_VALUE_JSON_H_
