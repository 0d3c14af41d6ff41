#include "api/operations.h"

#include <algorithm>

namespace stator {
namespace {

// DynamoDB's wording of October 2026 (docs/compatibility.md).
constexpr Wording WordingOf(std::string_view operation) {
  for (const std::string_view name : {"BatchGetItem", "GetItem", "Query"}) {
    if (operation == name) return Wording::kCurrent;
  }
  for (const std::string_view name : {"DeleteItem", "PutItem", "UpdateItem"}) {
    if (operation == name) return Wording::kEnveloped;
  }
  return Wording::kClassic;
}

constexpr OperationRow kRows[] = {
#define STATOR_ROW(Name) {#Name, WordingOf(#Name), &k##Name.run_json},
    STATOR_OPERATIONS(STATOR_ROW)
#undef STATOR_ROW
};
static_assert(std::ranges::is_sorted(kRows, {}, &OperationRow::name));

}  // namespace

const OperationRow* FindOperation(std::string_view name) {
  const auto* row = std::ranges::lower_bound(kRows, name, {}, &OperationRow::name);
  return row != std::end(kRows) && row->name == name ? row : nullptr;
}

}  // namespace stator
