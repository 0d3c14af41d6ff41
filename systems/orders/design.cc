#include "systems/orders/design.h"

#include <algorithm>
#include <fstream>

#include "systems/program/output.h"

namespace stator::systems::orders {
namespace {

// Patterns that run less often than this are rare, whatever their class.
constexpr double kRarePerDay = 1;

bool IsRare(const PatternProof& proof) {
  return proof.pattern_class == "admin" || (proof.per_day > 0 && proof.per_day < kRarePerDay);
}

std::string Verdict(const PatternProof& proof) {
  switch (Decide(proof)) {
    case Decision::kPrimaryKey:
      return "no index: the primary key";
    case Decision::kScan:
      return "no index: Scan, " + (proof.reason.empty() ? "without a reason" : proof.reason);
    case Decision::kRedesign:
      return "another primary key: no global index reads strongly";
    case Decision::kIndex:
      return proof.index;
    case Decision::kNothing:
      break;
  }
  return "nothing serves it: " + proof.text;
}

// True for the name of one folder, which cannot lead elsewhere.
bool IsFolderName(const std::string& job) {
  const auto harmless = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  return !job.empty() && job.front() != '.' && std::ranges::all_of(job, harmless);
}

}  // namespace

Decision Decide(const PatternProof& proof) {
  if (proof.by_primary_key) return Decision::kPrimaryKey;
  if (proof.operation == "Scan") return Decision::kScan;
  if (proof.is_strong) return Decision::kRedesign;
  return proof.operation.empty() || proof.index.empty() ? Decision::kNothing : Decision::kIndex;
}

std::string DecisionTree(const Design& design) {
  std::vector<std::vector<std::string>> rows = {
      {"Access pattern", "1. by primary key?", "2. rare?", "3. a moment old will do?", "So"}};
  for (const PatternProof& proof : design.patterns) {
    if (!proof.is_read) continue;
    const Decision decision = Decide(proof);
    const bool asked_second = decision != Decision::kPrimaryKey;
    const bool asked_third = asked_second && decision != Decision::kScan;
    rows.push_back({proof.pattern, proof.by_primary_key ? "yes" : "no",
                    !asked_second   ? ""
                    : IsRare(proof) ? "yes"
                                    : "no",
                    !asked_third      ? ""
                    : proof.is_strong ? "no"
                                      : "yes",
                    Verdict(proof)});
  }
  return "1. Can the primary key satisfy it?       yes: no index\n"
         "2. Is it rare?                           yes: Scan, with a class and a reason\n"
         "3. Is eventual consistency acceptable?   no: redesign the primary key; yes: an "
         "index\n\n" +
         TextTable(rows);
}

std::string SatisfiedTable(const Design& design) {
  std::vector<std::vector<std::string>> rows = {
      {"Entity", "Access Pattern", "Satisfied by PK?", "Notes"}};
  for (const PatternProof& proof : design.patterns) {
    if (!proof.is_read) continue;
    std::string notes = proof.key.empty() ? proof.operation : proof.key;
    if (!proof.index.empty()) notes = proof.index + ": " + notes;
    if (proof.operation.empty()) notes = proof.text;
    rows.push_back({proof.entities, proof.pattern, proof.by_primary_key ? "✅ Yes" : "❌ No",
                    std::move(notes)});
  }
  return TextTable(rows);
}

std::string ProjectionTree(const Design& design) {
  std::vector<std::vector<std::string>> rows = {
      {"Index", "Projects", "Its patterns ask for", "Why"}};
  for (const IndexProjectionProof& proof : design.projections) {
    rows.push_back({proof.index, proof.projection,
                    proof.asked.empty() ? "nothing: no pattern reads it" : proof.asked,
                    proof.reason});
  }
  return "Do you need non-key attributes in query results?\n"
         "├─ No          → KEYS_ONLY, fetch the full item if needed\n"
         "├─ Only a few  → INCLUDE these\n"
         "└─ Most or all → ALL\n\n" +
         TextTable(rows);
}

Fallible<std::vector<std::filesystem::path>> WriteCharts(const Model& model,
                                                         const std::filesystem::path& out,
                                                         const std::string& job) {
  if (!IsFolderName(job)) {
    return std::unexpected("`" + job + "` is not the name of a job: letters, digits, -, _ and .");
  }
  const std::filesystem::path folder = out / "docs" / "specs" / "jobs" / job;
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return std::unexpected(folder.string() + ": " + failed.message());
  std::vector<std::filesystem::path> written;
  for (const DesignChart& chart : DrawEntityCharts(model)) {
    const std::filesystem::path path = folder / chart.file_name;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << chart.text;
    file.close();
    if (!file) return std::unexpected("cannot write " + path.string());
    written.push_back(path);
  }
  return written;
}

}  // namespace stator::systems::orders
