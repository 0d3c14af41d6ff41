// Any bytes as a stored item: whatever the check accepts can be read, and is the canonical
// encoding.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "value/item_codec.h"
#include "value/item_json.h"
#include "value/key_codec.h"
#include "value/size.h"

namespace {

using namespace stator;  // NOLINT

void CheckValue(ValueView value) {
  STATOR_CHECK(IsWellFormedValue(value.encoded()));
  STATOR_CHECK(ValueView::Prefix(value.encoded()) == value);
  STATOR_CHECK(NestingDepth(value) <= kMaxNesting);
  STATOR_CHECK(!DebugText(value).empty());
  const Type type = value.type();
  if (type == Type::kS || type == Type::kN || type == Type::kB) {
    std::string part;
    AppendKeyPart(part, value);
    STATOR_CHECK(CompareScalars(value, value) == 0);
  }
  if (type == Type::kSS || type == Type::kNS || type == Type::kBS) {
    for (const std::string_view member : value.Set().Members()) {
      STATOR_CHECK(value.Set().Contains(member));
    }
  }
}

void CheckItem(std::string_view bytes) {
  const ItemView item(bytes);
  std::vector<std::pair<std::string, AttributeValue>> attributes;
  for (const auto& [name, value] : item) {
    CheckValue(value);
    STATOR_CHECK(item.Find(name) == value);
    attributes.emplace_back(name, AttributeValue::FromView(value));
  }
  STATOR_CHECK(Item(attributes).encoded() == bytes);
  STATOR_CHECK(ItemSizeBytes(item) <= bytes.size() * 4);

  std::string text;
  JsonWriter writer(text);
  WriteItem(writer, item);
  JsonDocument document;
  STATOR_CHECK(document.Parse(text));
  const Result<Item> again = ReadItem(document.root(), Wording::kCurrent);
  STATOR_CHECK(again.has_value() && again->problem() == nullptr && again->encoded() == bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (stator::IsWellFormedItem(bytes)) CheckItem(bytes);
  if (stator::IsWellFormedValue(bytes)) CheckValue(stator::ValueView(bytes));
  return 0;
}
