#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>

#include "systems/orders/commands.h"
#include "systems/orders/design.h"
#include "systems/orders/example.h"
#include "systems/orders/migration.h"
#include "systems/orders/shop.h"
#include "systems/program/items.h"
#include "systems/program/model_text.h"

namespace stator::systems::orders {
namespace {

constexpr std::size_t kFileBytesMax = 16U << 20;

struct ExampleOptions {
  std::string name;
  std::string items_file;
  std::string table;
  Questions ask;
};

// --- The table

std::string TableProblem(const std::string& name) {
  const bool fits = std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  });
  if (fits && name.size() >= 3 && name.size() <= 255) return {};
  return "the name of a table has 3 to 255 letters, digits, `-`, `_` and `.`";
}

// The program's model with another name for its table.
std::string ModelWithTable(const std::string& name) {
  constexpr std::string_view kOwnName = "name: AppTable\n";
  std::string text(ModelText());
  return text.replace(text.find(kOwnName), kOwnName.size(), fmt::format("name: \"{}\"\n", name));
}

// A table for examples: the one that was named, or else a fresh one, deleted in the end.
class ExampleTable {
 public:
  static Fallible<std::unique_ptr<ExampleTable>> Open(const Place& place, const std::string& name) {
    std::string fresh = "orders-demo";
    if (place.is_named()) {
      std::random_device random;
      fresh += fmt::format("-{:08x}", random());
    }
    TRY(auto tables, Tables::Open(place, ModelWithTable(name.empty() ? fresh : name)));
    return std::unique_ptr<ExampleTable>(
        new ExampleTable(std::move(tables), name.empty() ? fresh : std::string()));
  }

  ~ExampleTable() {
    if (fresh_.empty()) return;
    for (const std::string& name : {fresh_, fresh_ + "-ShopTable"}) {
      // The second is there only if the migration was played; a table in memory goes anyway.
      (void)tables_->endpoint().DeleteTable({.table_name = tables_->prefix() + name});
    }
  }
  ExampleTable(const ExampleTable&) = delete;
  ExampleTable& operator=(const ExampleTable&) = delete;

  Tables& tables() { return *tables_; }
  // Empty if the table was named.
  const std::string& fresh() const { return fresh_; }

 private:
  ExampleTable(std::unique_ptr<Tables> tables, std::string fresh)
      : tables_(std::move(tables)), fresh_(std::move(fresh)) {}
  std::unique_ptr<Tables> tables_;
  const std::string fresh_;
};

// --- The items

Fallible<std::string> FileText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::unexpected(fmt::format("{}: it cannot be read", path));
  std::string text(kFileBytesMax + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kFileBytesMax) {
    return std::unexpected(fmt::format("{}: it has more than 16 MB", path));
  }
  return text;
}

Fallible<ExampleItems> ItemsFor(const ExampleOptions& options) {
  ExampleItems items;
  if (options.items_file.empty()) {
    TRY(items, ReadExampleItems(BuiltInItems()));
  } else {
    TRY(const std::string text, FileText(options.items_file));
    auto read = ReadExampleItems(text);
    if (!read) return std::unexpected(fmt::format("{}: {}", options.items_file, read.error()));
    items = *std::move(read);
  }
  TRY_VOID(Ask(options.ask, items));
  return items;
}

// --- strategy, pattern

std::string NamesOf(std::span<const Example> examples) {
  std::string names;
  for (const Example& example : examples) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", example.name);
  }
  return names;
}

// One that fails does not keep the others from running. Returns the exit code.
int RunAll(std::span<const Example> examples, Narrator& narrator) {
  int code = kDone;
  for (const Example& example : examples) {
    if (const auto ran = RunExample(example, narrator); !ran) {
      std::cout << std::flush;
      code = Fail(fmt::format("{}: {}", example.name, Explained(ran.error())));
    }
  }
  std::cout << std::flush;
  if (narrator.unfit() == 0) return code;
  return Fail("not all items were written: see the lines with !");
}

int RunNamed(const Place& place, std::span<const Example> examples, const ExampleOptions& options) {
  const Example* example = FindExample(examples, options.name);
  if (example == nullptr && options.name != "all") {
    return Fail(fmt::format("there is no `{}`: one of {}, or all", options.name, NamesOf(examples)),
                kMisused);
  }
  auto items = ItemsFor(options);
  if (!items) return Fail(items.error(), kMisused);
  const auto table = ExampleTable::Open(place, options.table);
  if (!table) return Fail(table.error());
  if (place.is_named() && options.table.empty()) {
    fmt::print("In table {}, which is deleted in the end; --table NAME keeps one.\n",
               (*table)->tables().prefix() + (*table)->fresh());
    std::fflush(stdout);
  }
  Narrator narrator((*table)->tables().entities(), *std::move(items), std::cout);
  return RunAll(example == nullptr ? examples : std::span(example, 1), narrator);
}

