#include "model/claims/claims.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <optional>

#include "model/claims/claim_expression.h"
#include "model/claims/figures.h"

namespace stator::model {
namespace {

struct KnownMistake {
  bool Mistakes::* flag;
  std::string_view rule;
  std::string_view about;  // the word of `about:`
  std::string_view why;
};

constexpr std::array<KnownMistake, 7> kKnownMistakes = {{
    {&Mistakes::no_indexes, "CO01", "no_indexes", "it leaves out the writes to the indexes"},
    {&Mistakes::moves_once, "CO01", "no_indexes",
     "it counts a changed index key as one write; the old entry goes and a new one comes"},
    {&Mistakes::all_strong, "CO02", "strong",
     "it counts eventually consistent reads as strong ones; they cost half"},
    {&Mistakes::all_eventual, "CO02", "eventual",
     "it counts strong reads as eventually consistent ones; they cost twice as much"},
    {&Mistakes::day_as_second, "CO03", "per_day",
     "it compares what a day takes with what a second offers"},
    {&Mistakes::free_tier, "CO05", "free_tier",
     "it applies the free tier to requests on demand; that covers provisioned capacity only"},
    {&Mistakes::no_failures, "CO06", "no_failures",
     "it takes writes whose condition fails for free; the table bills them"},
}};

bool IsPerSecondLimit(const Figure& figure) { return figure.name.starts_with("free_tier."); }
bool IsOverLongTime(const Figure& figure) {
  return (figure.name.starts_with("wcu.") || figure.name.starts_with("rcu.")) &&
         (figure.name.ends_with(".day") || figure.name.ends_with(".month"));
}
bool DependsOnPrices(const Figure& figure) {
  return figure.name.starts_with("price.") || figure.name.starts_with("cost.");
}

bool Uses(const ClaimCheck& check, bool (*wanted)(const Figure&)) {
  return HasFigure(*check.left, wanted) || HasFigure(*check.right, wanted);
}

struct Sides {
  double left = 0;
  double right = 0;
};

std::expected<Sides, std::string> EvaluateSides(const ClaimCheck& check, const Figures& figures) {
  const FigureValue value = [&](const Figure& figure) { return figures.Value(figure); };
  const auto left = Evaluate(*check.left, value);
  if (!left) return std::unexpected(left.error());
  const auto right = Evaluate(*check.right, value);
  if (!right) return std::unexpected(right.error());
  return Sides{*left, *right};
}

// Whether other assumptions make a false claim true. The figure need not match to the last digit,
// because people round, but it must come out much nearer than before.
bool Explains(const ClaimCheck& check, const Sides& truth, const Sides& assumed) {
  const bool equality = check.relation == ClaimCheck::Relation::kEqual ||
                        check.relation == ClaimCheck::Relation::kAbout;
  if (!equality) return Holds(check.relation, assumed.left, assumed.right);
  return Holds(ClaimCheck::Relation::kAbout, assumed.left, assumed.right) &&
         std::abs(assumed.left - assumed.right) * 4 <= std::abs(truth.left - truth.right);
}

std::string DifferenceText(double truth, double said) {
  if (truth == said) return {};
  if (truth <= 0 || said <= 0) return fmt::format("off by {:.4g}", std::abs(truth - said));
  const double ratio = said > truth ? said / truth : truth / said;
  const std::string_view side = said > truth ? "high" : "low";
  if (ratio < 1.5) return fmt::format("{:.1f} % too {}", std::abs(said / truth - 1) * 100, side);
  return fmt::format("{:.3g} times too {}", ratio, side);
}

class Judge {
 public:
  Judge(const Model& model, const std::vector<Estimate>& estimates, const PriceList& list,
        const Prices& prices)
      : model_(model),
        estimates_(estimates),
        list_(list),
        prices_(prices),
        truth_(model, estimates, list, prices) {}

  ClaimResult Decide(const Claim& claim) const {
    ClaimResult result;
    result.claim = &claim;
    const auto check = ParseClaim(claim.check);
    if (!check) {
      result.problem = check.error();
      return result;
    }
    const auto sides = EvaluateSides(*check, truth_);
    if (!sides) {
      result.problem = sides.error();
      return result;
    }
    const bool swapped = !HasFigure(*check->left) && HasFigure(*check->right);
    result.truth = swapped ? sides->right : sides->left;
    result.said = swapped ? sides->left : sides->right;
    result.holds = Holds(check->relation, sides->left, sides->right);
    // Comparing units per day with units per second says nothing, whichever is larger.
    if (Uses(*check, IsPerSecondLimit) && Uses(*check, IsOverLongTime)) {
      result.holds = false;
      Blame(result, kKnownMistakes[4]);
      return result;
    }
    if (!result.holds) {
      result.difference = DifferenceText(result.truth, result.said);
      Explain(claim, *check, *sides, result);
    }
    return result;
  }

