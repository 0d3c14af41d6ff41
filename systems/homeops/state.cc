#include "systems/homeops/state.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "systems/program/json_line.h"

namespace stator::systems::homeops {

Result<std::vector<std::string>> StateLines(Endpoint& endpoint, const std::string& table_prefix) {
  static constexpr std::array<std::string_view, 4> kTables = {
      "homeops", "homeops-activities", "homeops-messages", "homeops-response-counters"};
  std::vector<std::string> lines;
  for (const std::string_view table : kTables) {
    ScanRequest request{.table_name = table_prefix + std::string(table), .consistent_read = true};
    do {
      const auto page = endpoint.Scan(request);
      if (!page) return std::unexpected(page.error());
      for (std::size_t i = 0; page->items && i < page->items->size(); ++i) {
        lines.push_back(
            fmt::format(R"({{"table":"{}","item":{}}})", table, JsonOfItem((*page->items)[i])));
      }
      request.exclusive_start_key = page->last_evaluated_key;
    } while (request.exclusive_start_key);
  }
  std::ranges::sort(lines);
  return lines;
}

}  // namespace stator::systems::homeops
