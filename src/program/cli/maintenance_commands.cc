// stator verify and stator repair: what a data directory holds, and what can be saved of it.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>

#include "base/log.h"
#include "cli/commands.h"
#include "cli/progress_line.h"
#include "cli/syntax.h"
#include "database/maintenance.h"
#include "value/json_writer.h"

namespace stator::cli {
namespace {

constexpr int kExitSound = 0;
constexpr int kExitDamaged = 1;
constexpr int kExitUnreadable = 2;

constexpr const char* kVerifyExamples = R"(
Examples:
  stator verify ./stator-data
  stator verify ./stator-data --json | jq .problems

Reads all of a data directory that no server has open, and changes nothing: the ledger of its files,
every block of every file, every row, every index against its table and back, every log for gaps.
Exits with 0 if it is sound, 1 if it is damaged, 2 if it cannot be read.
)";

constexpr const char* kRepairExamples = R"(
Examples:
  stator repair ./stator-data --to ./saved

Says what is damaged, and writes a new data directory with everything that can be read: items, table
definitions, streams, and the backups. Indexes are computed again from the items. What is lost is
named: items in damaged blocks or in commits that are gone. After a loss the history of tables with
point-in-time recovery begins anew. The damaged directory is never changed; the new one needs as much
space again, and twice that if table files are missing. A backup that is recent enough is the better
choice: what is missing is complete there.
Exits with 0 if the new directory is sound, whatever was lost.
)";

struct MaintenanceOptions {
  std::string directory;
  std::string to;
  bool json = false;
};

MaintenanceProgress ProgressOn(ProgressLine& line) {
  return [&line](const char* doing, std::uint64_t done, std::uint64_t total) {
    Progress progress{.done = static_cast<std::int64_t>(done), .text = doing};
    if (total > 0) {
      progress.total = static_cast<std::int64_t>(total);
    } else {
      progress.text = fmt::format("{}: {}", doing, done);
    }
    line.Show(progress);
  };
}

JsonWriter& Count(JsonWriter& out, std::string_view key, std::uint64_t value) {
  return out.Key(key).Integer(static_cast<std::int64_t>(value));
}

void WriteTexts(JsonWriter& out, std::string_view key, const std::vector<std::string>& texts) {
  out.Key(key).BeginArray();
  for (const std::string& text : texts) out.String(text);
  out.EndArray();
}

void WriteReport(JsonWriter& out, const VerifyReport& report) {
  out.BeginObject();
  out.Key("sound").Bool(report.is_sound());
  out.Key("closed").Bool(report.was_closed);
  Count(out, "last_commit", report.last_commit);
  Count(out, "dropped_bytes", report.dropped_bytes);
  Count(out, "table_files", report.table_files);
  Count(out, "table_bytes", report.table_bytes);
  out.Key("rows_read").Bool(report.rows_were_read);
  Count(out, "rows", report.rows);
  Count(out, "tables", report.tables);
  Count(out, "items", report.items);
  Count(out, "index_entries", report.entries);
  Count(out, "log_records", report.records);
  Count(out, "problem_count", report.problem_count);
  WriteTexts(out, "problems", report.problems);
  WriteTexts(out, "remarks", report.remarks);
  out.EndObject();
}

void PrintTexts(const char* what, const std::vector<std::string>& texts, std::uint64_t count) {
  for (const std::string& text : texts) std::printf("%s: %s\n", what, text.c_str());
  if (count > texts.size()) {
    std::printf("%s: and %llu more\n", what, static_cast<unsigned long long>(count - texts.size()));
  }
}

void PrintContents(const std::string& directory, const VerifyReport& report) {
  const std::string text = fmt::format(
      "{}: {} tables, {} items, {} index entries, {} log records, {} table files\n", directory,
      report.tables, report.items, report.entries, report.records, report.table_files);
  std::fputs(text.c_str(), stdout);
}

void PrintReport(const std::string& directory, const VerifyReport& report) {
  if (report.rows_were_read) PrintContents(directory, report);
  PrintTexts("remark", report.remarks, report.remarks.size());
  if (!report.was_closed) {
    const std::string text = fmt::format(
        "remark: it was not closed in an orderly way; the newest commit is {}, and {} bytes after "
        "it "
        "are no whole commit\n",
        report.last_commit, report.dropped_bytes);
    std::fputs(text.c_str(), stdout);
  }
  PrintTexts("damage", report.problems, report.problem_count);
  if (!report.rows_were_read) std::puts("damage: no row could be read");
  if (report.is_sound()) {
    std::puts("sound");
  } else {
    std::printf(
        "damaged: `stator repair %s --to NEW` saves what can be read; or restore a backup\n",
        directory.c_str());
  }
}

int Unreadable(const std::string& message) {
  std::fprintf(stderr, "stator: %s\n", message.c_str());
  return kExitUnreadable;
}

int Verify(const MaintenanceOptions& options) {
  ConfigureLog(LogLevel::kError, LogFormat::kText);
  const auto report = [&] {
    ProgressLine line;
    return VerifyDirectory(options.directory, ProgressOn(line));
  }();
  if (!report) return Unreadable(report.error());
  if (options.json) {
    std::string json;
    JsonWriter out(json);
    WriteReport(out, *report);
    std::puts(json.c_str());
  } else {
    PrintReport(options.directory, *report);
  }
  return report->is_sound() ? kExitSound : kExitDamaged;
}

int Repair(const MaintenanceOptions& options) {
  ConfigureLog(LogLevel::kError, LogFormat::kText);
  const auto report = [&] {
    ProgressLine line;
    return RepairDirectory(options.directory, options.to, ProgressOn(line));
  }();
  if (!report) return Unreadable(report.error());
  if (options.json) {
    std::string json;
    JsonWriter out(json);
    out.BeginObject().Key("before");
    WriteReport(out, report->before);
    Count(out, "lost_count", report->lost_count);
    WriteTexts(out, "lost", report->lost);
    out.Key("after");
    WriteReport(out, report->after);
    out.EndObject();
    std::puts(json.c_str());
  } else {
    PrintTexts("damage", report->before.problems, report->before.problem_count);
    PrintTexts("lost", report->lost, report->lost_count);
    std::printf("saved in ");
    PrintReport(options.to, report->after);
  }
  return report->after.is_sound() ? kExitSound : kExitDamaged;
}

}  // namespace

void AddMaintenanceCommands(Syntax& syntax) {
  const auto options = std::make_shared<MaintenanceOptions>();
  Subcommand verify =
      syntax.Add("verify", "Check that a data directory is complete and sound", kVerifyExamples);
  verify.Add("DIR", options->directory, "A data directory that no server has open").Required();
  verify.Flag("--json", options->json, "Print the findings as JSON");
  verify.Runs([options] { return Verify(*options); });

  Subcommand repair = syntax.Add(
      "repair", "Save what can be read of a damaged data directory in a new one", kRepairExamples);
  repair.Add("DIR", options->directory, "A data directory that no server has open").Required();
  repair.Add("--to", options->to, "The new data directory").Required().Type("NEW");
  repair.Flag("--json", options->json, "Print the findings as JSON");
  repair.Runs([options] { return Repair(*options); });
}

}  // namespace stator::cli
