// Any text as a projection; what is accepted is applied.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "expr/projection.h"
#include "value/item_codec.h"

namespace {

using namespace stator;  // NOLINT

const NameMap& ProjectionNames() {
  static const NameMap names = {{"#a", "a"}, {"#b", "b.c"}, {"#0", "size"}};
  return names;
}

const Item& ProjectedItem() {
  static const Item item{
      {"a", "text"},
      {"b", 1},
      {"c", AttributeValue::List({1, "two", AttributeValue::Map({{"k", 1}, {"m", 2}})})},
      {"d", AttributeValue::Map({{"e", AttributeValue::List({AttributeValue::List({1})})}})},
      {"b.c", AttributeValue::Null()}};
  return item;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Placeholders placeholders(&ProjectionNames(), nullptr, Wording::kCurrent);
  const Result<Projection> projection = Projection::Parse(text, placeholders);
  if (!projection) {
    STATOR_CHECK(projection.error().message().starts_with("Invalid ProjectionExpression: "));
    return 0;
  }
  const Item selected = projection->Apply(ProjectedItem().view());
  STATOR_CHECK(IsWellFormedItem(selected.encoded()));
  STATOR_CHECK(selected.size() <= ProjectedItem().size());
  return 0;
}
