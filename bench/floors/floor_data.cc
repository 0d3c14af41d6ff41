#include "floors/floor_data.h"

#include <string_view>
#include <utility>

#include "base/check.h"
#include "value/item_json.h"
#include "value/key_codec.h"

namespace stator::bench {
namespace {

constexpr char kRowSpace = 0x02;
constexpr std::uint32_t kItemTable = 1;
constexpr std::uint32_t kRangeTable = 2;

void AppendBigEndian(std::string& out, std::uint64_t number, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    out.push_back(static_cast<char>(number >> shift));
  }
}

void AppendHash(std::string& out, std::uint64_t number) {
  AppendBigEndian(out, Scramble(number + 1), 8);
  AppendBigEndian(out, Scramble(number + 0x5bd1e995), 8);
}

std::string RowPrefix(std::uint32_t table, int index, std::uint64_t hashed) {
  std::string key;
  key.reserve(64);
  key.push_back(kRowSpace);
  AppendBigEndian(key, table, 4);
  AppendBigEndian(key, static_cast<std::uint64_t>(index), 2);
  AppendHash(key, hashed);
  return key;
}

std::string_view View(const KeyText& text) { return {text.data(), text.size()}; }

std::string ItemJson(const ItemShape& shape, std::uint64_t partition, std::uint64_t sort,
                     Prng& prng) {
  const KeyText partition_text = KeyTextOf(partition);
  const KeyText sort_text = KeyTextOf(sort);
  std::string json;
  AppendItemJson(json, shape, {.partition = View(partition_text), .sort = View(sort_text)}, prng);
  return json;
}

}  // namespace

std::string ItemRow(std::uint64_t item) { return RowPrefix(kItemTable, 0, item); }

std::string EntryRow(std::uint64_t item, int index) {
  std::string key = RowPrefix(kItemTable, index, item + (std::uint64_t{1} << 60));
  AppendHash(key, item);
  return key;
}

std::string PartitionRows(std::uint64_t partition) { return RowPrefix(kRangeTable, 0, partition); }

std::string RangeRow(std::uint64_t partition, std::uint64_t position) {
  std::string key = PartitionRows(partition);
  const KeyText digits = KeyTextOf(position);
  key.append(digits.data(), digits.size()).append("\0\1", 2);
  return key;
}

std::string EncodedItem(const ItemShape& shape, std::uint64_t partition, std::uint64_t sort,
                        Prng& prng) {
  JsonDocument document;
  const bool is_json = document.Parse(ItemJson(shape, partition, sort, prng));
  STATOR_CHECK(is_json);
  Result<Item> item = ReadItem(document.root(), Wording::kCurrent);
  STATOR_CHECK(item.has_value());
  return std::move(*item).encoded();
}

std::vector<std::string> EncodedItems(const ItemShape& shape, std::size_t count, Prng& prng) {
  std::vector<std::string> items;
  for (std::size_t i = 0; i < count; ++i) items.push_back(EncodedItem(shape, i, i, prng));
  return items;
}

std::string GetItemAnswer(const ItemShape& shape) {
  Prng prng(1);
  return R"({"Item":)" + ItemJson(shape, 0, 0, prng) + "}";
}

std::string QueryAnswer(const ItemShape& shape, std::uint64_t items) {
  Prng prng(1);
  std::string out = R"({"Items":[)";
  for (std::uint64_t i = 0; i < items; ++i) {
    if (i > 0) out += ',';
    out += ItemJson(shape, 0, i, prng);
  }
  const std::string count = std::to_string(items);
  return out + R"(],"Count":)" + count + R"(,"ScannedCount":)" + count + "}";
}

}  // namespace stator::bench
