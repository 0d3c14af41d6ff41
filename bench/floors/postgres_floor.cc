// The floor of the store on PostgreSQL: libpq and nothing above it. It sends the store's own statements
// about rows of the same bytes, on a thread for each connection, and prints what it counted as
// `stator bench --json -` does.
//
//   postgres_floor URL --fill                   makes the tables, and the rows of all workloads
//   postgres_floor URL --workload put [...]     get, put, put4 (a row and its three entries), scan;
//                                               says "ready", begins with a line feed,
//                                               and ends with its input
#include <fmt/format.h>
#include <libpq-fe.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "arguments.h"
#include "bench/prng.h"
#include "bench/request_bodies.h"
#include "bench/tally.h"
#include "floors/floor_data.h"
#include "storage/postgres/connection.h"
#include "storage/postgres/schema.h"
#include "storage/postgres/timing.h"
#include "value/key_codec.h"

namespace stator::bench {
namespace {

using postgres::Parameter;
using postgres::Statement;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kValues = 64;  // as many different texts as the load generator sends
constexpr std::size_t kFillRows = 500;
constexpr int kBinary = 1;
constexpr int kEntries = 3;
constexpr std::int64_t kPart = 0;

struct FloorOptions {
  std::string url;
  std::string workload = "get";
  int connections = 32;
  std::uint64_t items = 10'000;
  std::size_t item_bytes = 1024;
  std::size_t attributes = 12;
  std::size_t query_item_bytes = 300;
  std::uint64_t query_items = 100;
  double seconds = 1.5;
  double warmup = 0.3;
  std::uint64_t seed = 1;
};

[[noreturn]] void Fail(std::string_view what) {
  fmt::print(stderr, "postgres_floor: {}\n", what);
  std::_Exit(1);
}

// One connection; blocks. Whatever goes wrong ends the program.
class Client {
 public:
  explicit Client(const std::string& url) : connection_(PQconnectdb(url.c_str()), &PQfinish) {
    if (PQstatus(get()) != CONNECTION_OK) FailHere();
    PQclear(PQexec(get(), postgres::kPlanSettings));
    if (PQenterPipelineMode(get()) != 1) FailHere();
  }

  void Prepare(const Statement& statement) {
    if (PQsendPrepare(get(), statement.name, statement.sql, 0, nullptr) != 1) FailHere();
    Run(1);
  }

  void Send(const Statement& statement, std::initializer_list<std::string_view> parameters = {}) {
    const char* values[4];
    int lengths[4];
    int formats[4];
    int count = 0;
    for (const std::string_view parameter : parameters) {
      values[count] = parameter.data();
      lengths[count] = static_cast<int>(parameter.size());
      formats[count++] = kBinary;
    }
    if (PQsendQueryPrepared(get(), statement.name, count, values, lengths, formats, kBinary) != 1) {
      FailHere();
    }
  }

  // Ends the pipeline of so many statements, and waits for it. Returns how many rows the last one has.
  int Run(int statements) {
    if (PQpipelineSync(get()) != 1) FailHere();
    int rows = 0;
    for (int i = 0; i < statements; ++i) {
      PGresult* const result = PQgetResult(get());
      const ExecStatusType status = PQresultStatus(result);
      if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) FailHere();
      rows = PQntuples(result);
      PQclear(result);
      if (PQgetResult(get()) != nullptr) FailHere();
    }
    PGresult* const sync = PQgetResult(get());
    if (PQresultStatus(sync) != PGRES_PIPELINE_SYNC) FailHere();
    PQclear(sync);
    return rows;
  }

 private:
  PGconn* get() const { return connection_.get(); }
  [[noreturn]] void FailHere() const { Fail(PQerrorMessage(get())); }

  std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
};

// The array parameters of a put.
struct Puts {
  std::vector<std::string> keys;
  std::vector<std::string> values;

  void Send(Client& client) const {
    const std::vector<std::string_view> key_views(keys.begin(), keys.end());
    const std::vector<std::string_view> value_views(values.begin(), values.end());
    const std::vector<std::int64_t> parts(keys.size(), kPart);
    client.Send(postgres::sql::kPut,
                {Parameter::ByteArray(key_views).bytes(), Parameter::IntegerArray(parts).bytes(),
                 Parameter::ByteArray(value_views).bytes()});
  }
};

// Makes the tables, and fills them.
void Fill(const FloorOptions& options) {
  auto opened = postgres::Connection::Open(options.url, postgres::kCopySettings,
                                           postgres::After(postgres::kTimeToOpen));
  if (!opened) Fail(opened.error().message);
  if (auto made = postgres::PrepareSchema(**opened, /*makes_tables=*/true); !made)
    Fail(made.error().message);
  Client client(options.url);
  client.Prepare(postgres::sql::kPut);
  Puts puts;
  const auto flush = [&] {
    puts.Send(client);
    client.Run(1);
    puts = {};
  };
  const auto add = [&](std::string key, std::string value) {
    puts.keys.push_back(std::move(key));
    puts.values.push_back(std::move(value));
    if (puts.keys.size() == kFillRows) flush();
  };
  const auto shape = [&](TableKind kind, std::size_t bytes) {
    return ShapeOf(kind, bytes, options.attributes);
  };
  const ItemShape indexed = shape(TableKind::kIndexed, options.item_bytes);
  const ItemShape ranges = shape(TableKind::kRanges, options.query_item_bytes);
  Prng prng(2);
  for (std::uint64_t i = 0; i < options.items; ++i) {
    const std::string value = EncodedItem(indexed, i, 0, prng);
    add(ItemRow(i), value);
    for (int index = 1; index <= kEntries; ++index) add(EntryRow(i, index), value);
    add(RangeRow(i / options.query_items, i % options.query_items),
        EncodedItem(ranges, i / options.query_items, i % options.query_items, prng));
  }
  if (!puts.keys.empty()) flush();
}

// What a connection does, again and again.
class Worker {
 public:
  Worker(const FloorOptions& options, const std::vector<std::string>& values, std::uint64_t seed)
      : options_(options), values_(values), client_(options.url), prng_(seed) {
    using namespace postgres::sql;
    for (const Statement& one : {kBegin, kCommit, kGet, kScan, kLockOne, kPut}) {
      client_.Prepare(one);
    }
  }

