// Runs the golden cases: case_runner MODE [FILE…]. Without files: all that lie beside this source.
// MODE is embedded or http, then _memory, _rocksdb or _postgres (storage/testing/postgres.h).
#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "storage/testing/postgres.h"
#include "tests/cases/runner/answer_check.h"
#include "tests/cases/runner/case_file.h"
#include "tests/cases/runner/target.h"

namespace stator::cases {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShownMax = 1200;  // characters of one difference

struct Mode {
  bool http = false;
  std::string store;  // memory, rocksdb or postgres
};

struct Totals {
  int cases = 0;
  int steps = 0;
  int failed_steps = 0;
};

std::vector<fs::path> AllCases(const fs::path& root) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() == ".case") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

// A directory that is gone when this is.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (fs::temp_directory_path() / "stator-cases-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void Report(const Step& step, const Differences& differences) {
  const bool is_call = step.kind == Step::Kind::kCall;
  fmt::print("{}: {}\n", step.place, is_call ? step.call.operation : "this step");
  for (const std::string& difference : differences) {
    fmt::print("    {}\n", std::string_view(difference).substr(0, kShownMax));
  }
}

Differences Run(Target& target, const Call& call, SavedValues& saved) {
  const auto request = Expand(call.request, saved);
  if (!request) return {request.error()};
  return CheckAnswer(call, target.Call(call.operation, *request), saved);
}

Differences PutObject(const fs::path& file, const std::string& lines) {
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  std::ofstream out(file, std::ios::binary);
  out << lines << '\n';
  out.close();
  return out ? Differences() : Differences{"cannot write " + file.string()};
}

Differences RunStep(Target& target, const Step& step, const fs::path& buckets, SavedValues& saved) {
  if (step.kind == Step::Kind::kCall) return Run(target, step.call, saved);
  if (step.kind == Step::Kind::kAdvanceClock) {
    const auto advanced = target.Advance(step.advance);
    return advanced ? Differences() : Differences{advanced.error()};
  }
  if (step.kind == Step::Kind::kPutObject) {
    const auto lines = Expand(step.call.request, saved);
    return lines ? PutObject(buckets / step.object, *lines) : Differences{lines.error()};
  }
  target.WaitForBackgroundWork();
  return {};
}

// A step that fails does not stop its case: the steps behind it often stand on their own.
void RunCase(const CaseFile& parsed, const Mode& mode, const std::string& name, Totals& totals) {
  const TemporaryDirectory directory;
  TargetOptions options{
      .http = mode.http, .classic_wording = parsed.classic_wording, .clock = parsed.clock};
  if (mode.store == "rocksdb") options.directory = directory.path() / "data";
  std::optional<TestPostgresSchema> schema;
  if (mode.store == "postgres") options.store = schema.emplace(directory.path().string()).url();
  if (parsed.buckets) options.buckets = directory.path() / "buckets";
  auto target = Target::Open(options);
  if (!target) {
    fmt::print("{}: cannot open the database: {}\n", name, target.error());
    ++totals.failed_steps;
    return;
  }
  SavedValues saved;
  for (const Step& step : parsed.steps) {
    if (step.kind == Step::Kind::kCall) ++totals.steps;
    const Differences differences = RunStep(**target, step, options.buckets, saved);
    if (differences.empty()) continue;
    ++totals.failed_steps;
    Report(step, differences);
  }
  target->reset();
  if (schema) schema->Drop();
}

Totals RunAll(const Mode& mode, const std::vector<fs::path>& files, const fs::path& root) {
  Totals totals;
  for (const fs::path& file : files) {
    ++totals.cases;
    const auto parsed = ReadCase(file, root);
    if (!parsed) {
      fmt::print("{}\n", parsed.error());
      ++totals.failed_steps;
      continue;
    }
    RunCase(*parsed, mode, file.string(), totals);
  }
  return totals;
}

int Main(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    fmt::print(stderr, "usage: case_runner MODE [FILE...]\n");
    return 2;
  }
  const std::string& mode_name = arguments[0];
  const std::size_t joint = mode_name.find('_');
  const std::string door = mode_name.substr(0, joint);
  const std::string store = joint == std::string::npos ? "" : mode_name.substr(joint + 1);
  if ((door != "http" && door != "embedded") ||
      (store != "memory" && store != "rocksdb" && store != "postgres")) {
    fmt::print(stderr, "{} is not a mode\n", mode_name);
    return 2;
  }
  if (store == "postgres" && !TestPostgresUrl()) {
    fmt::print(stderr, "STATOR_TEST_POSTGRES does not name a database\n");
    return 2;
  }
  ConfigureLog(LogLevel::kWarning, LogFormat::kText);
  const fs::path root = STATOR_CASES_DIR;
  std::vector<fs::path> files(arguments.begin() + 1, arguments.end());
  if (files.empty()) files = AllCases(root);
  const Totals totals = RunAll({.http = door == "http", .store = store}, files, root);
  fmt::print("{}: {} cases, {} steps, {} failed\n", mode_name, totals.cases, totals.steps,
             totals.failed_steps);
  return totals.failed_steps == 0 && totals.steps > 0 ? 0 : 1;
}

}  // namespace
}  // namespace stator::cases

int main(int count, char** arguments) {
  return stator::cases::Main(std::vector<std::string>(arguments + 1, arguments + count));
}