 private:
  static void Blame(ClaimResult& result, const KnownMistake& mistake) {
    result.rule = mistake.rule;
    result.why = mistake.why;
  }

  void Explain(const Claim& claim, const ClaimCheck& check, const Sides& truth,
               ClaimResult& result) const {
    if (ExplainByPrices(claim, check, truth, result)) return;
    for (const KnownMistake& mistake : kKnownMistakes) {
      Mistakes mistakes;
      mistakes.*mistake.flag = true;
      if (Meets(check, truth, mistakes)) return Blame(result, mistake);
    }
    for (const KnownMistake& mistake : kKnownMistakes) {
      if (!claim.about.empty() && claim.about == mistake.about) return Blame(result, mistake);
    }
    if (ExplainByTwo(check, truth, result)) return;
    result.rule = "CO07";
    result.why = "no known mistake explains it";
  }

  bool ExplainByTwo(const ClaimCheck& check, const Sides& truth, ClaimResult& result) const {
    for (std::size_t i = 0; i < kKnownMistakes.size(); ++i) {
      for (std::size_t j = i + 1; j < kKnownMistakes.size(); ++j) {
        Mistakes mistakes;
        mistakes.*kKnownMistakes[i].flag = true;
        mistakes.*kKnownMistakes[j].flag = true;
        if (!Meets(check, truth, mistakes)) continue;
        Blame(result, kKnownMistakes[i]);
        result.why += fmt::format(", and {}", kKnownMistakes[j].why);
        return true;
      }
    }
    return false;
  }

  bool ExplainByPrices(const Claim& claim, const ClaimCheck& check, const Sides& truth,
                       ClaimResult& result) const {
    if (!Uses(check, DependsOnPrices)) return false;
    for (const PriceList& list : BuiltInPriceLists()) {
      for (const Prices& prices : list.regions) {
        if (list.name == list_.name && prices.region == prices_.region) continue;
        const auto sides = EvaluateSides(check, Elsewhere(list, prices));
        if (!sides || !Explains(check, truth, *sides)) continue;
        result.rule = "CO04";
        result.why =
            fmt::format("it is the price of {} in the list {} (in force since {}), not of {} in {}",
                        prices.region, list.name, list.since, prices_.region, list_.name);
        return true;
      }
    }
    if (claim.about != "old_price") return false;
    result.rule = "CO04";
    result.why = "the price is none of the known lists";
    return true;
  }

  bool Meets(const ClaimCheck& check, const Sides& truth, const Mistakes& mistakes) const {
    const auto sides = EvaluateSides(check, With(mistakes));
    return sides && Explains(check, truth, *sides);
  }

  // The figures with these mistakes, computed once for all claims.
  const Figures& With(const Mistakes& mistakes) const {
    std::string key;
    for (const KnownMistake& mistake : kKnownMistakes) key += mistakes.*mistake.flag ? '1' : '0';
    auto& figures = mistaken_[key];
    if (figures == nullptr) {
      figures = std::make_unique<Figures>(model_, estimates_, list_, prices_, mistakes);
    }
    return *figures;
  }

  const Figures& Elsewhere(const PriceList& list, const Prices& prices) const {
    auto& figures = elsewhere_[&prices];
    if (figures == nullptr) {
      figures = std::make_unique<Figures>(model_, estimates_, list, prices);
    }
    return *figures;
  }

  const Model& model_;
  const std::vector<Estimate>& estimates_;
  const PriceList& list_;
  const Prices& prices_;
  const Figures truth_;
  mutable std::map<std::string, std::unique_ptr<Figures>> mistaken_;
  mutable std::map<const Prices*, std::unique_ptr<Figures>> elsewhere_;
};

}  // namespace

std::vector<ClaimResult> EvaluateClaims(const Model& model, const std::vector<Estimate>& estimates,
                                        const PriceList& list, const Prices& prices) {
  std::vector<ClaimResult> results;
  if (model.claims.empty()) return results;
  const Judge judge(model, estimates, list, prices);
  for (const Claim& claim : model.claims) results.push_back(judge.Decide(claim));
  return results;
}

std::vector<ClaimResult> EvaluateClaims(const Model& model,
                                        const std::vector<Estimate>& estimates) {
  const PriceList* list = FindPriceList(model.assume.price_list);
  if (list == nullptr) list = FindPriceList("");
  const Prices* prices = list->Find(model.assume.region);
  if (prices == nullptr) prices = &list->regions.front();
  return EvaluateClaims(model, estimates, *list, *prices);
}

}  // namespace stator::model
