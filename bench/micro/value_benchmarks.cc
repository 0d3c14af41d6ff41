// JSON in and out, the item codec, numbers and keys.
#include <benchmark/benchmark.h>

#include <array>
#include <string>

#include "base/check.h"
#include "micro/items.h"
#include "micro/loaded_database.h"
#include "value/item_codec.h"
#include "value/item_json.h"
#include "value/json.h"
#include "value/json_writer.h"
#include "value/key_codec.h"
#include "value/number.h"
#include "value/size.h"

namespace stator::bench {
namespace {

Item LargeItem() {
  Item item = ParsedItem(ItemJson(42, 0));
  STATOR_CHECK(ItemSizeBytes(item.view()) == kItemBytes && item.size() == 12);
  return item;
}

Item SmallItem() {
  Item item = ParsedItem(SmallItemJson(4, 2));
  STATOR_CHECK(ItemSizeBytes(item.view()) == kSmallItemBytes);
  return item;
}

void SetBytes(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}

void JsonParse(benchmark::State& state) {
  const PaddedJson json(ItemJson(42, 0));
  JsonDocument document;
  for (auto _ : state) benchmark::DoNotOptimize(document.ParsePadded(json.view()));
  SetBytes(state, json.view().size());
}
BENCHMARK(JsonParse);

void ItemFromJson(benchmark::State& state) {
  JsonDocument document;
  STATOR_CHECK(document.Parse(ItemJson(42, 0)));
  for (auto _ : state) {
    Result<Item> item = ReadItem(document.root(), Wording::kCurrent);
    benchmark::DoNotOptimize(item);
  }
  SetBytes(state, kItemBytes);
}
BENCHMARK(ItemFromJson);

void WriteJson(benchmark::State& state, const Item& item) {
  std::string out;
  for (auto _ : state) {
    out.clear();
    JsonWriter writer(out);
    WriteItem(writer, item.view());
    benchmark::DoNotOptimize(out.data());
  }
  SetBytes(state, ItemSizeBytes(item.view()));
}
void ItemToJson(benchmark::State& state) { WriteJson(state, LargeItem()); }
void SmallItemToJson(benchmark::State& state) { WriteJson(state, SmallItem()); }
BENCHMARK(ItemToJson);
BENCHMARK(SmallItemToJson);

void ItemSize(benchmark::State& state) {
  const Item item = LargeItem();
  for (auto _ : state) benchmark::DoNotOptimize(ItemSizeBytes(item.view()));
}
BENCHMARK(ItemSize);

void ItemFind(benchmark::State& state) {
  const Item item = LargeItem();
  for (auto _ : state) benchmark::DoNotOptimize(item.Find("version"));
}
BENCHMARK(ItemFind);

void ItemProjectTopLevel(benchmark::State& state) {
  const Item item = LargeItem();
  const std::array<std::string, 4> names = {"balance", "city", "pk", "version"};
  for (auto _ : state) benchmark::DoNotOptimize(ProjectTopLevel(item.view(), names));
}
BENCHMARK(ItemProjectTopLevel);

void ItemIsWellFormed(benchmark::State& state) {
  const Item item = LargeItem();
  for (auto _ : state) benchmark::DoNotOptimize(IsWellFormedItem(item.encoded()));
}
BENCHMARK(ItemIsWellFormed);

void NumberParse(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Number::Parse("1234567.891"));
}
BENCHMARK(NumberParse);

void NumberEncode(benchmark::State& state) {
  const Number number = Number::Parse("1234567.891").value();
  std::string out;
  for (auto _ : state) {
    out.clear();
    number.AppendEncoded(out);
    benchmark::DoNotOptimize(out.data());
  }
}
BENCHMARK(NumberEncode);

void NumberText(benchmark::State& state) {
  std::string encoded;
  Number::Parse("1234567.891").value().AppendEncoded(encoded);
  std::string out;
  for (auto _ : state) {
    out.clear();
    AppendNumberText(out, encoded);
    benchmark::DoNotOptimize(out.data());
  }
}
BENCHMARK(NumberText);

void NumberAdd(benchmark::State& state) {
  const Number a = Number::Parse("1234567.891").value();
  const Number b = Number::FromInt64(1);
  for (auto _ : state) benchmark::DoNotOptimize(Add(a, b));
}
BENCHMARK(NumberAdd);

void AppendKey(benchmark::State& state, const AttributeValue& value) {
  std::string out;
  for (auto _ : state) {
    out.clear();
    AppendKeyPart(out, value.view());
    benchmark::DoNotOptimize(out.data());
  }
}
void KeyPartString(benchmark::State& state) { AppendKey(state, "user#00000042"); }
void KeyPartNumber(benchmark::State& state) { AppendKey(state, 1'000'421); }
BENCHMARK(KeyPartString);
BENCHMARK(KeyPartNumber);

void KeyHash(benchmark::State& state) {
  std::array<char, KeyHasher::kSecretBytes> secret{};
  for (std::size_t i = 0; i < secret.size(); ++i) secret[i] = static_cast<char>(i * 37);
  const KeyHasher hasher(secret);
  const AttributeValue value("user#00000042");
  const std::array<ValueView, 1> parts = {value.view()};
  for (auto _ : state) benchmark::DoNotOptimize(hasher.Hash(parts));
}
BENCHMARK(KeyHash);

}  // namespace
}  // namespace stator::bench
