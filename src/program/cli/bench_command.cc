// The options of `stator bench`.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/request_bodies.h"
#include "bench/workload.h"
#include "cli/commands.h"
#include "cli/syntax.h"

namespace stator::cli {
namespace {

constexpr const char* kBenchExamples = R"(
Examples:
  stator bench --endpoint http://127.0.0.1:8000
  stator bench --endpoint http://127.0.0.1:8000 --workload mix-a --items 1000000 --seconds 60
  stator bench --endpoint http://127.0.0.1:8000 --workload put --rate 5000 --json result.json
  AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=… \
  stator bench --endpoint http://dynamodb.eu-west-1.amazonaws.com --connections 16

It creates a table of its own, loads it, measures, and deletes it. On AWS that costs money.
With --rate, latency counts from the moment a request was due, not from when it could be sent.

Workloads:
)";

std::string BenchFooter() {
  std::string text = kBenchExamples;
  for (const bench::Workload& workload : bench::AllWorkloads()) {
    std::string name(workload.name);
    name.resize(12, ' ');
    text += "  " + name + std::string(workload.description) + "\n";
  }
  return text;
}

void AddLoadOptions(Subcommand& bench, bench::Options& options) {
  std::vector<std::string> names;
  for (const bench::Workload& workload : bench::AllWorkloads()) names.emplace_back(workload.name);
  bench.Add("--endpoint", options.endpoint, "Where to send the load: http://HOST[:PORT]")
      .Required()
      .Type("URL");
  bench.Add("--workload", options.workload, "What to do (default: get); see below")
      .OneOf(names)
      .Type("NAME");
  bench.Add("--connections", options.connections, "Requests in flight (default: 64)")
      .Between(1, 10'000)
      .Type("N");
  bench.Add("--seconds", options.seconds, "How long to measure (default: 10)")
      .Between(0.01, 1e6)
      .Type("N");
  bench.Add("--warmup", options.warmup_seconds, "Seconds of warm-up before that (default: 1)")
      .Between(0.0, 1e4)
      .Type("N");
  bench
      .Add("--rate", options.rate,
           "Requests per second, on a fixed schedule (default: as fast as answers come)")
      .Between(0.001, 1e7)
      .Type("N");
  bench.AddChoice("--keys", options.keys,
                  {std::pair{"uniform", bench::KeyDistribution::kUniform},
                   {"zipfian", bench::KeyDistribution::kZipfian}},
                  "Which items (default: as the workload says)");
  bench.Add("--threads", options.threads, "Event loops (default: half of the cores)")
      .Between(1, 256)
      .Type("N");
  bench.Add("--seed", options.seed, "Seed of the random choices (default: 1)").Type("N");
}

void AddDataOptions(Subcommand& bench, bench::Options& options) {
  constexpr std::uint64_t kItemsMax = 999'999'999'999;  // what kKeyDigits can name
  bench.Add("--items", options.items, "Items in the table (default: 10000)")
      .Between(std::uint64_t{1}, kItemsMax)
      .Type("N");
  bench.Add("--item-bytes", options.item_bytes, "Size of an item (default: 1024, for query 300)")
      .Between(std::size_t{1}, std::size_t{400} * 1024)
      .Type("N");
  bench.Add("--attributes", options.attributes, "Attributes of an item (default: 12)")
      .Between(std::size_t{1}, std::size_t{100})
      .Type("N");
  bench
      .Add("--query-items", options.query_items,
           "Items that a query returns, and the page of a scan (default: 100)")
      .Between(std::uint64_t{1}, kItemsMax)
      .Type("N");
  bench
      .Add("--partition-items", options.partition_items,
           "Items per partition that is queried (default: as many as a query returns)")
      .Between(std::uint64_t{1}, kItemsMax)
      .Type("N");
}

void AddTableOptions(Subcommand& bench, bench::Options& options) {
  bench.Add("--table", options.table, "Name of the table (default: stator-bench-…)").Type("NAME");
  bench.Flag("--skip-load", options.skip_load,
             "Use the table that an earlier run with the same options kept (--keep)");
  bench.Flag("--load-only", options.load_only, "Create and load the table, and keep it");
  bench.Flag("--delete-only", options.delete_only, "Delete the table that an earlier run kept");
  bench.Flag("--keep", options.keep, "Keep the table");
  bench.Flag("--sign", options.sign,
             "Sign requests to a loopback address too, with AWS_ACCESS_KEY_ID and "
             "AWS_SECRET_ACCESS_KEY; those to other addresses are signed if they are set");
  bench.Add("--json", options.json_file, "Write the figures to this file too; - is stdout")
      .Type("FILE");
}

}  // namespace

void AddBenchCommand(Syntax& syntax) {
  const auto options = std::make_shared<bench::Options>();
  Subcommand bench =
      syntax.Add("bench", "Put any DynamoDB endpoint under load and measure it", BenchFooter());
  AddLoadOptions(bench, *options);
  AddDataOptions(bench, *options);
  AddTableOptions(bench, *options);
  bench.Gives([options] { return *options; });
}

}  // namespace stator::cli
