#include "bench/item_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace stator::bench {
namespace {

constexpr std::size_t kFieldNameBytes = 7;  // "field00"
constexpr std::size_t kPriceDigits = 6;

// What is not a text: bytes as DynamoDB counts them, and attributes.
struct Fixed {
  std::size_t bytes = 0;
  std::size_t attributes = 0;

  void Add(std::string_view name, std::size_t value_bytes) {
    bytes += name.size() + value_bytes;
    ++attributes;
  }
};

Fixed FixedPart(const ItemShape& shape) {
  Fixed fixed;
  fixed.Add("pk", kPartitionKeyPrefix.size() + kKeyDigits);
  if (shape.has_sort_key) fixed.Add("sk", kKeyDigits);
  for (int i = 1; i <= shape.index_count; ++i) fixed.Add("gsi1", 3 + kKeyDigits);
  fixed.Add("visits", 2);
  fixed.Add("price", 1 + kPriceDigits / 2);
  fixed.Add("active", 1);
  return fixed;
}

// The texts share what the item has left.
struct Texts {
  std::size_t count;
  std::size_t bytes;

  std::size_t Length(std::size_t i) const { return bytes / count + (i < bytes % count ? 1 : 0); }
};

Texts TextPart(const ItemShape& shape) {
  const Fixed fixed = FixedPart(shape);
  const std::size_t count = std::max(shape.attributes, fixed.attributes + 1) - fixed.attributes;
  const std::size_t taken = fixed.bytes + count * kFieldNameBytes;
  return {count, std::max(shape.item_bytes, taken + count) - taken};
}

void AppendTexts(std::string& out, const ItemShape& shape, Prng& prng) {
  const Texts texts = TextPart(shape);
  for (std::size_t i = 0; i < texts.count; ++i) {
    fmt::format_to(std::back_inserter(out), R"(,"field{:02}":{{"S":")", i);
    prng.AppendText(out, texts.Length(i));
    out += "\"}";
  }
}

}  // namespace

void WriteKeyText(char* out, std::uint64_t number) {
  for (std::size_t i = kKeyDigits; i-- > 0; number /= 10) {
    out[i] = static_cast<char>('0' + number % 10);
  }
}

KeyText KeyTextOf(std::uint64_t number) {
  KeyText text;
  WriteKeyText(text.data(), number);
  return text;
}

void AppendItemJson(std::string& out, const ItemShape& shape, const ItemKey& key, Prng& prng) {
  AppendKeyJson(out, shape, key);
  out.pop_back();  // the closing brace
  for (int i = 1; i <= shape.index_count; ++i) {
    fmt::format_to(std::back_inserter(out), R"(,"gsi{}":{{"S":"g{}-{}"}})", i, i, key.partition);
  }
  // No zero begins or ends the price: it comes back with as many digits.
  const std::uint64_t price = 1000 + prng.Below(9000);
  fmt::format_to(std::back_inserter(out),
                 R"(,"visits":{{"N":"1"}},"price":{{"N":"{}.{}{}"}},"active":{{"BOOL":true}})",
                 price, prng.Below(10), 1 + prng.Below(9));
  AppendTexts(out, shape, prng);
  out.push_back('}');
}

std::size_t FirstTextBytes(const ItemShape& shape) { return TextPart(shape).Length(0); }

void AppendKeyJson(std::string& out, const ItemShape& shape, const ItemKey& key) {
  out.append(R"({"pk":{"S":")").append(kPartitionKeyPrefix).append(key.partition).append("\"}");
  if (shape.has_sort_key) out.append(R"(,"sk":{"S":")").append(key.sort).append("\"}");
  out.push_back('}');
}

}  // namespace stator::bench
