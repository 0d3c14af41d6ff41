// CO: are the stated figures true?
#include <fmt/format.h>

#include <string>

#include "model/claims/claims.h"
#include "rules/checks.h"

namespace stator::model {
namespace {

std::string TargetOf(const Claim& claim) { return claim.says.empty() ? claim.check : claim.says; }

std::string MessageOf(const ClaimResult& result) {
  return fmt::format("`{}`: the model gives {:.6g}, compared with {:.6g}{}{}: {}",
                     TargetOf(*result.claim), result.truth, result.said,
                     result.difference.empty() ? "" : ", ", result.difference, result.why);
}

std::string KnownRegions(const PriceList& list) {
  std::string names;
  for (const Prices& prices : list.regions) names += (names.empty() ? "" : ", ") + prices.region;
  return names;
}

}  // namespace

// Every rule of the family: evaluating a claim tells which of them it breaks.
void CheckClaims(const Subject& subject, Findings& findings) {
  const std::string_view rule = findings.rule().code;
  for (const ClaimResult& result : subject.claims) {
    if (result.holds) continue;
    if (!result.problem.empty()) {
      if (rule != "CO07") continue;
      findings.Add(TargetOf(*result.claim), result.claim->place,
                   fmt::format("`{}` cannot be checked: {}", result.claim->check, result.problem),
                   "docs/model.md lists the figures and their form");
    } else if (result.rule == rule) {
      findings.Add(TargetOf(*result.claim), result.claim->place, MessageOf(result),
                   fmt::format("say {:.6g}", result.truth));
    }
  }
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
  CheckClaims(subject, findings);
}

}  // namespace stator::model
