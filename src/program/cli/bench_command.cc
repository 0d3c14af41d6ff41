#include "cli/bench_command.h"

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "bench/request_bodies.h"
#include "bench/workload.h"

namespace stator::cli {
namespace {

constexpr const char* kExamples = R"(
Examples:
  stator bench --endpoint http://127.0.0.1:8000
  stator bench --endpoint http://127.0.0.1:8000 --workload mix-a --items 1000000 --seconds 60
  stator bench --endpoint http://127.0.0.1:8000 --workload put --rate 5000 --json result.json
  AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=… \
  stator bench --endpoint http://dynamodb.eu-west-1.amazonaws.com --connections 16

It creates a table of its own, loads it, measures and deletes the table. On AWS that costs money.
With --rate, latency counts from the moment a request was due, not from when it could be sent.

Workloads:
)";

std::string Footer() {
  std::string text = kExamples;
  for (const bench::Workload& workload : bench::AllWorkloads()) {
    std::string name(workload.name);
    name.resize(12, ' ');
    text += "  " + name + std::string(workload.description) + "\n";
  }
  return text;
}

void AddLoadOptions(CLI::App& app, bench::Options& options) {
  static const std::map<std::string, bench::KeyDistribution> kKeys = {
      {"uniform", bench::KeyDistribution::kUniform}, {"zipfian", bench::KeyDistribution::kZipfian}};
  std::vector<std::string> names;
  for (const bench::Workload& workload : bench::AllWorkloads()) names.emplace_back(workload.name);
  app.add_option("--endpoint", options.endpoint, "Where to send the load: http://HOST[:PORT]")
      ->required()
      ->type_name("URL");
  app.add_option("--workload", options.workload, "What to do (default: get); see below")
      ->check(CLI::IsMember(names))
      ->type_name("NAME");
  app.add_option("--connections", options.connections, "Requests in flight (default: 64)")
      ->check(CLI::Range(1, 10'000))
      ->type_name("N");
  app.add_option("--seconds", options.seconds, "How long to measure (default: 10)")
      ->check(CLI::Range(0.01, 1e6))
      ->type_name("N");
  app.add_option("--warmup", options.warmup_seconds, "Seconds before that (default: 1)")
      ->check(CLI::Range(0.0, 1e4))
      ->type_name("N");
  app.add_option("--rate", options.rate,
                 "Requests per second, on a fixed schedule (default: as fast as answers come)")
      ->check(CLI::Range(0.001, 1e7))
      ->type_name("N");
  app.add_option("--keys", options.keys, "Which items (default: as the workload says)")
      ->transform(CLI::CheckedTransformer(kKeys).description(""))
      ->type_name("uniform|zipfian");
  app.add_option("--threads", options.threads, "Event loops (default: half of the cores)")
      ->check(CLI::Range(1, 256))
      ->type_name("N");
  app.add_option("--seed", options.seed, "Another seed, another load (default: 1)")->type_name("N");
}

void AddDataOptions(CLI::App& app, bench::Options& options) {
  constexpr std::uint64_t kItemsMax = 999'999'999'999;  // what kKeyDigits can name
  app.add_option("--items", options.items, "Items in the table (default: 10000)")
      ->check(CLI::Range(std::uint64_t{1}, kItemsMax))
      ->type_name("N");
  app.add_option("--item-bytes", options.item_bytes,
                 "Size of an item (default: 1024, for query 300)")
      ->check(CLI::Range(std::size_t{1}, std::size_t{400} * 1024))
      ->type_name("N");
  app.add_option("--attributes", options.attributes, "Attributes of an item (default: 12)")
      ->check(CLI::Range(std::size_t{1}, std::size_t{100}))
      ->type_name("N");
  app.add_option("--query-items", options.query_items,
                 "Items that a query returns, and the page of a scan (default: 100)")
      ->check(CLI::Range(std::uint64_t{1}, kItemsMax))
      ->type_name("N");
  app.add_option("--partition-items", options.partition_items,
                 "Items of a partition that is queried (default: as many as a query returns)")
      ->check(CLI::Range(std::uint64_t{1}, kItemsMax))
      ->type_name("N");
}

void AddTableOptions(CLI::App& app, bench::Options& options) {
  app.add_option("--table", options.table, "Its name (default: stator-bench-…)")->type_name("NAME");
  app.add_flag("--skip-load", options.skip_load,
               "Use a table that an earlier run with the same options has left (--keep)");
  app.add_flag("--load-only", options.load_only, "Create and load the table, and leave it");
  app.add_flag("--delete-only", options.delete_only, "Delete a table that an earlier run has left");
  app.add_flag("--keep", options.keep, "Leave the table");
  app.add_flag("--sign", options.sign,
               "Sign requests to a loopback address too, with AWS_ACCESS_KEY_ID and "
               "AWS_SECRET_ACCESS_KEY; those to other addresses are signed if they are set");
  app.add_option("--json", options.json_file, "Write the figures there too, - for stdout")
      ->type_name("FILE");
}

}  // namespace

CLI::App* AddBenchCommand(CLI::App& app, bench::Options& options) {
  CLI::App* bench =
      app.add_subcommand("bench", "Put any DynamoDB endpoint under load and measure it");
  bench->footer(Footer());
  AddLoadOptions(*bench, options);
  AddDataOptions(*bench, options);
  AddTableOptions(*bench, options);
  return bench;
}

}  // namespace stator::cli
