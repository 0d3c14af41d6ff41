// orders: the strategies of secondary indexes as programs that run.
#include <fmt/format.h>

#include <iostream>

#include "systems/orders/design.h"
#include "systems/orders/example.h"
#include "systems/orders/migration.h"
#include "systems/orders/shop.h"
#include "systems/program/items.h"
#include "systems/program/model_text.h"
#include "systems/program/output.h"
#include "systems/program/program.h"

namespace stator::systems::orders {
namespace {

constexpr const char* kAbout =
    R"(Secondary indexes by example: five strategies and four patterns over one overloaded table,
the decisions behind them, a shop that uses them, and a migration on a live table.

  orders decide                                   which reads need an index, and why
  orders strategy sparse                          one strategy, told step by step
  orders pattern time                             one pattern
  orders chart --out . --job shop                 docs/specs/jobs/shop/entity-chart-gsi1.md …
  orders --data ./shop shop place alice 550e8400  an order, then `shop by-id 550e8400`
  orders migrate                                  an index is replaced under load

Examples, the migration and the demo run in memory unless --data or --endpoint is given.
Exit code: 0 done, 1 refused, failed or not found, 2 wrong usage.)";

// --- decide, chart

Fallible<Model> ModelOf(const std::string& file) {
  return file.empty() ? Model::Parse(ModelText()) : Model::Load(file);
}

int PrintDecisions(const std::string& model_file) {
  const auto model = ModelOf(model_file);
  if (!model) return Fail(model.error());
  const Design design = CheckDesign(*model);
  fmt::print("Does it need an index?\n\n{}\n", DecisionTree(design));
  fmt::print("Is the primary key enough?\n\n{}\n", SatisfiedTable(design));
  fmt::print("How much does an index copy?\n\n{}", ProjectionTree(design));
  return kDone;
}

int WriteAllCharts(const std::string& model_file, const std::string& out, const std::string& job) {
  const auto model = ModelOf(model_file);
  if (!model) return Fail(model.error());
  const auto written = WriteCharts(*model, out, job);
  if (!written) return Fail(written.error());
  for (const auto& path : *written) fmt::print("{}\n", path.string());
  return kDone;
}

// --- strategy, pattern

std::string NamesOf(std::span<const Example> examples) {
  std::string names;
  for (const Example& example : examples) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", example.name);
  }
  return names;
}

int RunNamed(const Place& place, std::span<const Example> examples, const std::string& name) {
  const Example* example = FindExample(examples, name);
  if (example == nullptr && name != "all") {
    return Fail(fmt::format("there is no `{}`: one of {}, or all", name, NamesOf(examples)),
                kMisused);
  }
  const auto tables = Tables::Open(place, ModelText());
  if (!tables) return Fail(tables.error());
  Narrator narrator((*tables)->entities(), std::cout);
  for (const Example& each : examples) {
    if (example != nullptr && example != &each) continue;
    if (const auto ran = RunExample(each, narrator); !ran) return Fail(ran.error().message);
  }
  return kDone;
}

void AddExamples(Program& program, const char* word, const char* help,
                 std::span<const Example> examples) {
  Command& command = program.AddCommand(word, help);
  auto& name = command.Keep<std::string>();
  command.AddArgument("name", &name, "One of " + NamesOf(examples) + "; its number; or all")
      .Type("NAME");
  command.RunAt(PlaceRule::kOptional,
                [&name, examples](const Place& place) { return RunNamed(place, examples, name); });
}

// --- shop

struct ShopArguments {
  std::string first;
  std::string second;
  NewOrder order;
  std::string priority = "medium";
  std::int64_t limit = 25;
  std::string cursor;

  PageOptions page() const { return {.limit = limit, .cursor = cursor, .descending = {}}; }
};

int Print(const EntityResult<Item>& item) {
  if (!item) return Fail(item.error().message);
  fmt::print("{}\n", JsonOfItem(item->view()));
  return kDone;
}

int Print(const EntityResult<std::optional<Item>>& item, const std::string& what) {
  if (!item) return Fail(item.error().message);
  if (!*item) return Fail("there is no " + what);
  fmt::print("{}\n", JsonOfItem((*item)->view()));
  return kDone;
}

int Print(const EntityResult<Page>& page) {
  if (!page) return Fail(page.error().message);
  for (const Item& item : page->items) fmt::print("{}\n", JsonOfItem(item.view()));
  PrintCursor(page->cursor);
  return kDone;
}

