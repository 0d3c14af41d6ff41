// The one place that sees through JsonValue to simdjson.
#ifndef STATOR_VALUE_JSON_ACCESS_H_
#define STATOR_VALUE_JSON_ACCESS_H_

#include <simdjson.h>

#include <bit>
#include <type_traits>

#include "value/json.h"

namespace stator {

struct JsonAccess {
  using Element = simdjson::dom::element;
  using Bytes = std::array<std::byte, 16>;
  static_assert(sizeof(Element) == sizeof(Bytes) && alignof(Element) <= 8);
  static_assert(std::is_trivially_copyable_v<Element>);

  static Element Get(const JsonValue& value) { return std::bit_cast<Element>(value.element_); }
  static JsonValue Make(Element element) {
    JsonValue value;
    value.element_ = std::bit_cast<Bytes>(element);
    return value;
  }

  // The views below are for elements whose type is known.
  static simdjson::dom::object Object(Element element) {
    return element.get_object().value_unsafe();
  }
  static simdjson::dom::array Array(Element element) { return element.get_array().value_unsafe(); }
  static std::string_view String(Element element) { return element.get_string().value_unsafe(); }
};

JsonKind KindOf(simdjson::dom::element element);

}  // namespace stator

#endif  // STATOR_VALUE_JSON_ACCESS_H_
