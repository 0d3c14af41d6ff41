// CO: are the stated figures true?
#include <fmt/format.h>

#include <array>
#include <string>

#include "model/claims/claims.h"
#include "rules/families.h"

namespace stator::model {
namespace {

std::string TargetOf(const Claim& claim) { return claim.says.empty() ? claim.check : claim.says; }

std::string MessageOf(const ClaimResult& result) {
  return fmt::format("`{}`: the model gives {:.6g}, compared with {:.6g}{}{}: {}",
                     TargetOf(*result.claim), result.truth, result.said,
                     result.difference.empty() ? "" : ", ", result.difference, result.why);
}

void ReportClaims(const Subject& subject, std::string_view rule, Findings& findings) {
  for (const ClaimResult& result : subject.claims) {
    if (result.holds) continue;
    if (!result.problem.empty()) {
      if (rule != "CO07") continue;
      findings.Add(TargetOf(*result.claim), result.claim->place,
                   fmt::format("`{}` cannot be checked: {}", result.claim->check, result.problem),
                   "docs/model.md lists the figures and their form");
      continue;
    }
    if (result.rule != rule) continue;
    findings.Add(TargetOf(*result.claim), result.claim->place, MessageOf(result),
                 fmt::format("say {:.6g}", result.truth));
  }
}

void CheckIndexWrites(const Subject& subject, Findings& findings) {
  ReportClaims(subject, "CO01", findings);
}
void CheckConsistency(const Subject& subject, Findings& findings) {
  ReportClaims(subject, "CO02", findings);
}
void CheckPeriods(const Subject& subject, Findings& findings) {
  ReportClaims(subject, "CO03", findings);
}

std::string KnownRegions(const PriceList& list) {
  std::string names;
  for (const Prices& prices : list.regions) names += (names.empty() ? "" : ", ") + prices.region;
  return names;
}

void CheckPrices(const Subject& subject, Findings& findings) {
  const Assumptions& assume = subject.model.assume;
  const PriceList* list = FindPriceList(assume.price_list);
  if (list == nullptr) {
    std::string names;
    for (const PriceList& one : BuiltInPriceLists())
      names += (names.empty() ? "" : ", ") + one.name;
    findings.Add(
        "assume.price_list", assume.place,
        fmt::format("there is no price list {}", assume.price_list),
        fmt::format("name one of {}, or give prices with `stator cost --prices FILE`", names));
  } else if (list->Find(assume.region) == nullptr) {
    findings.Add("assume.region", assume.place,
                 fmt::format("the price list {} has no region {}", list->name, assume.region),
                 fmt::format("one of {}, or `stator cost --prices FILE`", KnownRegions(*list)));
  }
  ReportClaims(subject, "CO04", findings);
}

void CheckFreeTier(const Subject& subject, Findings& findings) {
  ReportClaims(subject, "CO05", findings);
}
void CheckFailures(const Subject& subject, Findings& findings) {
  ReportClaims(subject, "CO06", findings);
}
void CheckTruth(const Subject& subject, Findings& findings) {
  ReportClaims(subject, "CO07", findings);
}

#define STATOR_JOBS(claims)                                                                      \
  "model: 1\n"                                                                                   \
  "tables:\n"                                                                                    \
  "  jobs:\n"                                                                                    \
  "    key: id str\n"                                                                            \
  "    indexes: {ByStatus: {pk: status str, project: all}}\n"                                    \
  "entities:\n"                                                                                  \
  "  Job:\n"                                                                                     \
  "    table: jobs\n"                                                                            \
  "    volume: {total: 1000, per: {status: 250/1000}}\n"                                         \
  "    attrs: {id: str 20, status: str enum=new|done|failed|lost, note: str 200}\n"              \
  "patterns:\n"                                                                                  \
  "  add: {write: Job.create, guard: not_exists, rate: 100/day, dup: 10%}\n"                     \
  "  finish: {write: Job.update, sets: [status], guard: exists, rate: 100/day}\n"                \
  "  read: {get: Job, rate: 100/day}\n"                                                          \
  "  open: {query: jobs.ByStatus, where: status = new, needs: [note], all: true, rate: 1/day}\n" \
  "claims:\n" claims

constexpr std::array kRules = {
    Rule{
        .id = "CO01",
        .title = "a figure leaves out writes to indexes",
        .severity = Severity::kWarning,
        .check = CheckIndexWrites,
        .lesson =
            "Every write that puts an item into an index, takes it out or changes what the index "
            "holds of it is billed there too, and a changed index key is two writes: the old entry "
            "goes and a new one comes. A table with two indexes that project everything pays five "
            "units for a change of status, not one.",
        .bad = STATOR_JOBS("  - {says: 100 WCU a day, check: wcu.day(finish) == 100}\n"),
        .good = STATOR_JOBS("  - {says: 300 WCU a day, check: wcu.day(finish) == 300}\n"),
    },
    Rule{
        .id = "CO02",
        .title = "a figure takes the wrong consistency",
        .severity = Severity::kWarning,
        .check = CheckConsistency,
        .lesson =
            "A read unit is 4 KB read with strong consistency. An eventually consistent read, "
            "which "
            "is the default of every API and the only kind an index has, costs half; inside a "
            "transaction it costs twice.",
        .bad = STATOR_JOBS("  - {says: 100 RCU a day, check: rcu.day(read) == 100}\n"),
        .good = STATOR_JOBS("  - {says: 50 RCU a day, check: rcu.day(read) == 50}\n"),
    },
    Rule{
        .id = "CO03",
        .title = "a day is compared with a second",
        .severity = Severity::kWarning,
        .check = CheckPeriods,
        .lesson =
            "Provisioned capacity, the free tier and a partition's limits are units in a second. "
            "25 WCU are 2.16 million units a day. A workload that takes 60 units a day uses a "
            "millionth of that.",
        .bad = STATOR_JOBS("  - {says: overflows the free tier, check: wcu.peak_per_s > 25}\n"),
        .good = STATOR_JOBS("  - {says: fits the free tier, check: wcu.peak_per_s < 25}\n"),
    },
    Rule{
        .id = "CO04",
        .title = "the price or the region is unknown",
        .severity = Severity::kWarning,
        .check = CheckPrices,
        .lesson =
            "Prices differ between regions and change over time: requests on demand have cost half "
            "since November 2024, and many documents still quote what was before. A figure in "
            "money "
            "is worth nothing without its list and its region.",
        .bad = STATOR_JOBS("  - {says: $1.25 a million, check: price.write_million == 1.25}\n"),
        .good = STATOR_JOBS("  - {says: $0.625 a million, check: price.write_million == 0.625}\n"),
    },
    Rule{
        .id = "CO05",
        .title = "the free tier is applied to requests on demand",
        .severity = Severity::kWarning,
        .check = CheckFreeTier,
        .lesson =
            "The free 25 RCU and 25 WCU are provisioned capacity. A table on demand pays its first "
            "request; only its first 25 GB of storage are free.",
        .bad = STATOR_JOBS("  - {says: nothing a month, check: cost.month == 0}\n"),
        .good = STATOR_JOBS("  - {says: under a cent, check: cost.month < 0.02}\n"),
    },
    Rule{
        .id = "CO06",
        .title = "failed conditions are taken for free",
        .severity = Severity::kWarning,
        .check = CheckFailures,
        .lesson = "A write whose condition fails is billed as a write of the item that is there. "
                  "Only the "
                  "indexes, which do not change, bill nothing.",
        .bad = STATOR_JOBS("  - {says: 180 WCU a day, check: wcu.day(add) == 180}\n"),
        .good = STATOR_JOBS("  - {says: 190 WCU a day, check: wcu.day(add) == 190}\n"),
    },
    Rule{
        .id = "CO07",
        .title = "a claim is false",
        .severity = Severity::kWarning,
        .check = CheckTruth,
        .lesson =
            "A claim is a figure that somebody stated about the design. The model gives another "
            "one, and none of the usual mistakes explains the difference: look at the sizes, the "
            "rates and the patterns, or correct the figure.",
        .bad = STATOR_JOBS("  - {says: 5000 WCU a day, check: wcu.day(finish) == 5000}\n"),
        .good = STATOR_JOBS("  - {says: 300 WCU a day, check: wcu.day(finish) == 300}\n"),
    },
};

#undef STATOR_JOBS

}  // namespace

std::span<const Rule> CostRules() { return kRules; }

}  // namespace stator::model
