#include "model/parse/problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "model/parse/nearest_name.h"

namespace stator::model {

void Problems::Add(Place place, std::string message, std::string hint) {
  if (!full()) found_.push_back({place, std::move(message), std::move(hint)});
}

void Problems::AddUnknown(Place place, std::string_view what, std::string_view name,
                          std::span<const std::string_view> valid) {
  if (!full()) Add(place, fmt::format("unknown {} `{}`", what, name), NameHint(name, valid));
}

void Problems::AddWrongKind(const Node& node, std::string_view name, std::string_view expected) {
  Add(node.place, fmt::format("`{}` must be {}, not {}", name, expected, KindName(node.kind)));
}

std::vector<Problem> Problems::Take() {
  std::ranges::sort(found_, [](const Problem& a, const Problem& b) {
    return std::tie(a.place, a.message) < std::tie(b.place, b.message);
  });
  return std::move(found_);
}

}  // namespace stator::model