void AddOrderOptions(Command& command, Questions& ask) {
  command.AddOption("--customer", &ask.customer, "A customer").Type("NAME");
  command.AddOption("--order", &ask.order, "An order, of --customer").Type("ID");
  command.AddOption("--amount", &ask.amount, "What --order costs").Type("AMOUNT");
  command.AddOption("--currency", &ask.currency, "The currency of --amount").Type("CODE");
  command.AddOption("--priority", &ask.priority, "highest, high, medium or low").Type("WORD");
  command.AddOption("--status", &ask.status, "OPEN, SHIPPED or DELIVERED").Type("STATUS");
}

Command& AddExamples(Program& program, const char* word, const char* help,
                     std::span<const Example> examples, ExampleOptions& options) {
  Command& command = program.AddCommand(word, help);
  command.AddArgument("name", &options.name, "One of " + NamesOf(examples) + "; its number; or all")
      .Type("NAME");
  command.AddOption("--items", &options.items_file, "Your own items, as `orders items` prints them")
      .Type("FILE");
  command
      .AddOption("--table", &options.table,
                 "The table to write into, created if it is not there; default: a fresh one, "
                 "deleted in the end")
      .Type("NAME")
      .Check(TableProblem);
  AddOrderOptions(command, options.ask);
  command.RunAt(PlaceRule::kOptional, [&options, examples](const Place& place) {
    return RunNamed(place, examples, options);
  });
  return command;
}

// --- demo

// Everything, one after the other, on fresh tables.
int RunDemo(const Place& place) {
  auto items = ItemsFor({});
  if (!items) return Fail(items.error());
  const auto table = ExampleTable::Open(place, {});
  if (!table) return Fail(table.error());
  Tables& tables = (*table)->tables();
  fmt::print("Which reads need an index\n\n{}", DecisionTree(CheckDesign(tables.model())));
  std::fflush(stdout);
  Narrator narrator(tables.entities(), *std::move(items), std::cout);
  for (const auto examples : {Strategies(), Patterns()}) {
    if (const int code = RunAll(examples, narrator); code != kDone) return code;
  }
  const UsedUnits used = tables.entities().used();
  std::cout << fmt::format("\n  Together {:g} WRU and {:g} RRU in {} requests.\n", used.write,
                           used.read, used.requests)
            << "\nA migration, with writers and readers at work\n"
            << std::flush;
  MigrationOptions options;
  options.traffic.orders = 1000;
  options.traffic.new_orders = 300;
  options.traffic.table_prefix = tables.prefix() + (*table)->fresh() + "-";
  return Migrate(tables.endpoint(), std::move(options));
}

}  // namespace

void AddExampleCommands(Program& program) {
  auto& options = program.root().Keep<ExampleOptions>();
  Questions& ask = options.ask;
  Command& strategy =
      AddExamples(program, "strategy", "One of the five strategies, as an example that runs",
                  Strategies(), options);
  strategy.AddOption("--tracking", &ask.tracking, "The number under which --order is shipped")
      .Type("NUMBER");
  strategy.AddOption("--user", &ask.user, "A user").Type("NAME");
  strategy.AddOption("--repo", &ask.repo, "A repository of --user's").Type("OWNER/NAME");
  strategy.AddOption("--email", &ask.email, "The email of --user and --customer").Type("EMAIL");
  strategy.AddOption("--org", &ask.org, "An organization of --user's").Type("NAME");
  Command& pattern = AddExamples(
      program, "pattern", "One of the four patterns, as an example that runs", Patterns(), options);
  pattern.AddOption("--tenant", &ask.tenant, "A tenant").Type("NAME");
  pattern.AddOption("--from", &ask.from, "A day or a time").Type("TIME");
  pattern.AddOption("--to", &ask.to, "The first day or time that is not wanted").Type("TIME");
  program
      .AddCommand("items", "Prints the items of the examples, to change and give back with --items")
      .Run([] {
        fmt::print("{}", BuiltInItems());
        return kDone;
      });
  program.AddCommand("demo", "All of it on fresh data, with an account of what it cost")
      .RunAt(PlaceRule::kOptional, RunDemo);
}

}  // namespace stator::systems::orders
