#include "value/json.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/check.h"
#include "value/json_access.h"

namespace stator {
namespace {

using simdjson::dom::element_type;

static_assert(kJsonPadding >= simdjson::SIMDJSON_PADDING);

// A parser that has grown beyond this is replaced when a smaller document comes.
constexpr std::size_t kKeptCapacity = 1 << 20;

std::int64_t Truncated(double number) {
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  if (number >= kLimit) return std::numeric_limits<std::int64_t>::max();
  if (number < -kLimit) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(number);
}

using Members = std::vector<std::pair<std::string_view, JsonValue>>;

// Keeps the last of the members with the same name, and the order of those kept.
void DropRepeated(Members& members) {
  std::vector<std::size_t> order(members.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto name = [&](std::size_t index) { return members[index].first; };
  std::ranges::sort(order, {}, [&](std::size_t index) { return std::pair(name(index), index); });
  std::vector<bool> repeated(members.size());
  bool any = false;
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    if (name(order[i]) != name(order[i + 1])) continue;
    repeated[order[i]] = true;
    any = true;
  }
  if (!any) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (!repeated[i]) members[kept++] = members[i];
  }
  members.resize(kept);
}

}  // namespace

JsonKind KindOf(simdjson::dom::element element) {
  switch (element.type()) {
    case element_type::ARRAY:
      return JsonKind::kArray;
    case element_type::OBJECT:
      return JsonKind::kObject;
    case element_type::INT64:
    case element_type::UINT64:
      return JsonKind::kInteger;
    case element_type::DOUBLE:
      return JsonKind::kDecimal;
    case element_type::STRING:
      return JsonKind::kString;
    case element_type::BOOL:
      return JsonKind::kBool;
    case element_type::NULL_VALUE:
      return JsonKind::kNull;
  }
  return JsonKind::kNull;
}

JsonKind JsonValue::kind() const {
  // A value that belongs to no document is null.
  if (element_ == decltype(element_){}) return JsonKind::kNull;
  return KindOf(JsonAccess::Get(*this));
}

bool JsonValue::boolean() const { return JsonAccess::Get(*this).get_bool().value_unsafe(); }

std::int64_t JsonValue::integer() const {
  const auto element = JsonAccess::Get(*this);
  switch (element.type()) {
    case element_type::INT64:
      return element.get_int64().value_unsafe();
    case element_type::UINT64:
      return std::numeric_limits<std::int64_t>::max();
    default:
      return Truncated(element.get_double().value_unsafe());
  }
}

double JsonValue::number() const { return JsonAccess::Get(*this).get_double().value_unsafe(); }

std::string_view JsonValue::string() const { return JsonAccess::String(JsonAccess::Get(*this)); }

std::optional<JsonValue> JsonValue::Member(std::string_view name) const {
  std::optional<JsonValue> found;
  for (const auto field : JsonAccess::Object(JsonAccess::Get(*this))) {
    if (field.key != name) continue;
    if (field.value.is_null()) {
      found.reset();
    } else {
      found = JsonAccess::Make(field.value);
    }
  }
  return found;
}

std::vector<std::pair<std::string_view, JsonValue>> JsonValue::Members() const {
  const simdjson::dom::object object = JsonAccess::Object(JsonAccess::Get(*this));
  stator::Members members;
  members.reserve(object.size());
  for (const auto field : object) members.emplace_back(field.key, JsonAccess::Make(field.value));
  DropRepeated(members);
  std::erase_if(members, [](const auto& member) { return member.second.is_null(); });
  return members;
}

std::vector<JsonValue> JsonValue::Elements() const {
  const simdjson::dom::array array = JsonAccess::Array(JsonAccess::Get(*this));
  std::vector<JsonValue> elements;
  elements.reserve(array.size());
  for (const auto element : array) elements.push_back(JsonAccess::Make(element));
  return elements;
}

struct JsonDocument::Impl {
  simdjson::dom::parser parser;
  std::string copy;  // the text given to Parse, padded
  JsonValue root;
};

JsonDocument::JsonDocument() : impl_(std::make_unique<Impl>()) {}
JsonDocument::~JsonDocument() = default;
JsonDocument::JsonDocument(JsonDocument&&) noexcept = default;
JsonDocument& JsonDocument::operator=(JsonDocument&&) noexcept = default;

bool JsonDocument::ParsePadded(std::string_view text) {
  simdjson::dom::parser& parser = impl_->parser;
  if (parser.capacity() > kKeptCapacity && text.size() <= kKeptCapacity) {
    parser = simdjson::dom::parser();
  }
  if (parser.capacity() < text.size() || parser.max_depth() != kJsonMaxDepth) {
    constexpr std::size_t kLeastCapacity = 1024;
    // In powers of two, so that slowly growing documents do not allocate every time.
    const std::size_t capacity = std::bit_ceil(std::max(text.size(), kLeastCapacity));
    if (parser.allocate(capacity, kJsonMaxDepth) != simdjson::SUCCESS) return false;
  }
  simdjson::dom::element element;
  if (parser.parse(text.data(), text.size(), false).get(element) != simdjson::SUCCESS) return false;
  impl_->root = JsonAccess::Make(element);
  return true;
}

bool JsonDocument::Parse(std::string_view text) {
  impl_->copy.assign(text);
  impl_->copy.append(kJsonPadding, '\0');
  return ParsePadded(std::string_view(impl_->copy).substr(0, text.size()));
}

JsonValue JsonDocument::root() const { return impl_->root; }

}  // namespace stator
