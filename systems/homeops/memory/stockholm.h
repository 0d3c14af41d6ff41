// Points of time as a household in Stockholm sees them, across the changes of the clocks.
#ifndef STATOR_SYSTEMS_HOMEOPS_MEMORY_STOCKHOLM_H_
#define STATOR_SYSTEMS_HOMEOPS_MEMORY_STOCKHOLM_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stator::systems::homeops {

struct StockholmTime {
  std::string date;  // 2026-03-29
  std::string day;   // mon … sun
  int hour = 0;      // 0 … 23; 2 does not occur on the last Sunday of March
  int minute = 0;
};

// Seconds since the epoch, of the years 1970 to 9999; others are taken for the nearest of them.
StockholmTime InStockholm(std::int64_t epoch_s);

// When the week of this moment began: Monday, 00:00 in Stockholm.
std::int64_t WeekStart(std::int64_t epoch_s);

// The moment at which clocks in Stockholm show this ("2026-03-29", 14, 30). An hour that is left
// out in spring counts as the moment of the change; of one that occurs twice the first is taken.
std::optional<std::int64_t> FromStockholm(std::string_view date, int hour, int minute);

// "2026-03-29 14:30".
std::string StockholmText(std::int64_t epoch_s);

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_MEMORY_STOCKHOLM_H_
