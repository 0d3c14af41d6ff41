// The figures that claims can name; docs/model.md lists them.
#ifndef STATOR_MODEL_CLAIMS_FIGURES_H_
#define STATOR_MODEL_CLAIMS_FIGURES_H_

#include <expected>
#include <string>

#include "model/claims/claim_expression.h"
#include "model/cost/cost.h"

namespace stator::model {

// Gives the values of figures, possibly with mistakes or other prices, to see what explains a
// claim.
class Figures {
 public:
  // REQUIRES: all of them outlive the object.
  Figures(const Model& model, const std::vector<Estimate>& estimates, const PriceList& list,
          const Prices& prices, const Mistakes& mistakes = {});

  std::expected<double, std::string> Value(const Figure& figure) const;

 private:
  using Answer = std::expected<double, std::string>;
  Answer UnitsOverTime(const Figure& figure, bool reads, std::string_view period) const;
  Answer OfOneRun(const Figure& figure) const;
  Answer CostFigure(const Figure& figure) const;
  Answer PriceFigure(const Figure& figure) const;
  Answer SizeFigure(const Figure& figure) const;
  Answer TimeFigure(const Figure& figure) const;
  Answer IndexFigure(const Figure& figure) const;
  std::expected<const PatternCost*, std::string> FindPattern(const std::string& name) const;
  // The same, but a pattern that is counted in a transaction has no units of its own over time.
  std::expected<const PatternCost*, std::string> FindCounted(const std::string& name) const;

  const Model& model_;
  const Mistakes mistakes_;
  const Cost cost_;
};

}  // namespace stator::model

#endif  // STATOR_MODEL_CLAIMS_FIGURES_H_