int PlaceOrder(Shop& shop, const ShopArguments& given) {
  const auto priority = PriorityOf(given.priority);
  if (!priority) return Fail("--priority is one of highest, high, medium and low", kMisused);
  NewOrder order = given.order;
  order.priority = *priority;
  order.customer = given.first;
  order.order_id = given.second;
  return Print(shop.Place(order));
}

// The commands below `shop`. They need a place: an order in memory would be gone at once.
class ShopCommands {
 public:
  using Work = std::function<int(Shop& shop, const ShopArguments& given)>;

  explicit ShopCommands(Program& program)
      : shop_(program.AddCommand("shop", "The e-commerce example")),
        given_(shop_.Keep<ShopArguments>()) {}

  // Takes one or two arguments, named for --help.
  Command& Add(const char* name, const char* help, const char* first, const char* second,
               Work work) {
    Command& command = shop_.AddCommand(name, help);
    command.AddArgument(first, &given_.first, "");
    if (second != nullptr) command.AddArgument(second, &given_.second, "");
    command.RunOnTables([&given = given_, work = std::move(work)](Tables& tables) {
      Shop shop(tables.entities());
      return work(shop, given);
    });
    return command;
  }

  void AddPaged(const char* name, const char* help, const char* first, Work work) {
    Command& command = Add(name, help, first, nullptr, std::move(work));
    command.AddOption("--limit", &given_.limit, "Orders per page").Range(1, 1000);
    command.AddOption("--cursor", &given_.cursor, "Where the page before ended");
  }

  ShopArguments& given() { return given_; }

 private:
  Command& shop_;
  ShopArguments& given_;
};

void AddShopWrites(ShopCommands& commands) {
  commands.Add("register", "A new customer", "customer", "email",
               [](Shop& shop, const ShopArguments& given) {
                 return Print(shop.Register(given.first, given.second));
               });
  Command& place = commands.Add("place", "A new order", "customer", "order", PlaceOrder);
  place.AddOption("--amount", &commands.given().order.amount, "What it costs");
  place.AddOption("--priority", &commands.given().priority, "highest, high, medium or low");
  commands.Add("ship", "Ships an open order", "order", "number",
               [](Shop& shop, const ShopArguments& given) {
                 return Print(shop.Ship(given.first, given.second));
               });
  commands.Add(
      "deliver", "Delivers a shipped order", "order", nullptr,
      [](Shop& shop, const ShopArguments& given) { return Print(shop.Deliver(given.first)); });
  commands.Add(
      "lose", "The parcel is lost: the order is open again", "order", nullptr,
      [](Shop& shop, const ShopArguments& given) { return Print(shop.Lose(given.first)); });
  commands.Add(
      "cancel", "Deletes an open order", "order", nullptr,
      [](Shop& shop, const ShopArguments& given) { return Print(shop.Cancel(given.first)); });
}

void AddShopReads(ShopCommands& commands) {
  commands.Add("customer", "A customer, by name", "customer", nullptr,
               [](Shop& shop, const ShopArguments& given) {
                 return Print(shop.Customer(given.first), "customer " + given.first);
               });
  commands.Add("by-id", "An order by its id, through GSI1", "order", nullptr,
               [](Shop& shop, const ShopArguments& given) {
                 return Print(shop.WholeOrder(given.first), "order " + given.first);
               });
  commands.Add("by-tracking", "An order by its tracking number, through GSI3", "number", nullptr,
               [](Shop& shop, const ShopArguments& given) {
                 return Print(shop.ByTracking(given.first), "order with number " + given.first);
               });
  commands.AddPaged("by-status", "Orders of a status, newest first, through GSI2", "status",
                    [](Shop& shop, const ShopArguments& given) {
                      return Print(shop.ByStatus(given.first, given.page()));
                    });
  commands.AddPaged("of-customer", "Orders of a customer, from the table", "customer",
                    [](Shop& shop, const ShopArguments& given) {
                      return Print(shop.OfCustomer(given.first, given.page()));
                    });
}

// --- migrate, demo

