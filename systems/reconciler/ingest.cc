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
  Ingestion(Entities& entities, const IngestOptions& options)
      : entities_(entities), options_(options) {}

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
    const auto kind = IngestReport(entities_, numbered.report);
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

  Entities& entities_;
  const IngestOptions& options_;
  std::map<std::pair<std::string, std::string>, std::vector<NumberedReport>> lanes_;
  std::mutex mutex_;  // of what follows, while lanes are written
  IngestSummary summary_;
  std::optional<EntityError> failure_;
};

}  // namespace

EntityResult<ReportDecision::Kind> IngestReport(Entities& entities, const CallReport& report) {
  using enum ReportDecision::Kind;
  const Item key{{"TenantId", report.tenant}, {"CallId", report.call}};
  EntityError last;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const auto stored = entities.Get("Call", key, {.strong = true});
    if (!stored) return std::unexpected(stored.error());
    ReportDecision decision = DecideReport(*stored, report);
    EntityResult<Item> written;
    switch (decision.kind) {
      case kRefuse:
        return std::unexpected(
            EntityError{EntityErrorKind::kInvalid, decision.problem, std::nullopt, std::nullopt});
      case kCreate:
        written = entities.Create("Call", decision.item);
        break;
      case kChange:
        decision.change = WithSources(std::move(decision.change), (*stored)->view());
        [[fallthrough]];
      case kConfirm:
        written = entities.Update("Call", key, decision.change,
                                  {.expected_version = NumberOf((*stored)->view(), "Version")});
        break;
      default:
        return decision.kind;
    }
    if (written) return decision.kind;
    last = written.error();
    // A poller or another report was faster: read again.
    if (!IsRace(last)) break;
  }
  return std::unexpected(last);
}

EntityResult<IngestSummary> IngestLines(Entities& entities, std::istream& in,
                                        const IngestOptions& options) {
  return Ingestion(entities, options).Run(in);
}

}  // namespace stator::systems::reconciler
