#include "micro/items.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "base/check.h"
#include "value/item_json.h"
#include "value/json.h"

namespace stator::bench {
namespace {

// Long enough for every note; what an item of the wanted size has left for it.
constexpr std::string_view kSentence =
    "The parcel was handed to the neighbour on the second floor, who signed for it at noon. ";
constexpr std::size_t kNoteBytes = 800;
constexpr std::size_t kSmallNoteBytes = 258;

std::string Note(std::size_t bytes) {
  std::string note;
  while (note.size() < bytes) note += kSentence;
  note.resize(bytes);
  return note;
}

}  // namespace

std::string KeyValueJson(int number) { return fmt::format(R"({{"S":"user#{:08}"}})", number); }

std::string ItemJson(int number, int version) {
  static const std::string note = Note(kNoteBytes);
  // Numbers end in 1, so that they all have the same count of significant digits.
  return fmt::format(
      R"({{"pk":{},"name":{{"S":"Ada Lovelace {:08}"}},"email":{{"S":"ada.{:08}@example.com"}},)"
      R"("city":{{"S":"city#{:03}"}},"status":{{"S":"ACTIVE"}},"version":{{"N":"{}"}},)"
      R"("balance":{{"N":"{}.{:02}1"}},"active":{{"BOOL":true}},)"
      R"("tags":{{"SS":["blue","green","red"]}},)"
      R"("address":{{"M":{{"street":{{"S":"St James's Square 12"}},"zip":{{"S":"SW1Y 4LB"}},)"
      R"("floor":{{"N":"2"}}}}}},)"
      R"("scores":{{"L":[{{"N":"17"}},{{"N":"4"}},{{"N":"99.5"}},{{"N":"-3"}}]}},)"
      R"("note":{{"S":"{}"}}}})",
      KeyValueJson(number), number, number, number % 100, 1'000'001 + version * 10,
      100 + number % 800, number % 100, note);
}

std::string SmallItemJson(int partition, int position) {
  static const std::string note = Note(kSmallNoteBytes);
  return fmt::format(
      R"({{"pk":{},"sk":{{"N":"{}"}},"kind":{{"S":"order"}},"total":{{"N":"{}.51"}},)"
      R"("note":{{"S":"{}"}}}})",
      KeyValueJson(partition), 1001 + position * 10, 100 + position, note);
}

Item ParsedItem(const std::string& json) {
  JsonDocument document;
  STATOR_CHECK(document.Parse(json));
  Result<Item> item = ReadItem(document.root(), Wording::kCurrent);
  STATOR_CHECK(item.has_value());
  return *std::move(item);
}

}  // namespace stator::bench