int Migrate(Tables& tables, MigrationOptions options) {
  ProgressLine progress;
  options.traffic.table_prefix = tables.prefix();
  options.progress = [&](const LiveProgress& live) { progress.Show("  " + ProgressText(live)); };
  options.say = [&](const std::string& line) {
    progress.Clear();
    PrintLine("  " + line);
  };
  const auto report = PlayMigration(tables.endpoint(), options);
  progress.Clear();
  if (!report) return Fail(report.error());
  if (!report->complete) {
    fmt::print("  stopped after {} steps; run the command again to go on\n", options.steps);
    return kDone;
  }
  fmt::print("  {} writes and {} reads while it ran; {} items\n", report->writes, report->reads,
             report->items);
  return report->flaws.empty() ? kDone : kFailed;
}

// Everything, one after the other, on fresh tables.
int RunDemo(Tables& tables) {
  fmt::print("Which reads need an index\n\n{}", DecisionTree(CheckDesign(tables.model())));
  std::fflush(stdout);
  Narrator narrator(tables.entities(), std::cout);
  for (const auto examples : {Strategies(), Patterns()}) {
    for (const Example& example : examples) {
      if (const auto ran = RunExample(example, narrator); !ran) return Fail(ran.error().message);
    }
  }
  const UsedUnits used = tables.entities().used();
  std::cout << fmt::format("\n  Together {:g} WRU and {:g} RRU in {} requests.\n", used.write,
                           used.read, used.requests)
            << "\nA migration, with writers and readers at work\n"
            << std::flush;
  MigrationOptions options;
  options.traffic.orders = 1000;
  options.traffic.new_orders = 300;
  return Migrate(tables, std::move(options));
}

void AddDesignCommands(Program& program) {
  struct Arguments {
    std::string model_file;
    std::string out = ".";
    std::string job = "orders";
  };
  Command& decide = program.AddCommand(
      "decide", "The decision tree, the table \"Satisfied by PK?\" and the projections of a model");
  Command& chart = program.AddCommand(
      "chart", "Writes entity charts to DIR/docs/specs/jobs/JOB/entity-chart-gsiN.md");
  auto& given = decide.Keep<Arguments>();
  for (Command* command : {&decide, &chart}) {
    command->AddOption("--model", &given.model_file, "A model file; default: the one built in")
        .Type("FILE");
  }
  chart.AddOption("--out", &given.out, "Where docs/specs/jobs/JOB is created").Type("DIR");
  chart.AddOption("--job", &given.job, "The name of the job").Type("JOB");
  decide.Run([&] { return PrintDecisions(given.model_file); });
  chart.Run([&] { return WriteAllCharts(given.model_file, given.out, given.job); });
}

void AddExampleCommands(Program& program) {
  AddExamples(program, "strategy", "One of the five strategies, as an example that runs",
              Strategies());
  AddExamples(program, "pattern", "One of the four patterns, as an example that runs", Patterns());
}

void AddShopCommands(Program& program) {
  ShopCommands commands(program);
  AddShopWrites(commands);
  AddShopReads(commands);
}

void AddMigrationCommands(Program& program) {
  Command& migrate = program.AddCommand(
      "migrate",
      "Replaces the status index of a live table while writers and readers go on; a run that was\n"
      "killed is taken up");
  auto& options = migrate.Keep<MigrationOptions>();
  migrate.AddOption("--orders", &options.traffic.orders, "Orders that exist before")
      .Range(4, 10'000'000);
  migrate.AddOption("--new-orders", &options.traffic.new_orders, "Orders placed while it runs")
      .Range(0, 10'000'000);
  migrate.AddOption("--steps", &options.steps, "Steps to do, of 5; the rest is for the next run")
      .Range(1, 5);
  migrate.AddOption("--writers", &options.traffic.writers, "Writers at work").Range(1, 64);
  migrate
      .AddOption("--checkpoints", &options.checkpoint_directory,
                 "Where the position of the backfill is kept")
      .Type("DIR");
  migrate.RunOnTables([&](Tables& tables) { return Migrate(tables, options); },
                      PlaceRule::kOptional);
  program.AddCommand("demo", "All of it on fresh data, with an account of what it cost")
      .RunOnTables(RunDemo, PlaceRule::kOptional);
}

int Main(int argc, char** argv) {
  Program program("orders", kAbout, ModelText());
  AddDesignCommands(program);
  AddExampleCommands(program);
  AddShopCommands(program);
  AddMigrationCommands(program);
  return program.Main(argc, argv);
}

}  // namespace
}  // namespace stator::systems::orders

int main(int argc, char** argv) { return stator::systems::orders::Main(argc, argv); }
