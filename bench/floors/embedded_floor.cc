// The library against RocksDB itself: GetItem and PutItem of an embedded database, divided by the same
// read and the same write of the same bytes in a RocksDB with the same settings. One thread, in slices
// that take turns, so that noise hits all alike. The store between the two is shown as well.
#include <fmt/format.h>
#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "arguments.h"
#include "base/check.h"
#include "bench/prng.h"
#include "bench/request_bodies.h"
#include "floors/floor_data.h"
#include "floors/raw_write.h"
#include "stator/database.h"
#include "storage/rocksdb/rocks_settings.h"
#include "storage/store.h"

namespace stator::bench {
namespace {

// Requests, made in advance. The second half is about the same items as the first with other
// texts: every put changes something.
constexpr std::size_t kPrepared = 8192;
constexpr const char* kTable = "items";
constexpr std::array<const char*, 3> kContenders = {"embedded", "store", "rocksdb"};
using Contenders = std::array<std::function<void(std::size_t)>, kContenders.size()>;

struct FloorOptions {
  std::string directory;
  std::uint64_t items = 20'000;
  std::size_t item_bytes = 1024;
  std::size_t attributes = 12;
  std::size_t cache_bytes = std::size_t{256} << 20;
  int rounds = 15;
  double slice_seconds = 0.1;
  bool json = false;
};

// The same items in three places.
class Places {
 public:
  explicit Places(const FloorOptions& options);

  Contenders Gets();
  Contenders Puts();

 private:
  void OpenAll();
  void CreateTable();
  void Fill();
  void Prepare();
  void PutRaw(const std::string& row, const std::string& value);

