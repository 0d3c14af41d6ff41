#include "rules/phrases.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace stator::model {

std::string YamlList(const std::vector<std::string>& names) {
  return fmt::format("[{}]", fmt::join(names, ", "));
}

std::string IndexTarget(const Table& table, const Index& index) {
  return table.id + "." + index.name;
}

std::string ProjectionAsWritten(const Projection& projection) {
  switch (projection.kind) {
    case Projection::Kind::kAll:
      return "all";
    case Projection::Kind::kKeysOnly:
      return "keys";
    case Projection::Kind::kInclude:
      return YamlList(projection.attributes);
  }
  return "";
}

std::string FigureText(double figure) {
  if (figure >= 1e6) return fmt::format("{:.3g} million", figure / 1e6);
  if (figure >= 100) return fmt::format("{:.0f}", figure);
  return fmt::format("{:.2g}", figure);
}

}  // namespace stator::model
