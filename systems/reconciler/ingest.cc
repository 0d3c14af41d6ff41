#include "systems/reconciler/ingest.h"

#include <istream>
#include <map>
#include <mutex>
#include <vector>

#include "systems/program/items.h"
#include "systems/program/process.h"

namespace stator::systems::reconciler {
namespace {

constexpr int kAttempts = 20;
constexpr std::size_t kLineMax = 64 << 10;
constexpr std::size_t kLinesAtOnce = 1000;

struct Line {
  std::int64_t number = 0;
  std::string text;
  bool too_long = false;
};

// False at the end. What is behind kLineMax bytes of a line is dropped.
bool ReadLine(std::istream& in, Line& line) {
  line.text.clear();
  line.too_long = false;
  bool any = false;
  for (int c = in.get(); c != std::istream::traits_type::eof(); c = in.get()) {
    any = true;
    if (c == '\n') break;
    if (line.text.size() < kLineMax) {
      line.text.push_back(static_cast<char>(c));
    } else {
      line.too_long = true;
    }
  }
  if (any) ++line.number;
  return any;
}

struct NumberedReport {
  std::int64_t line = 0;
  CallReport report;
};

class Ingestion {
 public:
  Ingestion(CallTable& table, const IngestOptions& options) : table_(table), options_(options) {}

  EntityResult<IngestSummary> Run(std::istream& in) {
    Line line;
    bool more = true;
    while (more && !failure_) {
      std::size_t count = 0;
      while (count < kLinesAtOnce && (more = ReadLine(in, line))) {
        ++count;
        Sort(line);
      }
      WriteSorted();
      if (options_.progress) options_.progress(summary_);
    }
    if (failure_) return std::unexpected(*failure_);
    return summary_;
  }

 private:
  // Reports of the same call go to the same lane, so that their order stays.
  void Sort(const Line& line) {
    ++summary_.lines;
    if (line.text.find_first_not_of(" \t\r") == std::string::npos) return;
    if (line.too_long) return Refuse(line.number, "it is too long");
    auto report = ParseReport(line.text);
    if (!report) return Refuse(line.number, report.error());
    lanes_[{report->tenant, report->call}].push_back({line.number, *std::move(report)});
  }

  void WriteSorted() {
    std::vector<const std::vector<NumberedReport>*> lanes;
    for (const auto& [call, reports] : lanes_) lanes.push_back(&reports);
    ForEach(lanes.size(), options_.threads, [&](std::size_t i) {
      for (const NumberedReport& numbered : *lanes[i]) Write(numbered);
    });
    lanes_.clear();
  }

  void Write(const NumberedReport& numbered) {
    {
      const std::lock_guard lock(mutex_);
      if (failure_) return;
    }
    const auto kind = IngestReport(table_, numbered.report);
    const std::lock_guard lock(mutex_);
    if (kind) {
      Count(*kind);
    } else if (kind.error().kind == EntityErrorKind::kInvalid) {
      Refuse(numbered.line, kind.error().message);
    } else {
      failure_ = kind.error();
    }
  }

  void Count(ReportDecision::Kind kind) {
    using enum ReportDecision::Kind;
    if (kind == kCreate) ++summary_.created;
    if (kind == kChange) ++summary_.changed;
    if (kind == kConfirm || kind == kUnchanged) ++summary_.unchanged;
    if (kind == kStale) ++summary_.stale;
  }

  void Refuse(std::int64_t line, const std::string& problem) {
    ++summary_.refused;
    if (options_.refused) options_.refused(line, problem);
  }

  CallTable& table_;
  const IngestOptions& options_;
  std::map<std::pair<std::string, std::string>, std::vector<NumberedReport>> lanes_;
  std::mutex mutex_;  // of what follows, while lanes are written
  IngestSummary summary_;
  std::optional<EntityError> failure_;
};

// Writes what was decided; nothing, and no error, if there is nothing to write.
EntityResult<void> WriteDecision(Entities& entities, const Item& key,
                                 const ReportDecision& decision,
                                 const std::optional<Item>& stored) {
  using enum ReportDecision::Kind;
  const WriteOptions unchanged{
      .expected_version = stored ? std::optional(NumberOf(*stored, "Version")) : std::nullopt};
  EntityResult<Item> written;
  switch (decision.kind) {
    case kRefuse:
      return std::unexpected(
          EntityError{EntityErrorKind::kInvalid, decision.problem, std::nullopt, std::nullopt});
    case kCreate:
      written = entities.Create("Call", decision.item);
      break;
    case kChange:
      written = entities.Move("Call", key, "report", decision.change, decision.status, unchanged);
      break;
    case kConfirm:
      written = entities.Update("Call", key, decision.change, unchanged);
      break;
    default:
      break;
  }
  if (!written) return std::unexpected(written.error());
  return {};
}

}  // namespace

EntityResult<ReportDecision::Kind> IngestReport(CallTable& table, const CallReport& report) {
  const Item key{{"TenantId", report.tenant}, {"CallId", report.call}};
  EntityError last;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    TRY(Entities * entities, table.entities());
    auto stored = entities->Get("Call", key, {.strong = true});
    if (stored && *stored && !(*stored)->Find("ReconStatus")) {
      auto adopted = table.Adopt((*stored)->view());
      if (adopted) {
        stored = *std::move(adopted);
      } else {
        stored = std::unexpected(std::move(adopted).error());
      }
    }
    if (stored) {
      const ReportDecision decision = DecideReport(*stored, report);
      const auto written = WriteDecision(*entities, key, decision, *stored);
      if (written) return decision.kind;
      last = written.error();
    } else {
      last = stored.error();
    }
    // A poller or another report was faster: read again.
    if (!IsRace(last)) break;
  }
  return std::unexpected(last);
}

EntityResult<IngestSummary> IngestLines(CallTable& table, std::istream& in,
                                        const IngestOptions& options) {
  return Ingestion(table, options).Run(in);
}

}  // namespace stator::systems::reconciler
