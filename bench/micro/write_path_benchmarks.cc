// The write path without a store: from the item before and after to the bytes that are written.
#include <benchmark/benchmark.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "engine/catalog/row_key.h"
#include "engine/catalog/table.h"
#include "engine/write/write_path.h"
#include "micro/items.h"

namespace stator::bench {
namespace {

class CountingBatch final : public WriteBatch {
 public:
  void Put(std::string_view key, std::string_view value) override {
    benchmark::DoNotOptimize(key.data());
    benchmark::DoNotOptimize(value.data());
    ++writes_;
  }
  void Delete(std::string_view) override { ++writes_; }
  void DeleteRange(const KeyRange&) override { ++writes_; }
  void Append(std::string_view, std::string_view) override { ++writes_; }
  std::size_t writes() const { return writes_; }

 private:
  std::size_t writes_ = 0;
};

KeyHasher Hasher() {
  std::array<char, KeyHasher::kSecretBytes> secret{};
  for (std::size_t i = 0; i < secret.size(); ++i) secret[i] = static_cast<char>(i * 37);
  return KeyHasher(secret);
}

// Keyed by `pk`, with global indexes on the first of these attributes.
Table TableWithIndexes(std::size_t count) {
  constexpr std::array kIndexed = {"email", "city", "status"};
  Table table;
  table.number = 1;
  table.name = "bench";
  table.keys.hash = {{"pk", ScalarType::kS}};
  for (std::size_t i = 0; i < count; ++i) {
    Index index{.number = static_cast<IndexNumber>(i + 1), .name = kIndexed[i], .global = true};
    index.keys.hash = {{kIndexed[i], ScalarType::kS}};
    CompleteIndex(table.keys, index);
    table.indexes.push_back(std::move(index));
  }
  return table;
}

void RowKeyOfItem(benchmark::State& state) {
  const KeyHasher hasher = Hasher();
  const Table table = TableWithIndexes(0);
  const Item item = ParsedItem(ItemJson(42, 0));
  for (auto _ : state) {
    std::string key = ItemRowKey(hasher, table, item.view());
    benchmark::DoNotOptimize(key);
  }
}
BENCHMARK(RowKeyOfItem);

void RowKeyOfEntry(benchmark::State& state) {
  const KeyHasher hasher = Hasher();
  const Table table = TableWithIndexes(1);
  const Item item = ParsedItem(ItemJson(42, 0));
  STATOR_CHECK(EntryRowKey(hasher, table, table.indexes[0], item.view()).has_value());
  for (auto _ : state) {
    auto key = EntryRowKey(hasher, table, table.indexes[0], item.view());
    benchmark::DoNotOptimize(key);
  }
}
BENCHMARK(RowKeyOfEntry);

// The argument counts the indexes.
void Overwrite(benchmark::State& state) {
  const KeyHasher hasher = Hasher();
  const Table table = TableWithIndexes(static_cast<std::size_t>(state.range(0)));
  const Item before = ParsedItem(ItemJson(42, 0));
  const Item after = ParsedItem(ItemJson(42, 1));
  const std::string row_key = ItemRowKey(hasher, table, before.view());
  CountingBatch batch;
  std::vector<CountChange> counts;
  for (auto _ : state) {
    counts.clear();
    WriteChange(
        hasher,
        {.table = table, .row_key = row_key, .before = before.view(), .after = after.view()}, batch,
        counts, nullptr);
  }
  const auto turns = static_cast<std::size_t>(state.iterations());
  STATOR_CHECK(batch.writes() == turns * (1 + table.indexes.size()));
}
BENCHMARK(Overwrite)->Arg(0)->Arg(3);

}  // namespace
}  // namespace stator::bench
