// Any text as an update expression; what is accepted is applied to an item of many shapes.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "expr/update.h"
#include "value/item_codec.h"

namespace {

using namespace stator;  // NOLINT

const NameMap& UpdateNames() {
  static const NameMap names = {{"#a", "a"}, {"#b", "b.c"}, {"#0", "size"}};
  return names;
}

const ValueMap& UpdateValues() {
  static const ValueMap values = {{":s", "text"},
                                  {":n", 1},
                                  {":m", AttributeValue::Number("9.9E125")},
                                  {":q", AttributeValue::StringSet({"x", "y"})},
                                  {":r", AttributeValue::NumberSet({"1", "2"})},
                                  {":l", AttributeValue::List({1, "two"})},
                                  {":o", AttributeValue::Map({{"k", 1}})}};
  return values;
}

const Item& UpdatedItem() {
  static const Item item{{"a", "text"},
                         {"b", 1},
                         {"c", AttributeValue::List({1, "two", AttributeValue::Map({{"k", 1}})})},
                         {"d", AttributeValue::Map({{"e", AttributeValue::StringSet({"x", "y"})},
                                                    {"f", AttributeValue::List({1})}})},
                         {"g", AttributeValue::NumberSet({"1", "3"})},
                         {"b.c", AttributeValue::Null()}};
  return item;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Placeholders placeholders(&UpdateNames(), &UpdateValues(), Wording::kCurrent);
  const Result<Update> update = Update::Parse(text, placeholders);
  if (!update) {
    STATOR_CHECK(update.error().message().starts_with("Invalid UpdateExpression: "));
    return 0;
  }
  STATOR_CHECK(!update->targets().empty());
  for (const ItemView before : {UpdatedItem().view(), ItemView()}) {
    STATOR_CHECK(update->StatementBytes(before) > 3);
    const Result<Item> after = update->Apply(before);
    if (!after) continue;
    STATOR_CHECK(IsWellFormedItem(after->encoded()));
    STATOR_CHECK(IsWellFormedItem(update->SelectTargets(after->view()).encoded()));
    STATOR_CHECK(IsWellFormedItem(update->SelectTargets(before).encoded()));
  }
  return 0;
}