  void Get() {
    client_.Send(postgres::sql::kGet, {ItemRow(prng_.Below(options_.items)), part_.bytes()});
    if (client_.Run(1) != 1) Fail("a row is not there");
  }

  // A transaction that locks the item's row, and then writes it and so many entries.
  void Put(int entries) {
    const std::uint64_t item = prng_.Below(options_.items);
    const std::string row = ItemRow(item);
    client_.Send(postgres::sql::kBegin);
    client_.Send(postgres::sql::kLockOne, {row, part_.bytes()});
    if (client_.Run(2) != 1) Fail("a row is not there");
    // Entries do not change their place. In the order of their keys, as the store writes them.
    Puts puts{.keys = {row}, .values = {}};
    for (int i = 1; i <= entries; ++i) puts.keys.push_back(EntryRow(item, i));
    puts.values.assign(puts.keys.size(), values_[prng_.Below(values_.size())]);
    puts.Send(client_);
    client_.Send(postgres::sql::kCommit);
    client_.Run(2);
  }

  void Scan() {
    const std::string begin = PartitionRows(prng_.Below(options_.items / options_.query_items));
    client_.Send(postgres::sql::kScan, {begin, PrefixEnd(begin), limit_.bytes()});
    if (client_.Run(1) != static_cast<int>(options_.query_items)) Fail("rows are missing");
  }

 private:
  const FloorOptions& options_;
  const std::vector<std::string>& values_;
  Client client_;
  Prng prng_;
  const Parameter part_ = Parameter::Integer(kPart);
  const Parameter limit_ = Parameter::Integer(static_cast<std::int64_t>(options_.query_items));
};

std::function<void(Worker&)> TaskOf(const std::string& workload) {
  if (workload == "get") return [](Worker& worker) { worker.Get(); };
  if (workload == "put") return [](Worker& worker) { worker.Put(0); };
  if (workload == "put4") return [](Worker& worker) { worker.Put(kEntries); };
  if (workload == "scan") return [](Worker& worker) { worker.Scan(); };
  Arguments::Refuse("--workload", workload);
}

void Measure(const FloorOptions& options) {
  const std::function<void(Worker&)> task = TaskOf(options.workload);
  const bool is_indexed = options.workload == "put4";
  Prng prng(options.seed);
  const std::vector<std::string> values =
      EncodedItems(ShapeOf(is_indexed ? TableKind::kIndexed : TableKind::kItems, options.item_bytes,
                           options.attributes),
                   kValues, prng);
  std::vector<std::unique_ptr<Worker>> workers;
  for (int i = 0; i < options.connections; ++i) {
    workers.push_back(std::make_unique<Worker>(options, values, options.seed * 1'000'003 + i));
  }
  // What connecting and preparing cost belongs to nobody: who measures says when to begin.
  fmt::print("ready\n");
  std::fflush(stdout);
  std::getchar();
  const auto from = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                       std::chrono::duration<double>(options.warmup));
  const auto until = from + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(options.seconds));
  std::mutex mutex;
  Histogram all;
  std::vector<std::thread> threads;
  for (const std::unique_ptr<Worker>& worker : workers) {
    threads.emplace_back([&] {
      Histogram latency;
      for (auto began = Clock::now(); began < until;) {
        task(*worker);
        const auto ended = Clock::now();
        if (began >= from && ended <= until) {
          latency.Record(
              static_cast<std::uint64_t>(std::chrono::nanoseconds(ended - began).count()));
        }
        began = ended;
      }
      const std::scoped_lock lock(mutex);
      all.Merge(latency);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto microseconds = [&](double part) {
    return static_cast<double>(all.QuantileNs(part)) / 1000;
  };
  fmt::print(
      R"({{"all":{{"count":{},"ops_per_second":{:.1f},"p50_us":{:.1f},"p99_us":{:.1f}}},"error_count":0}})"
      "\n",
      all.count(), static_cast<double>(all.count()) / options.seconds, microseconds(0.5),
      microseconds(0.99));
  std::fflush(stdout);
  std::getchar();  // the connections stay until everybody's processor time has been read
}

int Main(int argc, char** argv) {
  FloorOptions options;
  Arguments arguments(argc, argv);
  const bool fills = arguments.Flag("--fill");
  arguments.Take("--workload", options.workload);
  arguments.Take("--connections", options.connections);
  arguments.Take("--items", options.items);
  arguments.Take("--item-bytes", options.item_bytes);
  arguments.Take("--attributes", options.attributes);
  arguments.Take("--query-item-bytes", options.query_item_bytes);
  arguments.Take("--query-items", options.query_items);
  arguments.Take("--seconds", options.seconds);
  arguments.Take("--warmup", options.warmup);
  arguments.Take("--seed", options.seed);
  options.url = arguments.Word();
  arguments.Finish();
  fills ? Fill(options) : Measure(options);
  return 0;
}

}  // namespace
}  // namespace stator::bench

int main(int argc, char** argv) { return stator::bench::Main(argc, argv); }
