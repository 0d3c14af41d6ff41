// Any bytes as the JSON of an item: whatever is read is well formed and survives a round trip.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "value/item_codec.h"
#include "value/item_json.h"
#include "value/size.h"
#include "value/value_problem.h"

namespace {

using namespace stator;  // NOLINT

void Visit(JsonValue json) {
  if (json.kind() == JsonKind::kArray) {
    for (const JsonValue element : json.Elements()) Visit(element);
  } else if (json.kind() == JsonKind::kObject) {
    for (const auto& [name, value] : json.Members()) {
      STATOR_CHECK(json.Member(name).has_value());
      Visit(value);
    }
  } else if (json.kind() == JsonKind::kInteger || json.kind() == JsonKind::kDecimal) {
    STATOR_CHECK(json.integer() == 0 || json.number() != 0);
  }
}

void CheckRoundTrip(const Item& item, Wording wording) {
  std::string text;
  JsonWriter writer(text);
  WriteItem(writer, item.view());
  JsonDocument document;
  STATOR_CHECK(document.Parse(text));
  const Result<Item> again = ReadItem(document.root(), wording);
  STATOR_CHECK(again.has_value() && again->problem() == nullptr);
  STATOR_CHECK(again->encoded() == item.encoded());
}

void CheckItem(JsonValue json, Wording wording) {
  const Result<Item> item = ReadItem(json, wording);
  if (!item) {
    STATOR_CHECK(item.error().code() == ErrorCode::kSerialization);
    return;
  }
  STATOR_CHECK(IsWellFormedItem(item->encoded()));
  STATOR_CHECK(ItemSizeBytes(item->view()) <= item->encoded().size() * 4);
  if (item->problem() != nullptr) {
    STATOR_CHECK(!ProblemMessage(*item->problem(), wording).empty());
  }
  CheckRoundTrip(*item, wording);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static stator::JsonDocument document;
  if (!document.Parse({reinterpret_cast<const char*>(data), size})) return 0;
  // Every object is sorted at every level: a small document is enough to reach all code.
  if (size < 4096) Visit(document.root());
  CheckItem(document.root(), stator::Wording::kCurrent);
  CheckItem(document.root(), stator::Wording::kClassic);
  return 0;
}
