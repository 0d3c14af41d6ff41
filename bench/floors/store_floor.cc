// The store floor: Stator's HTTP server and Stator's store with nothing between them. An operation
// does the bare work of its kind on rows of the same size, and its answer is as long as Stator's.
// No JSON is read or written, nothing is checked, no expression is evaluated.
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "arguments.h"
#include "bench/prng.h"
#include "bench/request_bodies.h"
#include "floors/floor_data.h"
#include "floors/floor_server.h"
#include "floors/raw_write.h"
#include "storage/store.h"
#include "value/key_codec.h"

namespace stator::bench {
namespace {

constexpr std::size_t kValues = 64;  // as many different texts as the load generator sends
constexpr std::size_t kLoadRows = 1000;

struct FloorOptions {
  RocksOptions store{.directory = "", .sync = SyncMode::kAlways};
  std::uint64_t items = 10'000;
  std::size_t item_bytes = 1024;
  std::size_t attributes = 12;
  std::size_t query_item_bytes = 300;
  std::uint64_t query_items = 100;
  int indexes = 0;
};

std::uint64_t Draw(std::uint64_t bound) {
  thread_local Prng prng(reinterpret_cast<std::uintptr_t>(&prng));
  return prng.Below(bound);
}

class StoreHandler final : public FloorHandler {
 public:
  StoreHandler(const FloorOptions& options, std::unique_ptr<Store> store)
      : options_(options),
        item_shape_(ShapeOf(options.indexes > 0 ? TableKind::kIndexed : TableKind::kItems,
                            options.item_bytes, options.attributes)),
        range_shape_(ShapeOf(TableKind::kRanges, options.query_item_bytes, options.attributes)),
        store_(std::move(store)) {
    Prng prng(1);
    values_ = EncodedItems(item_shape_, kValues, prng);
    get_answer_ = GetItemAnswer(item_shape_);
    query_answer_ = QueryAnswer(range_shape_, options.query_items);
  }

  void Fill();

  void Handle(std::string_view operation, std::string_view, AnswerCallback done,
              const std::atomic<bool>&) override {
    if (operation == "GetItem") return Get(std::move(done));
    if (operation == "PutItem") return Write(false, std::move(done));
    if (operation == "UpdateItem") return Write(true, std::move(done));
    if (operation == "Query") return Query(std::move(done));
    done(ErrorAnswer(Error::UnknownOperation()));
  }

 private:
  void Get(AnswerCallback done) {
    thread_local std::string value;
    const auto found = store_->Get(ItemRow(Draw(options_.items)), value);
    if (!found || !*found) return done(ErrorAnswer(Error::InternalServerError("the floor failed")));
    done({.http_status = 200, .body = get_answer_});
  }

  void Write(bool reads, AnswerCallback done) {
    const std::uint64_t item = Draw(options_.items);
    std::vector<std::string> rows;
    rows.reserve(static_cast<std::size_t>(options_.indexes) + 1);
    rows.push_back(ItemRow(item));
    for (int i = 1; i <= options_.indexes; ++i) rows.push_back(EntryRow(item, i));
    store_->Mutate(std::make_unique<RawWrite>(
        std::move(rows), values_[item % kValues], reads,
        [this, done = std::move(done)](const StorageResult<void>& status) mutable {
          if (!status) return done(ErrorAnswer(Error::InternalServerError("the floor failed")));
          done({.http_status = 200, .body = "{}"});
        }));
  }

  void Query(AnswerCallback done) {
    const std::string begin = PartitionRows(Draw(options_.items / options_.query_items));
    std::uint64_t rows = 0;
    const auto scanned = store_->Scan({begin, PrefixEnd(begin)}, Direction::kForward,
                                      [&](std::string_view, std::string_view) {
                                        ++rows;
                                        return true;
                                      });
    if (!scanned || rows != options_.query_items) {
      return done(ErrorAnswer(Error::InternalServerError("the floor failed")));
    }
    done({.http_status = 200, .body = query_answer_});
  }

  void Add(std::string row, std::string value);
  void Flush();

  const FloorOptions options_;
  const ItemShape item_shape_;
  const ItemShape range_shape_;
  const std::unique_ptr<Store> store_;
  std::vector<std::string> values_;
  std::string get_answer_;
  std::string query_answer_;
  std::unique_ptr<RawLoad> load_ = std::make_unique<RawLoad>();
};

void StoreHandler::Fill() {
  Prng prng(2);
  for (std::uint64_t i = 0; i < options_.items; ++i) {
    const std::string value = EncodedItem(item_shape_, i, 0, prng);
    Add(ItemRow(i), value);
    for (int index = 1; index <= options_.indexes; ++index) Add(EntryRow(i, index), value);
  }
  const std::uint64_t partitions = options_.items / options_.query_items;
  for (std::uint64_t i = 0; i < partitions * options_.query_items; ++i) {
    const std::uint64_t partition = i / options_.query_items;
    const std::uint64_t position = i % options_.query_items;
    Add(RangeRow(partition, position), EncodedItem(range_shape_, partition, position, prng));
  }
  Flush();
}

void StoreHandler::Add(std::string row, std::string value) {
  load_->Add(std::move(row), std::move(value));
  if (load_->size() >= kLoadRows) Flush();
}

void StoreHandler::Flush() {
  if (load_->empty()) return;
  (void)MutateAndWait(*store_, std::exchange(load_, std::make_unique<RawLoad>()));
}

std::unique_ptr<FloorHandler> MakeHandler(const FloorOptions& options) {
  auto store = options.store.directory.empty()
                   ? StorageResult<std::unique_ptr<Store>>(OpenMemoryStore())
                   : OpenRocksStore(options.store);
  if (!store) {
    std::fprintf(stderr, "%s\n", store.error().message.c_str());
    return nullptr;
  }
  auto handler = std::make_unique<StoreHandler>(options, *std::move(store));
  handler->Fill();
  return handler;
}

int Main(int argc, char** argv) {
  server::ServerOptions server;
  server.port = 0;
  FloorOptions options;
  Arguments arguments(argc, argv);
  arguments.Take("--port", server.port);
  arguments.Take("--threads", server.threads);
  if (const auto sync = arguments.TakeText("--sync")) {
    if (*sync != "always" && *sync != "interval" && *sync != "off")
      arguments.Refuse("--sync", *sync);
    options.store.sync = *sync == "always" ? SyncMode::kAlways
                         : *sync == "off"  ? SyncMode::kOff
                                           : SyncMode::kInterval;
  }
  arguments.TakeBytes("--cache", options.store.cache_bytes);
  arguments.Take("--items", options.items);
  arguments.Take("--item-bytes", options.item_bytes);
  arguments.Take("--attributes", options.attributes);
  arguments.Take("--query-item-bytes", options.query_item_bytes);
  arguments.Take("--query-items", options.query_items);
  arguments.Take("--indexes", options.indexes);  // rows that a put writes beside the item's
  options.store.directory = arguments.Word();    // empty: in memory
  arguments.Finish();
  return ServeFloor(server, [&] { return MakeHandler(options); });
}

}  // namespace
}  // namespace stator::bench

int main(int argc, char** argv) { return stator::bench::Main(argc, argv); }