  const FloorOptions options_;
  const ItemShape shape_;
  std::unique_ptr<Database> database_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<rocksdb::DB> raw_;
  std::vector<GetItemRequest> gets_;
  std::vector<PutItemRequest> puts_;
  std::vector<std::string> rows_;
  std::string read_;
};

Places::Places(const FloorOptions& options)
    : options_(options),
      shape_(ShapeOf(TableKind::kItems, options.item_bytes, options.attributes)) {
  OpenAll();
  CreateTable();
  Fill();
  Prepare();
}

void Places::OpenAll() {
  auto database = Database::Open({.directory = options_.directory + "/embedded",
                                  .durability = Durability::kOff,
                                  .cache_bytes = options_.cache_bytes});
  STATOR_CHECK(database.has_value());
  database_ = *std::move(database);
  auto store = OpenRocksStore({.directory = options_.directory + "/store",
                               .sync = SyncMode::kOff,
                               .cache_bytes = options_.cache_bytes});
  STATOR_CHECK(store.has_value());
  store_ = *std::move(store);
  rocksdb::Options settings = RocksSettings(MakeRocksCaches(options_.cache_bytes));
  settings.create_if_missing = true;
  // The store has a cache of rows of its own, which this stands for.
  settings.row_cache = rocksdb::NewLRUCache(options_.cache_bytes / 4);
  rocksdb::DB* raw = nullptr;
  STATOR_CHECK(rocksdb::DB::Open(settings, options_.directory + "/rocksdb", &raw).ok());
  raw_.reset(raw);
}

void Places::CreateTable() {
  const DataPlan plan{.table_name = kTable, .table = TableKind::kItems, .shape = shape_};
  STATOR_CHECK(database_->Execute("CreateTable", CreateTableBody(plan)).has_value());
}

void Places::Fill() {
  Prng prng(1);
  for (std::uint64_t i = 0; i < options_.items; ++i) {
    const std::string value = EncodedItem(shape_, i, 0, prng);
    STATOR_CHECK(
        database_->PutItem({.table_name = kTable, .item = Item::FromEncoded(value)}).has_value());
    auto load = std::make_unique<RawLoad>();
    load->Add(ItemRow(i), value);
    STATOR_CHECK(MutateAndWait(*store_, std::move(load)).has_value());
    PutRaw(ItemRow(i), value);
  }
}

void Places::Prepare() {
  Prng prng(2);
  const std::uint64_t stride = options_.items / (kPrepared / 2) + 1;
  for (std::size_t i = 0; i < kPrepared; ++i) {
    const std::uint64_t item = i % (kPrepared / 2) * stride % options_.items;
    const Item whole = Item::FromEncoded(EncodedItem(shape_, item, 0, prng));
    const Item key{{"pk", AttributeValue::FromView(*whole.Find("pk"))}};
    gets_.push_back({.table_name = kTable, .key = key});
    puts_.push_back({.table_name = kTable, .item = whole});
    rows_.push_back(ItemRow(item));
  }
}

void Places::PutRaw(const std::string& row, const std::string& value) {
  rocksdb::WriteBatch batch;
  STATOR_CHECK(batch.Put(row, value).ok());
  STATOR_CHECK(raw_->Write(rocksdb::WriteOptions(), &batch).ok());
}

Contenders Places::Gets() {
  return {[this](std::size_t i) {
            const auto got = database_->GetItem(gets_[i]);
            STATOR_CHECK(got && got->item);
          },
          [this](std::size_t i) {
            const auto found = store_->Get(rows_[i], read_);
            STATOR_CHECK(found && *found);
          },
          [this](std::size_t i) {
            STATOR_CHECK(raw_->Get(rocksdb::ReadOptions(), rows_[i], &read_).ok());
          }};
}

Contenders Places::Puts() {
  return {[this](std::size_t i) { STATOR_CHECK(database_->PutItem(puts_[i]).has_value()); },
          [this](std::size_t i) {
            auto write = std::make_unique<RawWrite>(std::vector{rows_[i]}, puts_[i].item->encoded(),
                                                    false, [](const StorageResult<void>&) {});
            STATOR_CHECK(MutateAndWait(*store_, std::move(write)).has_value());
          },
          [this](std::size_t i) { PutRaw(rows_[i], puts_[i].item->encoded()); }};
}

double OpsPerSecond(const std::function<void(std::size_t)>& act, double seconds,
                    std::size_t& position) {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t kBetweenLooks = 64;
  const auto begin = Clock::now();
  double taken = 0;
  std::size_t done = 0;
  while (taken < seconds) {
    for (std::size_t i = 0; i < kBetweenLooks; ++i) act(++position % kPrepared);
    done += kBetweenLooks;
    taken = std::chrono::duration<double>(Clock::now() - begin).count();
  }
  return static_cast<double>(done) / taken;
}

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

struct Comparison {
  std::array<double, kContenders.size()> ops_per_second{};
  double to_store = 0;
  double to_rocksdb = 0;
};

Comparison Compare(const Contenders& contenders, const FloorOptions& options) {
  std::array<std::vector<double>, kContenders.size()> rates;
  std::vector<double> to_store;
  std::vector<double> to_rocksdb;
  std::array<std::size_t, kContenders.size()> positions{};
  for (int round = 0; round < options.rounds; ++round) {
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      rates[i].push_back(OpsPerSecond(contenders[i], options.slice_seconds, positions[i]));
    }
    to_store.push_back(rates[0].back() / rates[1].back());
    to_rocksdb.push_back(rates[0].back() / rates[2].back());
  }
  Comparison result;
  for (std::size_t i = 0; i < rates.size(); ++i) result.ops_per_second[i] = Median(rates[i]);
  result.to_store = Median(to_store);
  result.to_rocksdb = Median(to_rocksdb);
  return result;
}

void Print(const char* operation, const Comparison& found, bool json) {
  const auto& ops = found.ops_per_second;
  if (json) {
    fmt::print(R"({{"operation":"{}","embedded":{:.0f},"store":{:.0f},"rocksdb":{:.0f},)"
               R"("to_store":{:.4f},"to_rocksdb":{:.4f}}})"
               "\n",
               operation, ops[0], ops[1], ops[2], found.to_store, found.to_rocksdb);
    return;
  }
  fmt::print(
      "{:<10} embedded {:>9.0f}/s   store {:>9.0f}/s   RocksDB {:>9.0f}/s   "
      "to the store {:.2f}   to RocksDB {:.2f}\n",
      operation, ops[0], ops[1], ops[2], found.to_store, found.to_rocksdb);
}

int Main(int argc, char** argv) {
  FloorOptions options;
  Arguments arguments(argc, argv);
  arguments.Take("--items", options.items);
  arguments.Take("--item-bytes", options.item_bytes);
  arguments.Take("--attributes", options.attributes);
  arguments.TakeBytes("--cache", options.cache_bytes);
  arguments.Take("--rounds", options.rounds);
  arguments.Take("--slice", options.slice_seconds);
  options.json = arguments.Flag("--json");  // one object per line
  options.directory = arguments.Word();     // an empty one
  arguments.Finish();
  if (options.directory.empty() || options.rounds < 1) {
    fmt::print(stderr, "embedded_floor DIR [--rounds N] [--items N] …\n");
    return 2;
  }
  Places places(options);
  Print("GetItem", Compare(places.Gets(), options), options.json);
  Print("PutItem", Compare(places.Puts(), options), options.json);
  return 0;
}

}  // namespace
}  // namespace stator::bench

int main(int argc, char** argv) { return stator::bench::Main(argc, argv); }
