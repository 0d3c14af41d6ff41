// calls: per-user timelines of calls, lookups by call and provider, rescheduling.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>

#include "systems/calls/commands.h"
#include "systems/program/model_text.h"

namespace stator::systems::calls {
namespace {

constexpr const char* kHelp =
    "Calls between users and providers: timelines by time and status, lookups, rescheduling.\n\n"
    "  calls --data ./calls schedule c1 --user ann --provider p1 --at 2026-03-02T09:00:00Z\n"
    "  calls --data ./calls next ann\n"
    "  calls --data ./calls reschedule c1 --to +1d --version 1\n"
    "  calls --data ./calls timeline ann --upcoming --limit 10\n\n"
    "A call's id is unique. Its version goes up with every change; a change that names the version "
    "it\n"
    "has seen is refused if another one came first. Exit code: 0 done, 1 refused or not found, 2 "
    "usage.";

int Fail(const std::string& message, int code = kRefused) {
  fmt::print(stderr, "calls: {}\n", message);
  return code;
}

// Where the demo plays if nobody says where; gone when it is over.
class FreshDirectory {
 public:
  FreshDirectory() {
    std::error_code failed;
    path_ = (std::filesystem::temp_directory_path(failed) / "calls-demo-XXXXXX").string();
    if (::mkdtemp(path_.data()) == nullptr) path_.clear();
  }
  ~FreshDirectory() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  FreshDirectory(const FreshDirectory&) = delete;
  FreshDirectory& operator=(const FreshDirectory&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

int Main(int argc, char** argv) {
  CLI::App app(kHelp, "calls");
  app.require_subcommand(1);
  ConnectionOptions options;
  AddConnectionOptions(app, options);
  Action action;
  AddWriteCommands(app, action);
  AddReadCommands(app, action);
  AddWorkCommands(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kDone : kUsage;
  }

  std::optional<FreshDirectory> fresh;
  bool is_somewhere = !options.directory.empty() || !options.endpoint.empty();
  if (!is_somewhere && app.got_subcommand("demo")) {
    options.directory = fresh.emplace().path();
    is_somewhere = true;
  }
  auto connection = Connection::Open(options);
  if (!connection) return Fail(connection.error(), is_somewhere ? kRefused : kUsage);
  const auto model = Model::Parse(ModelText());
  if (!model) return Fail(model.error());
  auto entities = OpenEntities(**connection, ModelText());
  if (!entities) return Fail(entities.error());
  CallBook book(**entities);
  Program program{**connection, *model, **entities, book};
  return action(program);
}

}  // namespace
}  // namespace stator::systems::calls

int main(int argc, char** argv) { return stator::systems::calls::Main(argc, argv); }
