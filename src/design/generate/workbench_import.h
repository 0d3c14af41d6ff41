// A data model of NoSQL Workbench → a model file to go on from.
#ifndef STATOR_GENERATE_WORKBENCH_IMPORT_H_
#define STATOR_GENERATE_WORKBENCH_IMPORT_H_

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

namespace stator::model {

inline constexpr std::size_t kMaxWorkbenchBytes = std::size_t{16} << 20;

// Tables, indexes and, from its facets, entities with their keys. Workbench knows no access patterns,
// sizes or rates, so these are left to the reader. The error is one line.
std::expected<std::string, std::string> ImportWorkbench(std::string_view json);

}  // namespace stator::model

#endif  // STATOR_GENERATE_WORKBENCH_IMPORT_H_
